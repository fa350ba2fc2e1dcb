package io.samewire.redis.spring;

import static io.samewire.redis.spring.Operations.b;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.PoolStatistics;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Retry;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisPipelineException;
import org.springframework.data.redis.connection.RedisServerCommands.ShutdownOption;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.PatternTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

@Timeout(120)
class SamewireConnectionTest {
    private final ValkeyServer server = ValkeyServer.start();
    private final SamewireConnectionFactory factory = factory(RedisOptions.of(server.uri()));

    private static SamewireConnectionFactory factory(RedisOptions options) {
        return new SamewireConnectionFactory(options.withRetry(new Retry(0, Duration.ofMillis(1),
            Duration.ofMillis(1))));
    }

    @AfterEach
    void stop() {
        factory.destroy();
        server.close();
    }

    private static boolean mayHaveRun(Throwable failed) {
        return assertInstanceOf(ConnectionException.class, failed.getCause()).mayHaveRun();
    }

    // --- failures

    @Test
    void lostConnectionTellsWhetherTheCommandMayHaveRun() throws Exception {
        RedisConnection connection = factory.getConnection();
        CompletableFuture<byte[]> waiting = CompletableFuture.supplyAsync(
            () -> factory.getConnection().listCommands().bLPop(0, b("queue")).get(1));
        while (connection.serverCommands().getClientList().stream().noneMatch(one -> one.getFlags().contains("b"))) {
            Thread.sleep(5);
        }
        server.kill();
        assertTrue(mayHaveRun(assertInstanceOf(RedisConnectionFailureException.class,
            assertThrows(ExecutionException.class, waiting::get).getCause())));
        assertFalse(mayHaveRun(assertThrows(RedisConnectionFailureException.class,
            () -> connection.stringCommands().incr(b("n")))));
        server.launch();
        assertEquals(1, connection.stringCommands().incr(b("n")));
    }

    @Test
    void silentServerIsAQueryTimeout() {
        SamewireConnectionFactory hurried = factory(RedisOptions.of(server.uri())
            .withCommandTimeout(Duration.ofSeconds(5)));
        RedisConnection connection = hurried.getConnection();
        connection.ping();
        server.stall();
        assertTrue(mayHaveRun(assertThrows(QueryTimeoutException.class,
            () -> connection.stringCommands().incr(b("n")))));
        connection.openPipeline();
        connection.stringCommands().incr(b("n"));
        RedisPipelineException late = assertThrows(RedisPipelineException.class, connection::closePipeline);
        // It needs a new connection, which the server does not greet.
        assertFalse(mayHaveRun(assertInstanceOf(RedisConnectionFailureException.class, late.getCause())));
        assertFalse(connection.isPipelined());
        server.goOn();
        hurried.destroy();
    }

    @Test
    void errorOfTheServerIsTheCause() {
        RedisConnection connection = factory.getConnection();
        connection.stringCommands().set(b("k"), b("v"));
        RedisSystemException refused = assertThrows(RedisSystemException.class,
            () -> connection.listCommands().lLen(b("k")));
        assertEquals("WRONGTYPE", assertInstanceOf(RedisException.class, refused.getCause()).word());
        assertEquals("expected bytes, a text or a number, or at least one of them, as argument 1 of the command,"
            + " found null", assertThrows(IllegalArgumentException.class,
                () -> connection.stringCommands().get(null)).getMessage());
    }

    /** Listener containers come back after a connection failure, and after nothing else. */
    @Test
    void whatKeepsFromConnectingIsAConnectionFailure() throws IOException {
        SamewireConnectionFactory stranger = factory(RedisOptions.of(server.uri()).withCredentials("no", "no"));
        assertEquals("WRONGPASS", assertInstanceOf(RedisException.class, assertThrows(
            RedisConnectionFailureException.class, () -> stranger.getConnection().ping()).getCause()).word());
        stranger.destroy();
        try (ServerSocket silent = new ServerSocket(0)) {
            SamewireConnectionFactory late = factory(RedisOptions.of("redis://127.0.0.1:" + silent.getLocalPort())
                .withConnectTimeout(Duration.ofMillis(50)));
            assertFalse(mayHaveRun(assertThrows(RedisConnectionFailureException.class,
                () -> late.getConnection().ping())));
            late.destroy();
        }
    }

    // --- transactions and pipelines

