package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Scripting;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster that is well: where commands go, what is split, what is refused. */
@Timeout(180)
class RedisClusterTest {
    private static ValkeyCluster servers;
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        servers = new ValkeyCluster();
        cluster = RedisCluster.connect(servers.uris());
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
        servers.close();
    }

    @BeforeEach
    void empty() {
        cluster.execute(Server.flushall());
    }

    @Test
    void locksAKeyOfAnySlot() {
        RedisLock lock = cluster.lock("orders").withTimeout(Duration.ofMinutes(1));
        try (RedisLock.Held held = lock.acquire()) {
            held.extend(Duration.ofMinutes(1));
            assertTrue(held.isOwned() && lock.tryAcquire().isEmpty());
        }
        assertTrue(!lock.isLocked());
    }

    @Test
    void tellsObserversOfEachCallOnce() {
        Events events = new Events();
        RedisOptions options = RedisOptions.of(servers.uris()[0]).withObserver(events);
        try (RedisCluster client = RedisCluster.connect(options, List.of(options.address()), ReadFrom.PRIMARY)) {
            client.execute(Strings.mset(Map.of("a", "1", "b", "2", "c", "3")));
            client.async().execute(Strings.get("a")).join();
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.get("a"));
            pipeline.add(Strings.get("b"));
            pipeline.execute();
            List<String> calls = events.taken().stream().filter(line -> !line.contains("connected ")).toList();
            assertEquals(List.of("started MSET 1 at null", "finished MSET", "started GET 1 at null", "finished GET",
                "started PIPELINE 2 at null", "finished PIPELINE"), calls);
        }
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key" + i).toList();
    }

    @Test
    void commandsGoToTheNodesOfTheirKeys() {
        for (String key : keys(50)) {
            cluster.execute(Strings.set(key, "value of " + key));
            assertEquals(Optional.of("value of " + key), cluster.execute(Strings.get(key)));
        }
        assertEquals(50, cluster.execute(Server.dbsize()));
        assertEquals(new HashSet<>(keys(50)), new HashSet<>(cluster.execute(Keys.keys("*"))));
        for (int i = 0; i < 3; i++) {
            assertTrue(servers.client(i).execute(Server.dbsize()) > 5);
        }
        assertEquals(new TreeSet<>(keys(50)), cluster.scan(cursor -> Keys.scan(cursor).count(7))
            .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(3, cluster.addresses(NodeRole.PRIMARY).size());
        assertEquals(3, cluster.addresses(NodeRole.REPLICA).size());
        assertEquals(50, cluster.executeOn(NodeRole.PRIMARY, Server.dbsize()).values().stream().mapToLong(n -> n)
            .sum());
    }

    @Test
    void commandsOfSeveralSlotsAreSplitOrRefused() {
        Map<String, String> all = new LinkedHashMap<>();
        keys(30).forEach(key -> all.put(key, "v" + key));
        cluster.execute(Strings.mset(all));
        List<String> asked = new ArrayList<>(keys(30));
        asked.add(7, "absent");
        List<Optional<String>> values = cluster.execute(Strings.mget(asked));
        for (int i = 0; i < asked.size(); i++) {
            assertEquals(Optional.ofNullable(all.get(asked.get(i))), values.get(i));
        }
        cluster.execute(Strings.mset(Map.of("{a}1", "1", "{b}1", "2", "{a}2", "3", "{b}2", "4")));
        assertEquals(List.of("1", "2", "3", "4"), cluster.execute(Strings.mget("{a}1", "{b}1", "{a}2", "{b}2")).stream()
            .map(Optional::orElseThrow).toList());
        assertEquals(4, cluster.execute(Keys.del("{a}1", "{b}1", "{a}2", "{b}2")));
        assertEquals(Integer.valueOf(31), cluster.<Integer>execute(Strings.mget(asked).map(List::size)));
        assertEquals(30, cluster.execute(Keys.exists(asked)));
        assertEquals(30, cluster.execute(Keys.touch(asked)));
        assertEquals(10, cluster.execute(Keys.del(keys(10))));
        assertEquals(20, cluster.execute(Keys.unlink(keys(30))));
        SamewireException refused = assertThrows(SamewireException.class,
            () -> cluster.execute(Keys.rename("key1", "key2")));
        assertEquals(Code.MISUSE, refused.code());
        assertTrue(refused.getMessage().contains("{user:1}"));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> cluster.execute(Keys.scan("0"))).code());
    }

    @Test
    void errorsOfServersAreThrown() {
        cluster.execute(Strings.set("text", "x"));
        assertEquals("WRONGTYPE", assertThrows(RedisException.class,
            () -> cluster.execute(Lists.rpush("text", "y"))).word());
        String sha = cluster.execute(Scripting.scriptLoad("return redis.call('GET', KEYS[1])"));
        for (String key : keys(10)) {
            cluster.execute(Strings.set(key, key));
            assertEquals(40, sha.length());
        }
        assertEquals(List.of(true, false), cluster.execute(Scripting.scriptExists(sha, "0".repeat(40))));
    }

    @Test
    void pipelinesGoToAllNodesAndKeepTheirOrder() {
        ClusterPipeline pipeline = cluster.pipeline();
        List<Result<Long>> lengths = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            lengths.add(pipeline.add(Lists.rpush("key" + i % 100, String.valueOf(i))));
        }
        Result<List<Optional<String>>> split = pipeline.add(Strings.mget("absent1", "absent2", "absent3"));
        pipeline.add(Strings.set("text", "x"));
        Result<Long> wrong = pipeline.add(Lists.rpush("text", "y"));
        assertThrows(SamewireException.class, () -> pipeline.add(Keys.rename("key1", "key2")));
        assertThrows(SamewireException.class, () -> pipeline.add(Lists.blpop(java.time.Duration.ofSeconds(1), "key1")));
        assertEquals(3003, pipeline.size());
        assertEquals(3003, pipeline.execute().size());
        for (int i = 0; i < 3000; i++) {
            assertEquals(i / 100 + 1, lengths.get(i).get());
        }
        assertEquals(List.of(Optional.empty(), Optional.empty(), Optional.empty()), split.get());
        assertEquals("WRONGTYPE", assertThrows(RedisException.class, wrong::get).word());
        assertEquals(0, pipeline.size());
        for (int i = 0; i < 100; i++) {
            int first = i;
            assertEquals(IntStream.range(0, 30).mapToObj(n -> String.valueOf(first + n * 100)).toList(),
                cluster.execute(Lists.lrange("key" + i, 0, -1)));
        }
    }

    @Test
    void callersThatDoNotWaitShareConnections() throws Exception {
        List<java.util.concurrent.CompletableFuture<Long>> sums = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            sums.add(cluster.submit(Strings.incr("n" + i % 10)));
        }
        for (int i = 0; i < 500; i++) {
            assertEquals(i / 10 + 1, sums.get(i).get());
        }
        assertEquals(10, cluster.submit(Server.dbsize()).get());
    }

    @Test
    void transactionsAreOfOneSlot() {
        try (ClusterTransaction work = cluster.transaction()) {
            work.add(Strings.set("{t}a", "1"));
            Result<Long> two = work.add(Strings.incr("{t}a"));
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
                () -> work.add(Strings.incr("{other}a"))).code());
            assertTrue(work.exec().isPresent());
            assertEquals(2, two.get());
            work.watch("{t}a");
            assertEquals(Optional.of("2"), work.execute(Strings.get("{t}a")));
            cluster.execute(Strings.set("{t}a", "changed"));
            work.add(Strings.set("{t}a", "3"));
            assertTrue(work.exec().isEmpty());
            assertEquals(Optional.of("changed"), cluster.execute(Strings.get("{t}a")));
        }
    }

    @Test
    void staleMapsAreMendedByRedirections() {
        int slot = KeySlot.of("moving");
        int from = servers.primary(slot);
        int to = servers.otherPrimary(from);
        cluster.execute(Strings.set("moving", "1"));
        cluster.execute(Strings.set("{moving}2", "2"));
        servers.beginMove(slot, from, to);
        // ASK for what is not there: the new node has it.
        cluster.execute(Strings.set("{moving}new", "3"));
        assertEquals(Optional.of("3"), cluster.execute(Strings.get("{moving}new")));
        assertEquals(Optional.of("3"), cluster.submit(Strings.get("{moving}new")).join());
        assertEquals(Optional.of("1"), cluster.execute(Strings.get("moving")));
        Thread mover = new Thread(() -> {
            Pool.sleep(100_000_000);
            servers.moveKeys(slot, from, to);
            servers.endMove(slot, from, to);
        });
        mover.start();
        // TRYAGAIN until the keys are on one node, and a transaction waits, too.
        assertEquals(List.of(Optional.of("1"), Optional.of("3")),
            cluster.execute(Strings.mget("moving", "{moving}new")));
        try (ClusterTransaction work = cluster.transaction()) {
            Result<Long> sum = work.add(Strings.incr("{moving}new"));
            assertTrue(work.exec().isPresent());
            assertEquals(4, sum.get());
        }
        ValkeyCluster.await("the slot has moved", () -> servers.primary(slot) == to);
        assertEquals(Optional.of("2"), cluster.execute(Strings.get("{moving}2")));
        assertEquals(Optional.of("4"), cluster.submit(Strings.get("{moving}new")).join());
    }

    @Test
    void readsGoToReplicasByChoice() {
        RedisOptions options = RedisOptions.of(servers.server(0).uri());
        try (RedisCluster reading = RedisCluster.connect(options, List.of(options.address()), ReadFrom.REPLICAS)) {
            reading.execute(Strings.set("read", "1"));
            ValkeyCluster.await("the replica has it", () -> reading.execute(Strings.get("read")).isPresent());
            servers.call(servers.primary(KeySlot.of("read")), "CONFIG RESETSTAT");
            for (int i = 0; i < 20; i++) {
                assertEquals(Optional.of("1"), reading.execute(Strings.get("read")));
            }
            String statistics = servers.client(servers.primary(KeySlot.of("read"))).execute(
                io.samewire.redis.command.Commands.of(in -> in.readString(), "INFO", "commandstats"));
            assertTrue(!statistics.contains("cmdstat_get:"), statistics);
        }
    }

    @Test
    void subscribersHearChannelsAndShardChannels() {
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        try (ClusterSubscriber subscriber = cluster.subscriber(message -> heard.add(message.channel() + "="
                + message.payload()))) {
            subscriber.subscribe("news");
            subscriber.psubscribe("wea*");
            subscriber.ssubscribe("shard1", "shard2", "shard3");
            cluster.execute(PubSub.publish("news", "a"));
            cluster.execute(PubSub.publish("weather", "b"));
            for (int i = 1; i <= 3; i++) {
                assertEquals(1, cluster.execute(PubSub.spublish("shard" + i, "c")));
            }
            Set<String> wanted = Set.of("news=a", "weather=b", "shard1=c", "shard2=c", "shard3=c");
            Threads.await("all messages", () -> heard.size() >= 5);
            assertEquals(wanted, new HashSet<>(heard));
            subscriber.sunsubscribe("shard2");
            assertEquals(0, cluster.execute(PubSub.spublish("shard2", "d")));
            // The channel's slot moves: it is heard from its new node.
            int slot = KeySlot.of("shard1");
            int from = servers.primary(slot);
            int to = servers.otherPrimary(from);
            servers.beginMove(slot, from, to);
            servers.moveKeys(slot, from, to);
            servers.endMove(slot, from, to);
            heard.clear();
            ValkeyCluster.await("the message of the new node", () -> {
                cluster.execute(PubSub.spublish("shard1", "e"));
                return heard.contains("shard1=e");
            });
        }
    }

    record Book(String name, long year) { }

    @Test
    void typedValuesAreStored() {
        Map<String, Book> books = new LinkedHashMap<>();
        keys(200).forEach(name -> books.put(name, new Book(name, books.size())));
        cluster.store(Book.class, "book:").putAll(books);
        List<Optional<Book>> found = cluster.store(Book.class, "book:").getAll(books.keySet());
        assertEquals(List.copyOf(books.values()), found.stream().map(Optional::orElseThrow).toList());
        assertEquals(200, cluster.store(Book.class, "book:").scan().count());
    }

    @Test
    void whatIsNoClusterIsRefused() {
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, RedisCluster::connect).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> RedisCluster.connect("redis://localhost/1")).code());
        try (ValkeyServer single = ValkeyServer.start()) {
            assertThrows(ConnectionException.class, () -> RedisCluster.connect(single.uri()));
        }
    }
}
