package io.samewire.redis.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.core.ReactiveRedisTemplate;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.PatternTopic;
import org.springframework.data.redis.listener.ReactiveRedisMessageListenerContainer;
import org.springframework.data.redis.serializer.RedisSerializationContext;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.stream.StreamReceiver;
import org.springframework.session.ReactiveSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.data.redis.ReactiveRedisSessionRepository;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** What a reactive program on Spring does with Redis. Returns what it has seen. */
final class ReactiveProgram {
    private static final Duration WAIT = Duration.ofSeconds(60);

    private final ReactiveRedisConnectionFactory factory;
    private final ReactiveStringRedisTemplate template;
    private final List<String> seen = new ArrayList<>();

    private ReactiveProgram(ReactiveRedisConnectionFactory factory) {
        this.factory = factory;
        this.template = new ReactiveStringRedisTemplate(factory);
    }

    static List<String> run(ReactiveRedisConnectionFactory factory) throws Exception {
        ReactiveProgram program = new ReactiveProgram(factory);
        program.values();
        program.collections();
        program.scripts();
        program.objects();
        program.caches();
        program.sessions();
        program.streams();
        program.messages();
        return program.seen;
    }

    private void see(String what, Mono<?> found) {
        Object result;
        try {
            result = found.block(WAIT);
        } catch (RuntimeException failed) {
            result = failed.getClass().getSimpleName();
        }
        seen.add(what + ": " + result);
    }

    private void values() {
        see("set", template.opsForValue().set("greeting", "hello", Duration.ofMinutes(10)));
        see("get", template.opsForValue().get("greeting"));
        see("get nothing", template.opsForValue().get("none"));
        see("expire", template.getExpire("greeting").map(left -> left.toSeconds() > 500));
        see("multiGet", template.opsForValue().multiGet(List.of("greeting", "none")));
        see("increment", template.opsForValue().increment("visits").repeat(2).collectList());
        see("wrong type", template.opsForList().size("greeting"));
        see("scan", template.scan(ScanOptions.scanOptions().match("*ing").build()).collectList());
        see("keys", template.keys("v*").collectList());
        see("delete", template.delete("visits", "none"));
        see("hasKey", template.hasKey("greeting"));
        see("type", template.type("greeting"));
    }

    private void collections() {
        see("push", template.opsForList().rightPushAll("queue", "a", "b", "c"));
        see("pop", template.opsForList().leftPop("queue", Duration.ofSeconds(1)));
        see("pop nothing", template.opsForList().leftPop("none", Duration.ofSeconds(1)));
        see("list", template.opsForList().range("queue", 0, -1).collectList());
        see("putAll", template.opsForHash().putAll("hash", Map.of("a", "1", "b", "2")));
        see("entries", template.opsForHash().entries("hash").collectMap(Map.Entry::getKey, Map.Entry::getValue)
            .map(TreeMap::new));
        see("members", template.opsForSet().add("set", "x", "y"));
        see("zset", template.opsForZSet().add("zset", "m", 1.5));
        see("zset range", template.opsForZSet().rangeWithScores("zset", Range.unbounded()).collectList());
        see("geo", template.opsForGeo().add("geo", new org.springframework.data.geo.Point(13, 38), "Palermo"));
        see("log", template.opsForHyperLogLog().add("log", "a", "b"));
    }

    private void scripts() {
        RedisScript<Long> script = RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);
        see("script", template.execute(script, List.of("counter"), List.of("5")).collectList());
        see("script again", template.execute(script, List.of("counter"), List.of("5")).collectList());
        see("script list", template.execute(RedisScript.of("return {ARGV[1], 'b'}", List.class), List.of(),
            List.of("a")).collectList());
        see("script that fails", template.execute(RedisScript.of("return redis.call('NO')", String.class)).next());
    }

    private void objects() {
        ReactiveRedisTemplate<Object, Object> objects = new ReactiveRedisTemplate<>(factory,
            RedisSerializationContext.java());
        see("object", objects.opsForValue().set(List.of(1), Map.of("book", 2)));
        see("object back", objects.opsForValue().get(List.of(1)));
    }

    /** A cache is asked for values that are not there yet, and its caller does not wait. */
    private void caches() throws Exception {
        RedisCacheManager caches = RedisCacheManager.builder((RedisConnectionFactory) factory).build();
        caches.afterPropertiesSet();
        RedisCache books = (RedisCache) caches.getCache("books");
        see("cache", Mono.fromFuture(books.retrieve("1", () ->
            java.util.concurrent.CompletableFuture.completedFuture("Carrie"))));
        see("cache again", Mono.fromFuture(books.retrieve("1")).map(found -> found.get()));
    }

    private void sessions() {
        ReactiveRedisTemplate<String, Object> objects = new ReactiveRedisTemplate<>(factory,
            RedisSerializationContext.<String, Object>newSerializationContext(RedisSerializer.java())
                .key(RedisSerializer.string()).hashKey(RedisSerializer.string()).build());
        session(new ReactiveRedisSessionRepository(objects));
    }

    private <S extends Session> void session(ReactiveSessionRepository<S> sessions) {
        S made = sessions.createSession().block(WAIT);
        made.setAttribute("cart", Map.of("book", 2));
        see("session", sessions.save(made).then(sessions.findById(made.getId())).map(found ->
            found.getAttribute("cart")));
        see("session deleted", sessions.deleteById(made.getId()).then(sessions.findById(made.getId())));
    }

    private void streams() {
        see("stream", template.opsForStream().add(StreamRecords.string(Map.of("f", "v")).withStreamKey("stream")
            .withId(org.springframework.data.redis.connection.stream.RecordId.of("1-1"))));
        StreamReceiver<String, ?> receiver = StreamReceiver.create(factory,
            StreamReceiver.StreamReceiverOptions.builder().pollTimeout(Duration.ofMillis(50)).build());
        see("receiver", receiver.receive(StreamOffset.fromStart("stream")).next());
    }

    private void messages() throws InterruptedException {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        Disposable listening = template.listenToLater(ChannelTopic.of("news"), PatternTopic.of("weather.*"))
            .block(WAIT).subscribe(message -> messages.add(message.toString()));
        see("publish", template.convertAndSend("news", "one"));
        seen.add(messages.poll(60, TimeUnit.SECONDS));
        see("publish to a pattern", template.convertAndSend("weather.today", "rain"));
        seen.add(messages.poll(60, TimeUnit.SECONDS));
        listening.dispose();
        ReactiveRedisMessageListenerContainer container = new ReactiveRedisMessageListenerContainer(factory);
        container.receiveLater(ChannelTopic.of("sport")).block(WAIT).subscribe(
            message -> messages.add(message.getChannel() + message.getMessage()),
            failed -> messages.add(failed.getClass().getSimpleName()), () -> messages.add("complete"));
        see("publish to a container", template.convertAndSend("sport", "goal"));
        seen.add(messages.poll(60, TimeUnit.SECONDS));
        seen.add("active " + container.getActiveSubscriptions().size());
        see("destroy", container.destroyLater());
        seen.add(messages.poll(60, TimeUnit.SECONDS));
        seen.add("active " + container.getActiveSubscriptions().size());
    }
}