    @Test
    void transactionRunsOnlyIfWatchedKeysAreUnchanged() {
        try (RedisConnection one = factory.getConnection(); RedisConnection other = factory.getConnection()) {
            one.watch(b("k"));
            assertNull(one.stringCommands().get(b("k")));
            one.multi();
            assertTrue(one.isQueueing());
            assertNull(one.stringCommands().set(b("k"), b("mine")));
            other.stringCommands().set(b("k"), b("other"));
            assertNull(one.exec());
            assertFalse(one.isQueueing());
            one.watch(b("k"));
            one.unwatch();
            one.watch(b("k"));
            one.multi();
            one.stringCommands().append(b("k"), b("!"));
            one.listCommands().lTrim(b("none"), 0, 1);
            assertEquals(List.of(6L), one.exec());
            one.multi();
            one.stringCommands().set(b("k"), b("dropped"));
            one.discard();
            assertArrayEquals(b("other!"), one.stringCommands().get(b("k")));
            assertThrows(RedisSystemException.class, one::exec);
        }
    }

    @Test
    void transactionInAPipelineKeepsItsPlace() {
        try (RedisConnection connection = factory.getConnection()) {
            connection.openPipeline();
            connection.stringCommands().set(b("n"), b("1"));
            connection.multi();
            connection.stringCommands().incr(b("n"));
            connection.stringCommands().incr(b("n"));
            assertNull(connection.exec());
            connection.stringCommands().incr(b("n"));
            assertEquals(List.of(true, List.of(2L, 3L), 4L), connection.closePipeline());
        }
    }

    @Test
    void failuresOfAPipelineComeWithTheOtherReplies() {
        try (RedisConnection connection = factory.getConnection()) {
            connection.openPipeline();
            connection.stringCommands().incr(b("n"));
            connection.listCommands().lLen(b("n"));
            connection.stringCommands().incr(b("n"));
            RedisPipelineException failed = assertThrows(RedisPipelineException.class, connection::closePipeline);
            assertEquals(1L, failed.getPipelineResult().get(0));
            assertInstanceOf(RedisSystemException.class, failed.getPipelineResult().get(1));
            assertEquals(2L, failed.getPipelineResult().get(2));
            assertEquals(List.of(), connection.closePipeline());
            connection.openPipeline();
            assertThrows(InvalidDataAccessApiUsageException.class,
                () -> connection.keyCommands().scan(ScanOptions.NONE));
        }
    }

    @Test
    void pipelineThatIsNotSentGivesItsTransactionsConnectionBack() {
        SamewireConnectionFactory own = factory(RedisOptions.of(server.uri()));
        RedisConnection dropped = own.getConnection();
        queueWatched(dropped);
        assertEquals(1, used(own));
        dropped.close();
        assertEquals(0, used(own));
        RedisConnection failing = own.getConnection();
        queueWatched(failing);
        server.kill();
        // What is called before the transaction fails, and the transaction is not sent.
        assertThrows(RedisPipelineException.class, failing::closePipeline);
        assertEquals(0, used(own));
        own.destroy();
    }

    private static void queueWatched(RedisConnection connection) {
        connection.openPipeline();
        connection.watch(b("k"));
        connection.stringCommands().incr(b("n"));
        connection.multi();
        connection.stringCommands().incr(b("n"));
        assertNull(connection.exec());
    }

    private static int used(SamewireConnectionFactory factory) {
        PoolStatistics found = assertInstanceOf(RedisClient.class, factory.client()).poolStatistics();
        return found.connections() - found.idle();
    }

    @Test
    void connectionIsOfUseAfterItsWatchWasLost() {
        RedisConnection connection = factory.getConnection();
        connection.watch(b("k"));
        server.kill();
        assertThrows(RedisConnectionFailureException.class, () -> connection.stringCommands().get(b("k")));
        // A second watch that fails does not make the lost one forgotten.
        assertThrows(RedisConnectionFailureException.class, () -> connection.watch(b("k")));
        server.launch();
        assertNull(connection.stringCommands().get(b("k")));
        connection.multi();
        connection.stringCommands().set(b("k"), b("unwatched"));
        assertNull(connection.exec());
        assertNull(connection.stringCommands().get(b("k")));
        server.kill();
        assertThrows(RedisConnectionFailureException.class, () -> connection.watch(b("k")));
        server.launch();
        assertEquals("PONG", connection.ping());
    }

    // --- scans

