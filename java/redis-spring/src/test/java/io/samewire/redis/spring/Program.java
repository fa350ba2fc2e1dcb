package io.samewire.redis.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.springframework.cache.Cache;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.support.collections.DefaultRedisMap;
import org.springframework.session.Session;
import org.springframework.session.data.redis.RedisIndexedSessionRepository;
import org.springframework.session.data.redis.RedisSessionRepository;

/** What a program on Spring does with Redis: templates, scripts, a cache and sessions. Returns what it has seen. */
final class Program {
    private final RedisConnectionFactory factory;
    private final List<String> seen = new ArrayList<>();

    private Program(RedisConnectionFactory factory) {
        this.factory = factory;
    }

    static List<String> run(RedisConnectionFactory factory) throws Exception {
        Program program = new Program(factory);
        program.template();
        program.transactions();
        program.scripts();
        program.caches();
        program.sessions();
        return program.seen;
    }

    private void see(String what, Object found) {
        seen.add(what + ": " + found);
    }

    private void template() {
        StringRedisTemplate template = new StringRedisTemplate(factory);
        template.opsForValue().set("greeting", "hello", Duration.ofMinutes(10));
        see("get", template.opsForValue().get("greeting"));
        see("expire", template.getExpire("greeting") > 500);
        see("multiGet", template.opsForValue().multiGet(List.of("greeting", "none")));
        see("push", template.opsForList().rightPushAll("queue", "a", "b", "c"));
        see("pop", template.opsForList().leftPop("queue", Duration.ofSeconds(1)));
        template.opsForHash().putAll("hash", Map.of("a", "1", "b", "2"));
        see("entries", new java.util.TreeMap<>(template.opsForHash().entries("hash")));
        see("members", template.opsForSet().add("set", "x", "y"));
        see("zset", template.opsForZSet().add("zset", "m", 1.5));
        see("zset range", template.opsForZSet().rangeWithScores("zset", 0, -1));
        see("stream", template.opsForStream().add(StreamRecords.string(Map.of("f", "v")).withStreamKey("stream"))
            != null);
        see("stream range", template.opsForStream().range("stream",
            org.springframework.data.domain.Range.unbounded()).size());
        try (var cursor = template.scan(ScanOptions.scanOptions().match("*eue").build())) {
            see("scan", cursor.stream().toList());
        }
        see("keys", new java.util.TreeSet<>(template.keys("*et")));
        see("delete", template.delete(Set.of("set", "none")));
        DefaultRedisMap<String, String> map = new DefaultRedisMap<>("hash", template);
        see("map", map.get("b") + map.putIfAbsent("b", "3") + map.size());
    }

    private void transactions() {
        StringRedisTemplate template = new StringRedisTemplate(factory);
        see("transaction", template.execute(new SessionCallback<List<Object>>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> List<Object> execute(RedisOperations<K, V> operations) throws DataAccessException {
                RedisOperations<String, String> own = (RedisOperations<String, String>) operations;
                own.watch("account");
                own.multi();
                own.opsForValue().increment("account", 10);
                own.opsForValue().get("account");
                own.expire("account", Duration.ofMinutes(1));
                return own.exec();
            }
        }));
        see("pipeline", template.executePipelined((org.springframework.data.redis.connection.RedisConnection on) -> {
            on.stringCommands().set(template.getStringSerializer().serialize("p"), new byte[] {'1'});
            on.stringCommands().incr(template.getStringSerializer().serialize("p"));
            on.stringCommands().get(template.getStringSerializer().serialize("p"));
            return null;
        }));
    }

    private void scripts() {
        StringRedisTemplate template = new StringRedisTemplate(factory);
        RedisScript<Long> script = RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);
        see("script", template.execute(script, List.of("counter"), "5"));
        see("script again", template.execute(script, List.of("counter"), "5"));
        see("script list", template.execute(RedisScript.of("return {ARGV[1], 'b'}", List.class), List.of(), "a"));
    }

    private void caches() throws Exception {
        RedisCacheManager caches = RedisCacheManager.builder(factory).enableStatistics()
            .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(5)))
            .build();
        Cache books = caches.getCache("books");
        Callable<String> load = () -> "Carrie";
        see("cache", books.get("1", load) + books.get("1", String.class) + books.get("2"));
        see("cache put", books.putIfAbsent("1", "It") == null);
        books.put("2", "It");
        books.evict("1");
        see("cache evict", books.get("1"));
        books.clear();
        see("cache clear", books.get("2"));
    }

    private void sessions() {
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(factory);
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.afterPropertiesSet();
        session(new RedisSessionRepository(template));
        RedisIndexedSessionRepository indexed = new RedisIndexedSessionRepository(template);
        session(indexed);
        Session session = indexed.createSession();
        String index = org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
        session.setAttribute(index, "ada");
        indexed.save(cast(session));
        see("session by name", indexed.findByIndexNameAndIndexValue(index, "ada").size());
    }

    @SuppressWarnings("unchecked")
    private static <S extends Session> S cast(Session session) {
        return (S) session;
    }

    private <S extends Session> void session(org.springframework.session.SessionRepository<S> sessions) {
        S made = sessions.createSession();
        made.setAttribute("cart", new LinkedHashMap<>(Map.of("book", 2)));
        sessions.save(made);
        S found = sessions.findById(made.getId());
        see("session", found.<Object>getAttribute("cart"));
        found.removeAttribute("cart");
        sessions.save(found);
        see("session changed", sessions.findById(made.getId()).getAttributeNames());
        sessions.deleteById(made.getId());
        see("session deleted", sessions.findById(made.getId()));
    }
}
