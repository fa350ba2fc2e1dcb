package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Popped;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.SortedSets;
import io.samewire.redis.command.Streams;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import io.samewire.redis.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;

/** One program with the client of a server, of a cluster, and of the master that sentinels know. */
@Timeout(180)
class CommandClientTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    private static final List<AutoCloseable> OPEN = new ArrayList<>();
    private static final List<CommandClient> CLIENTS = new ArrayList<>();
    private static final BlockingQueue<Object> UNCLAIMED = new LinkedBlockingQueue<>();

    private static <T extends AutoCloseable> T opened(T made) {
        OPEN.add(0, made);
        return made;
    }

    @BeforeAll
    static void start() {
        UnaryOperator<RedisOptions> options = own -> own.withUnclaimed((command, reply) -> UNCLAIMED.add(reply));
        CLIENTS.add(opened(RedisClient.connect(options.apply(RedisOptions.of(opened(ValkeyServer.start()).uri())))));
        List<Address> nodes = Stream.of(opened(new ValkeyCluster()).uris()).map(RedisOptions::of)
            .map(RedisOptions::address).toList();
        CLIENTS.add(opened(RedisCluster.connect(options.apply(RedisOptions.of(nodes.get(0))), nodes,
            ReadFrom.PRIMARY)));
        CLIENTS.add(opened(opened(RedisSentinel.connect(opened(new ValkeySentinels()).uris()))
            .master(ValkeySentinels.SERVICE, options.apply(RedisOptions.of("redis://")))));
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : OPEN) {
            one.close();
        }
    }

    /** The clients of a server, of a cluster, and of a master that sentinels know. */
    static Stream<CommandClient> clients() {
        return CLIENTS.stream();
    }

    @BeforeEach
    void empty() {
        CLIENTS.forEach(client -> client.execute(Server.flushall()));
    }

    /** All that there is, with the usual time and with a time of its own. Keys share a slot. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void oneProgramRunsOnAll(CommandClient client) throws Exception {
        assertTrue(client.toString().contains("127.0.0.1:"), client.toString());
        assertEquals(true, client.execute(Strings.set("{a}1", "1")));
        assertEquals(Optional.of("1"), client.execute(Strings.get("{a}1"), LONG));
        assertEquals(2, client.async().execute(Strings.incr("{a}1")).join());
        assertEquals(3, client.async().execute(Strings.incr("{a}1"), LONG).join());
        Pipeline pipeline = client.pipeline();
        Result<Long> fourth = pipeline.add(Strings.incr("{a}1"));
        assertEquals("a pipeline of 1 commands", pipeline.toString());
        pipeline.execute();
        assertEquals(4, fourth.get());
        Result<Long> fifth = pipeline.add(Strings.incr("{a}1"));
        assertEquals(1, pipeline.execute(LONG).size());
        assertEquals(5, fifth.get());
        try (Transaction work = client.transaction()) {
            work.watch("{a}1");
            work.watch(LONG, "{a}2");
            assertEquals(Optional.of("5"), work.execute(Strings.get("{a}1")));
            assertEquals(Optional.empty(), work.execute(Strings.get("{a}2"), LONG));
            Result<Long> sixth = work.add(Strings.incr("{a}1"));
            assertEquals("a transaction of 1 commands", work.toString());
            assertTrue(work.exec().isPresent());
            assertEquals(6, sixth.get());
            work.watch(LONG, "{a}1");
            assertEquals(7, client.execute(Strings.incr("{a}1")));
            Result<Long> never = work.add(Strings.incr("{a}1"));
            assertTrue(work.exec(LONG).isEmpty());
            assertEquals(false, never.isDone());
        }
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Subscriber subscriber = client.subscriber(message -> heard.add(message.channel() + message.text()))) {
            subscriber.subscribe("news");
            subscriber.within(LONG).psubscribe("w*");
            subscriber.within(LONG).ssubscribe("{a}shard");
            client.execute(PubSub.publish("news", "!"));
            assertEquals("news!", heard.poll(60, TimeUnit.SECONDS));
            client.execute(PubSub.publish("weather", "?"));
            assertEquals("weather?", heard.poll(60, TimeUnit.SECONDS));
            client.execute(PubSub.spublish("{a}shard", "."));
            assertEquals("{a}shard.", heard.poll(60, TimeUnit.SECONDS));
            subscriber.within(LONG).sunsubscribe("{a}shard");
            subscriber.punsubscribe();
        }
        try (Subscriber subscriber = client.subscriber(message -> heard.add(message.text()), LONG)) {
            subscriber.subscribe("news");
        }
        assertEquals(List.of("{a}1"), client.scan(cursor -> Keys.scan(cursor).match("{a}*")).toList());
        assertEquals(List.of("{a}1"), client.scan(cursor -> Keys.scan(cursor).match("{a}*"), LONG).toList());
        PoolStatistics pool = client.poolStatistics();
        assertTrue(pool.connections() > 0 && pool.connections() == pool.idle(), pool.toString());
        assertEquals(16, client.options().connections());
        assertEquals(null, client.cacheStatistics());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> client.subscriber(message -> { }, Duration.ZERO)).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> client.scan(Keys::scan, Duration.ZERO)).code());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void locksScriptsAndTypedValuesAreTheSameOnAll(CommandClient client) {
        try (RedisLock.Held held = client.lock("{a}lock").withTimeout(LONG).acquire()) {
            assertEquals(Optional.empty(), client.lock("{a}lock").tryAcquire());
            held.extend(LONG);
        }
        Script<Long> add = Script.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Reading.LONG);
        assertEquals(2, add.run(client, List.of("{a}count"), "2"));
        assertEquals(5, add.run(client.async(), List.of("{a}count"), "3").join());
        Store<Long> store = client.store(Long.class, "{a}number:");
        store.put("one", 1L);
        assertEquals(Optional.of(1L), store.get("one"));
        assertEquals(Optional.of(1L), store.async().get("one").join());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void blockingCommandsOfCallersThatDoNotWaitHoldUpNobody(CommandClient client) {
        AsyncClient async = client.async();
        CompletableFuture<Optional<Popped<String, String>>> popped =
            async.execute(Lists.blpop(Duration.ZERO, "{a}list"));
        CompletableFuture<?> least = async.execute(SortedSets.bzpopmin(Duration.ZERO, "{a}set"), LONG);
        CompletableFuture<?> read = async.execute(Streams.xread(Map.of("{a}stream", "0")).block(Duration.ZERO));
        CompletableFuture<?> late = async.execute(Lists.blpop(Duration.ZERO, "{a}other"), SHORT);
        CompletableFuture<?> cancelled = async.execute(Lists.blpop(Duration.ZERO, "{a}cancelled"));
        assertEquals(1, async.execute(Lists.rpush("{a}list", "1")).join());
        assertEquals(Optional.of(new Popped<>("{a}list", "1")), popped.join());
        async.execute(SortedSets.zadd("{a}set", 2, "two")).join();
        assertTrue(least.join().toString().contains("two"), least.join().toString());
        async.execute(Streams.xadd("{a}stream", Map.of("field", "3"))).join();
        assertTrue(read.join().toString().contains("3"), read.join().toString());
        late(late::join);
        cancelled.cancel(false);
        // The wait has ended on the server once nobody waits there.
        Threads.await("no command waits", () -> waiting(client) == 0);
        assertEquals(1, client.execute(Lists.rpush("{a}cancelled", "kept")));
        assertEquals(1, client.execute(Lists.llen("{a}cancelled")));
        for (Command<?> command : List.of(Keys.waitReplicas(1, LONG), Keys.waitaof(1, 0, LONG))) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> async.execute(command)).code());
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void publishersAreTheSameOnAll(CommandClient client) throws Exception {
        ReactiveClient reactive = client.reactive();
        assertEquals(List.of(1L, 2L), JdkFlowAdapter.flowPublisherToFlux(reactive.execute(Strings.incr("{a}1"), LONG))
            .repeat(1).collectList().block());
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "key:" + i).sorted().toList();
        keys.forEach(key -> client.execute(Strings.set(key, "1")));
        assertEquals(keys, JdkFlowAdapter.flowPublisherToFlux(reactive.scan(cursor -> Keys.scan(cursor).match("key:*")
            .count(20), LONG)).limitRate(7).distinct().sort().collectList().block());
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        List<Disposable> open = Stream.of(reactive.subscribe("news"), reactive.psubscribe("w*"),
            reactive.ssubscribe("{a}shard", "{b}shard")).map(publisher -> JdkFlowAdapter.flowPublisherToFlux(publisher)
                .subscribe(message -> heard.add(message.text()))).toList();
        for (PublishCommand one : List.of(new PublishCommand("news", false), new PublishCommand("weather", false),
                new PublishCommand("{a}shard", true), new PublishCommand("{b}shard", true))) {
            // Again until it is subscribed to: so others of before may come, too.
            String text = null;
            for (long end = System.nanoTime() + LONG.toNanos(); !one.channel.equals(text) && System.nanoTime() < end;) {
                client.execute(one.shard ? PubSub.spublish(one.channel, one.channel)
                    : PubSub.publish(one.channel, one.channel));
                text = heard.poll(100, TimeUnit.MILLISECONDS);
            }
            assertEquals(one.channel, text);
        }
        open.forEach(Disposable::dispose);
        Threads.await("nobody listens", () -> client.execute(PubSub.spublish("{b}shard", "?")) == 0);
    }

    private record PublishCommand(String channel, boolean shard) { }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void anElementThatWasPoppedForACancelledCallIsHandedOver(CommandClient client) throws Exception {
        client.execute(Lists.rpush("{a}list", "1"));
        everywhere(client, Commands.of(Text.STRING, "CLIENT PAUSE", "60000", "WRITE"));
        CompletableFuture<?> popped = client.async().execute(Lists.lpop("{a}list"));
        Threads.await("it waits", () -> everywhere(client, Commands.of(Text.STRING, "CLIENT LIST")).stream()
            .anyMatch(list -> list.contains("cmd=lpop")));
        assertTrue(popped.cancel(false));
        everywhere(client, Commands.of(Text.STRING, "CLIENT UNPAUSE"));
        assertEquals(Optional.of("1"), UNCLAIMED.poll(60, TimeUnit.SECONDS));
        assertEquals(0, client.execute(Keys.exists("{a}list")));
    }

    private static <T> Collection<T> everywhere(CommandClient client, Command<T> command) {
        return client instanceof RedisCluster cluster ? cluster.executeOn(NodeRole.PRIMARY, command).values()
            : List.of(client.execute(command));
    }

    /** How many commands the server of the keys with this hash tag makes wait. */
    private static int waiting(CommandClient client) {
        String text = Script.of("return redis.call('INFO', 'clients')", Text.STRING).run(client, List.of("{a}"));
        return Integer.parseInt(text.lines().filter(line -> line.startsWith("blocked_clients:")).findFirst()
            .orElseThrow().substring("blocked_clients:".length()).trim());
    }

    /** Publishes messages, the first of which the listener holds until it may go on. */
    private static final class Held implements MessageListener {
        private static final int COUNT = 200;

        private final CountDownLatch go = new CountDownLatch(1);
        private final CountDownLatch began = new CountDownLatch(1);
        private final List<String> taken = new CopyOnWriteArrayList<>();
        private volatile Thread thread;

        @Override
        public void message(Message message) {
            thread = Thread.currentThread();
            began.countDown();
            try {
                go.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            taken.add(message.text());
        }

        void publish(CommandClient client) throws InterruptedException {
            Pipeline pipeline = client.pipeline();
            for (int i = 0; i < COUNT; i++) {
                pipeline.add(PubSub.spublish("{a}shard", String.valueOf(i)));
            }
            pipeline.execute();
            began.await();
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void whatCameBeforeASubscriptionHasEndedIsHeard(CommandClient client) throws Exception {
        Held held = new Held();
        try (Subscriber subscriber = client.subscriber(held)) {
            subscriber.ssubscribe("{a}shard");
            held.publish(client);
            subscriber.sunsubscribe("{a}shard");
            held.go.countDown();
            Threads.await("all are heard", () -> held.taken.size() == Held.COUNT);
            subscriber.ssubscribe("{a}shard");
            assertEquals(1, client.execute(PubSub.spublish("{a}shard", "more")));
            Threads.await("it hears again", () -> held.taken.size() == Held.COUNT + 1);
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void aSubscriberThatIsDrainedHasHeardAll(CommandClient client) throws Exception {
        Held held = new Held();
        Subscriber subscriber = client.subscriber(held);
        subscriber.ssubscribe("{a}shard");
        subscriber.within(LONG).psubscribe("w*");
        held.publish(client);
        new Thread(held.go::countDown).start();
        subscriber.within(LONG).drain(LONG);
        assertEquals(Held.COUNT, held.taken.size());
        assertEquals(Code.CLOSED, assertThrows(SamewireException.class, () -> subscriber.subscribe("news")).code());
        assertEquals(0, client.execute(PubSub.spublish("{a}shard", "late")));
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void aSubscriberThatCannotBeDrainedIsClosed(CommandClient client) throws Exception {
        Held held = new Held();
        Subscriber subscriber = client.subscriber(held);
        subscriber.ssubscribe("{a}shard");
        held.publish(client);
        SamewireException late = assertThrows(SamewireException.class, () -> subscriber.drain(SHORT));
        assertEquals(Code.TIMEOUT, late.code(), late.getMessage());
        held.go.countDown();
        Threads.await("the first is heard", () -> !held.taken.isEmpty());
        assertEquals(List.of("0"), held.taken);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> subscriber.drain(Duration.ZERO)).code());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void aClosedSubscriberDropsWhatWaits(CommandClient client) throws Exception {
        Held held = new Held();
        Subscriber subscriber = client.subscriber(held);
        subscriber.ssubscribe("{a}shard");
        held.publish(client);
        subscriber.sunsubscribe();
        subscriber.close();
        held.go.countDown();
        held.thread.join();
        assertEquals(List.of("0"), held.taken);
    }

    /** On a cluster the last of them ends the slot's connection, which another thread may be about to use. */
    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void threadsSubscribeAndEndItInOneSlot(CommandClient client) {
        Set<String> heard = ConcurrentHashMap.newKeySet();
        try (Subscriber subscriber = client.subscriber(message -> heard.add(message.text()))) {
            Threads.together(IntStream.range(0, 3).<Threads.Work>mapToObj(thread -> () -> {
                for (int i = 0; i < 30; i++) {
                    String channel = "{a}" + thread;
                    String text = thread + "-" + i;
                    subscriber.ssubscribe(channel);
                    assertEquals(1, client.execute(PubSub.spublish(channel, text)));
                    subscriber.sunsubscribe(channel);
                    assertEquals(0, client.execute(PubSub.spublish(channel, "?")));
                    Threads.await(text, () -> heard.contains(text));
                }
            }).toList());
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("clients")
    void aListenerCannotWaitForItself(CommandClient client) throws Exception {
        AtomicReference<Subscriber> own = new AtomicReference<>();
        BlockingQueue<Code> refused = new LinkedBlockingQueue<>();
        try (Subscriber subscriber = client.subscriber(message -> refused.add(assertThrows(SamewireException.class,
                () -> own.get().drain(LONG)).code()))) {
            own.set(subscriber);
            subscriber.subscribe("news");
            client.execute(PubSub.publish("news", "!"));
            assertEquals(Code.MISUSE, refused.poll(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void eachKindOfCallEndsInItsTime() {
        try (Peer peer = silent()) {
            String uri = "redis://" + peer.address();
            try (RedisClient client = RedisClient.connect(uri)) {
                calls(client);
            }
            try (RedisCluster client = RedisCluster.connect(uri)) {
                calls(client);
            }
            try (RedisSentinel sentinels = RedisSentinel.connect(uri);
                    RedisClient client = sentinels.master("orders")) {
                calls(client);
            }
        }
    }

    private static void calls(CommandClient client) {
        late(() -> client.execute(Strings.get("k"), SHORT));
        late(() -> client.async().execute(Strings.get("k"), SHORT).join());
        late(() -> {
            Pipeline pipeline = client.pipeline();
            Result<Optional<String>> result = pipeline.add(Strings.get("k"));
            pipeline.execute(SHORT);
            result.get();
        });
        try (Transaction work = client.transaction()) {
            work.watch(LONG, "k");
            late(() -> work.execute(Strings.get("k"), SHORT));
        }
        try (Transaction work = client.transaction()) {
            late(() -> work.watch(SHORT, "slow"));
        }
        try (Transaction work = client.transaction()) {
            work.add(Strings.get("k"));
            late(() -> work.exec(SHORT));
        }
        try (Subscriber subscriber = client.subscriber(message -> { }, LONG)) {
            late(() -> subscriber.within(SHORT).subscribe("news"));
            late(() -> subscriber.within(SHORT).ssubscribe("news"));
        }
    }

    private static void late(Executable call) {
        RuntimeException late = assertThrows(RuntimeException.class, call);
        SamewireException why = (SamewireException) (late instanceof CompletionException ? late.getCause() : late);
        assertEquals(Code.TIMEOUT, why.code(), why.getMessage());
    }

    /** A peer that is a server, a cluster of one node, and a sentinel; to other commands it says nothing. */
    private static Peer silent() {
        Peer[] self = new Peer[1];
        self[0] = Peer.greeting((connection, read) -> {
            String port = String.valueOf(self[0].port());
            if (read.contains("CLUSTER")) {
                Peer.send(connection, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n" + bulk("127.0.0.1") + ":" + port + "\r\n");
            } else if (read.contains("SENTINEL")) {
                Peer.send(connection, "*1\r\n%4\r\n" + bulk("name") + bulk("orders") + bulk("ip") + bulk("127.0.0.1")
                    + bulk("port") + bulk(port) + bulk("flags") + bulk("master"));
            } else if (read.contains("ROLE")) {
                Peer.send(connection, "*3\r\n" + bulk("master") + ":0\r\n*0\r\n");
            } else if (read.contains("WATCH") && !read.contains("slow") || read.contains("DISCARD")
                || read.contains("MULTI") && !read.contains("EXEC")) {
                Peer.send(connection, "+OK\r\n");
            }
        });
        return self[0];
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