    @Test
    void scansGoThroughAllPages() {
        RedisConnection connection = factory.getConnection();
        for (int i = 0; i < 500; i++) {
            connection.stringCommands().set(b("key:" + i), b("v"));
            connection.hashCommands().hSet(b("hash"), b("f" + i), b("v".repeat(100)));
            connection.setCommands().sAdd(b("set"), b("m" + i));
            connection.zSetCommands().zAdd(b("sorted"), i, b("m" + i));
        }
        ScanOptions options = ScanOptions.scanOptions().match("*7*").count(50).build();
        assertEquals(95, count(factory.getConnection().keyCommands().scan(ScanOptions.scanOptions().match("key:*7*")
            .count(50).build())));
        assertEquals(95, count(factory.getConnection().hashCommands().hScan(b("hash"), options)));
        assertEquals(95, count(factory.getConnection().setCommands().sScan(b("set"), options)));
        assertEquals(95, count(factory.getConnection().zSetCommands().zScan(b("sorted"), options)));
        Cursor<byte[]> cursor = connection.keyCommands().scan(ScanOptions.NONE);
        cursor.close();
        assertTrue(connection.isClosed());
        assertThrows(InvalidDataAccessApiUsageException.class, connection::ping);
    }

    private static long count(Cursor<?> cursor) {
        try (cursor) {
            return cursor.stream().count();
        }
    }

    // --- channels

    /** Counts as the server does, for listeners. */
    private static class Confirmed implements MessageListener, SubscriptionListener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(Message message, byte[] pattern) { }

        @Override
        public void onChannelSubscribed(byte[] channel, long count) {
            heard.add("+" + new String(channel) + count);
        }

        @Override
        public void onChannelUnsubscribed(byte[] channel, long count) {
            heard.add("-" + new String(channel) + count);
        }
    }

    @Test
    void listenersAreToldHowManySubscriptionsThereAre() throws InterruptedException {
        RedisConnection connection = factory.getConnection();
        Confirmed listener = new Confirmed();
        Thread subscriber = new Thread(() -> connection.subscribe(listener, b("a"), b("b")));
        subscriber.start();
        List<String> heard = new ArrayList<>(List.of(listener.heard.take(), listener.heard.take()));
        connection.getSubscription().unsubscribe(b("a"));
        connection.getSubscription().unsubscribe();
        subscriber.join();
        listener.heard.drainTo(heard);
        assertEquals(List.of("+a1", "+b2", "-a1", "-b0"), heard);
    }

    @Test
    void listenerThatThrowsIsReportedAndStaysSubscribed() throws InterruptedException {
        RedisConnection connection = factory.getConnection();
        Confirmed listener = new Confirmed() {
            @Override
            public void onChannelSubscribed(byte[] channel, long count) {
                super.onChannelSubscribed(channel, count);
                throw new IllegalStateException("broken");
            }
        };
        List<String> reported = new CopyOnWriteArrayList<>();
        Thread subscriber = new Thread(() -> connection.subscribe(listener, b("a"), b("b")));
        subscriber.setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown.getMessage()));
        subscriber.start();
        assertEquals("+a1", listener.heard.poll(60, TimeUnit.SECONDS));
        assertEquals("+b2", listener.heard.poll(60, TimeUnit.SECONDS));
        connection.getSubscription().unsubscribe(b("a"));
        connection.getSubscription().unsubscribe();
        subscriber.join();
        assertEquals(List.of("broken", "broken"), reported);
        assertEquals(List.of("-a1", "-b0"), List.copyOf(listener.heard));
        assertFalse(connection.isSubscribed());
    }

    @Test
    void subscribeWaitsUntilTheSubscriptionEnds() throws InterruptedException {
        RedisConnection connection = factory.getConnection();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        Thread subscriber = new Thread(() -> {
            connection.subscribe((message, pattern) -> heard.add(message + " " + pattern), b("news"));
            over.countDown();
        });
        subscriber.start();
        RedisConnection other = factory.getConnection();
        while (other.publish(b("news"), b("hello")) == 0) {
            Thread.sleep(5);
        }
        assertEquals("hello null", heard.poll(60, TimeUnit.SECONDS));
        assertTrue(connection.isSubscribed());
        assertEquals(1, over.getCount());
        connection.getSubscription().unsubscribe();
        assertTrue(over.await(60, TimeUnit.SECONDS));
        assertFalse(connection.isSubscribed());
        subscriber.join();
    }

    @Test
    void listenerContainerHearsChannelsAndPatterns() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        RedisMessageListenerContainer container = new RedisMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.addMessageListener((message, pattern) -> heard.add("channel " + message), new ChannelTopic("a"));
        container.addMessageListener((message, pattern) -> heard.add("pattern " + message), new PatternTopic("b*"));
        container.afterPropertiesSet();
        container.start();
        try (RedisConnection connection = factory.getConnection()) {
            connection.publish(b("a"), b("1"));
            assertEquals("channel 1", heard.poll(60, TimeUnit.SECONDS));
            connection.publish(b("bc"), b("2"));
            assertEquals("pattern 2", heard.poll(60, TimeUnit.SECONDS));
            container.addMessageListener((message, pattern) -> heard.add("later " + message), new ChannelTopic("c"));
            connection.publish(b("c"), b("3"));
            assertEquals("later 3", heard.poll(60, TimeUnit.SECONDS));
            server.kill();
            server.launch();
            // The client subscribes again by itself.
            while (connection.publish(b("a"), b("4")) == 0) {
                Thread.sleep(5);
            }
            assertEquals("channel 4", heard.poll(60, TimeUnit.SECONDS));
        } finally {
            container.destroy();
        }
    }

    // --- the end

    @Test
    void closedConnectionRefusesAllThatGoesOn() {
        RedisConnection connection = factory.getConnection();
        connection.close();
        connection.close();
        for (Runnable use : List.<Runnable>of(connection::openPipeline, connection::multi, connection::exec,
                connection::discard, () -> connection.select(1), () -> connection.watch(b("k")),
                () -> connection.subscribe((message, pattern) -> { }, b("news")))) {
            assertTrue(assertThrows(InvalidDataAccessApiUsageException.class, use::run).getMessage()
                .contains("the connection is closed"));
        }
        assertEquals(List.of(), connection.closePipeline());
        factory.destroy();
        assertThrows(IllegalStateException.class, factory::getConnection);
    }

    @Test
    void serverThatShutsDownIsNoFailure() {
        RedisConnection connection = factory.getConnection();
        connection.serverCommands().shutdown(ShutdownOption.NOSAVE);
        assertThrows(RedisConnectionFailureException.class, connection::ping);
        assertThrows(RedisConnectionFailureException.class, () -> connection.serverCommands().shutdown());
    }

    // --- the factory

    @Test
    void selectGoesOnWithAnotherDatabase() {
        try (RedisConnection connection = factory.getConnection()) {
            connection.stringCommands().set(b("k"), b("0"));
            connection.select(1);
            assertNull(connection.stringCommands().get(b("k")));
            connection.stringCommands().set(b("k"), b("1"));
            connection.watch(b("k"));
            assertThrows(UnsupportedOperationException.class, () -> connection.select(0));
            connection.unwatch();
            connection.select(0);
            assertArrayEquals(b("0"), connection.stringCommands().get(b("k")));
        }
    }

    @Test
    void clientThatIsGivenStaysOpen() {
        try (RedisClient client = RedisClient.connect(server.uri())) {
            SamewireConnectionFactory given = new SamewireConnectionFactory(client);
            given.getConnection().stringCommands().set(b("k"), b("v"));
            given.destroy();
            assertEquals("v", client.execute(Strings.get("k")).orElseThrow());
        }
        assertThrows(IllegalStateException.class, () -> {
            SamewireConnectionFactory ended = factory(RedisOptions.of(server.uri()));
            ended.destroy();
            ended.getConnection();
        });
    }

    @Test
    void unixSocketsAreServersToo() {
        try (ValkeyServer local = ValkeyServer.startUnix()) {
            SamewireConnectionFactory own = new SamewireConnectionFactory(
                new RedisSocketConfiguration(local.socket().toString()), RedisOptions.of("redis://"));
            assertEquals("PONG", own.getConnection().ping());
            own.destroy();
        }
    }

    @Test
    void whatCannotBeCarriedSaysWhatToUse() {
        List<String> texts = new ArrayList<>();
        RedisConnection connection = factory.getConnection();
        texts.add(assertThrows(UnsupportedOperationException.class,
            () -> connection.serverCommands().setClientName(b("me"))).getMessage());
        texts.add(assertThrows(InvalidDataAccessApiUsageException.class,
            () -> connection.execute("CLIENT", b("REPLY"), b("OFF"))).getMessage());
        texts.add(assertThrows(IllegalArgumentException.class, () -> new SamewireConnectionFactory(
            new RedisStaticMasterReplicaConfiguration("127.0.0.1"), RedisOptions.of("redis://"))).getMessage());
        texts.add(assertThrows(InvalidDataAccessApiUsageException.class, factory::getClusterConnection).getMessage());
        assertTrue(texts.stream().allMatch(text -> text.contains("use") || text.contains("expected")
            || text.contains("give")), texts.toString());
        SamewireConnectionFactory cluster = new SamewireConnectionFactory(
            new RedisClusterConfiguration(List.of("127.0.0.1:" + server.port())), RedisOptions.of("redis://"));
        assertThrows(RuntimeException.class, cluster::getConnection);
    }
}
