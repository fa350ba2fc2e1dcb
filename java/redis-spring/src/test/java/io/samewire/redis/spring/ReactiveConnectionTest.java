package io.samewire.redis.spring;

import static io.samewire.redis.spring.ReactiveOperations.b;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.Observer;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Retry;
import io.samewire.redis.client.ValkeyServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.ReactiveGeoCommands.GeoRadiusCommand;
import org.springframework.data.redis.connection.ReactiveListCommands.PopResult;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.connection.ReactiveSubscription.Message;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

@Timeout(180)
class ReactiveConnectionTest {
    private static final Duration WAIT = Duration.ofSeconds(60);

    private final ValkeyServer server = ValkeyServer.start();
    private final BlockingQueue<Object> unclaimed = new LinkedBlockingQueue<>();
    private final AtomicInteger scans = new AtomicInteger();
    private final SamewireConnectionFactory factory = new SamewireConnectionFactory(RedisOptions.of(server.uri())
        .withRetry(new Retry(0, Duration.ofMillis(1), Duration.ofMillis(1)))
        .withUnclaimed((command, value) -> unclaimed.add(value)).withObserver(new Observer() {
            @Override
            public Object started(Operation operation) {
                if (operation.name().endsWith("SCAN")) {
                    scans.incrementAndGet();
                }
                return null;
            }
        }));
    private final ReactiveRedisConnection connection = factory.getReactiveConnection();

    @AfterEach
    void stop() {
        Hooks.resetOnNextDropped();
        factory.destroy();
        server.close();
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    /** Takes as many elements as it is told. */
    private static final class Requesting<T> extends BaseSubscriber<T> {
        final BlockingQueue<Object> found = new LinkedBlockingQueue<>();

        @Override
        protected void hookOnSubscribe(Subscription subscription) { }

        @Override
        protected void hookOnNext(T value) {
            found.add(value);
        }

        @Override
        protected void hookOnError(Throwable failed) {
            found.add(failed);
        }

        Object next() throws InterruptedException {
            return found.poll(60, TimeUnit.SECONDS);
        }
    }

    private static <T> Requesting<T> requesting(Flux<T> flux) {
        return flux.subscribeWith(new Requesting<>());
    }

    private void awaitBlocked() {
        while (connection.serverCommands().getClientList().filter(one -> one.getFlags().contains("b")).count()
                .block(WAIT) == 0) {
            Thread.onSpinWait();
        }
    }

    // --- demand

    @Test
    void nothingIsSentBeforeItIsRequested() throws Exception {
        connection.listCommands().rPush(b("queue"), List.of(b("a"), b("b"))).block(WAIT);
        Requesting<ByteBuffer> popping = requesting(connection.listCommands().lPop(b("queue")).flux());
        assertEquals(2, connection.listCommands().lLen(b("queue")).block(WAIT));
        popping.request(1);
        assertEquals("a", text((ByteBuffer) popping.next()));
        Requesting<PopResult> waiting = requesting(connection.listCommands().blPop(List.of(b("queue")),
            Duration.ZERO).flux());
        assertEquals(1, connection.listCommands().lLen(b("queue")).block(WAIT));
        waiting.request(1);
        assertEquals("b", text(((PopResult) waiting.next()).getValue()));
    }

    @Test
    void eachSubscriptionSendsAnew() {
        Mono<Long> increment = connection.numberCommands().incr(b("n"));
        assertEquals(List.of(1L, 2L, 3L), increment.repeat(2).collectList().block(WAIT));
    }

    @Test
    void scansAskForPagesAsTheyAreRequested() throws Exception {
        List<ByteBuffer> members = Stream.iterate(0, i -> i + 1).limit(2000).map(i -> b("member:" + i)).toList();
        connection.setCommands().sAdd(b("set"), members).block(WAIT);
        ScanOptions options = ScanOptions.scanOptions().count(10).build();
        assertTrue(connection.setCommands().sScan(b("set"), options).distinct().count().block(WAIT) == 2000);
        int all = scans.getAndSet(0);
        assertTrue(all > 100, "" + all);
        Requesting<ByteBuffer> some = requesting(connection.setCommands().sScan(b("set"), options));
        some.request(5);
        for (int i = 0; i < 5; i++) {
            assertInstanceOf(ByteBuffer.class, some.next());
        }
        some.cancel();
        connection.ping().block(WAIT);
        assertTrue(scans.get() <= 3, "" + scans.get());
        assertEquals(1, connection.keyCommands().scan(options).count().block(WAIT));
    }

    // --- cancelling

    @Test
    void cancelledPopEndsItsWaitAndLosesNothing() throws Exception {
        List<String> taken = java.util.Collections.synchronizedList(new ArrayList<>());
        int rounds = 200;
        // A subscriber that is cancelled while it is called drops what it is given, and tells Reactor.
        Hooks.onNextDropped(unclaimed::add);
        for (int i = 0; i < rounds; i++) {
            Disposable waiting = connection.listCommands().blPop(List.of(b("queue")), Duration.ZERO).subscribe(
                found -> taken.add(text(found.getValue())));
            CompletableFuture<Long> pushed = connection.listCommands().rPush(b("queue"), List.of(b("v" + i)))
                .toFuture();
            if (i % 2 == 0) {
                pushed.get(60, TimeUnit.SECONDS);
            }
            waiting.dispose();
            pushed.get(60, TimeUnit.SECONDS);
        }
        // What a pop took that nobody waited for any more is handed over; the rest is in the list.
        List<String> left = new ArrayList<>();
        while (left.size() + taken.size() + unclaimed.size() < rounds) {
            PopResult found = connection.listCommands().blPop(List.of(b("queue")), Duration.ofMillis(100)).block(WAIT);
            if (found != null) {
                left.add(text(found.getValue()));
            }
        }
        assertEquals(rounds, left.size() + taken.size() + unclaimed.size());
        assertEquals(0, connection.listCommands().lLen(b("queue")).block(WAIT));
        while (connection.serverCommands().getClientList().filter(one -> one.getFlags().contains("b")).count()
                .block(WAIT) > 0) {
            Thread.onSpinWait();
        }
    }

    // --- failures

    @Test
    void lostConnectionTellsThatTheCommandMayHaveRunAndTheNextOneRuns() throws Exception {
        CompletableFuture<PopResult> waiting = connection.listCommands().blPop(List.of(b("queue")), Duration.ZERO)
            .toFuture();
        awaitBlocked();
        server.kill();
        ExecutionException failed = assertThrows(ExecutionException.class, () -> waiting.get(60, TimeUnit.SECONDS));
        assertInstanceOf(RedisConnectionFailureException.class, failed.getCause());
        assertTrue(assertInstanceOf(ConnectionException.class, failed.getCause().getCause()).mayHaveRun());
        RedisConnectionFailureException down = assertThrows(RedisConnectionFailureException.class,
            () -> connection.numberCommands().incr(b("n")).block(WAIT));
        assertInstanceOf(ConnectionException.class, down.getCause());
        server.launch();
        assertEquals(1, connection.numberCommands().incr(b("n")).retry(100).block(WAIT));
    }

    @Test
    void silentServerIsAQueryTimeout() {
        SamewireConnectionFactory hasty = new SamewireConnectionFactory(RedisOptions.of(server.uri())
            .withCommandTimeout(Duration.ofMillis(500)));
        try {
            ReactiveStringRedisTemplate template = new ReactiveStringRedisTemplate(hasty);
            template.opsForValue().set("k", "v").retry(100).block(WAIT);
            server.stall();
            QueryTimeoutException late = assertThrows(QueryTimeoutException.class,
                () -> template.opsForValue().increment("n").block(WAIT));
            assertTrue(assertInstanceOf(ConnectionException.class, late.getCause()).mayHaveRun());
        } finally {
            server.goOn();
            hasty.destroy();
        }
    }

    @Test
    void threadThatReadsRepliesRefusesToBlock() {
        connection.ping().block(WAIT);
        // The reply comes when the call has returned: it is read, and mapped, by that thread.
        server.stall();
        CompletableFuture<String> inner = connection.ping().map(reply -> connection.ping().block(WAIT)).toFuture();
        server.goOn();
        ExecutionException failed = assertThrows(ExecutionException.class, () -> inner.get(60, TimeUnit.SECONDS));
        assertTrue(assertInstanceOf(IllegalStateException.class, failed.getCause()).getMessage()
            .contains("samewire-redis-reader"), failed.toString());
        assertEquals("PONG", connection.ping().block(WAIT));
    }

    @Test
    void destroyedFactoryFailsItsSubscribers() throws Exception {
        assertEquals("PONG", connection.ping().block(WAIT));
        ReactiveSubscription subscription = subscription(SubscriptionListener.NO_OP_SUBSCRIPTION_LISTENER);
        subscription.subscribe(b("news")).block(WAIT);
        Requesting<Message<ByteBuffer, ByteBuffer>> receiver = requesting(subscription.receive());
        factory.destroy();
        assertInstanceOf(java.util.concurrent.CancellationException.class, receiver.next());
        assertThrows(IllegalStateException.class, () -> connection.ping().block(WAIT));
    }

    @Test
    void whatCannotBeCarriedSaysWhatToUse() {
        assertThrows(UnsupportedOperationException.class, () -> connection.serverCommands().setClientName("n")
            .block(WAIT));
        assertThrows(UnsupportedOperationException.class, () -> connection.pubSubCommands().subscribe(b("news"))
            .block(WAIT));
        assertThrows(InvalidDataAccessApiUsageException.class, factory::getReactiveClusterConnection);
        GeoRadiusCommand stored = GeoRadiusCommand.within(new org.springframework.data.geo.Distance(1))
            .from(new org.springframework.data.geo.Point(1, 1)).forKey(b("places")).storeAt(b("found"));
        assertThrows(UnsupportedOperationException.class, () -> connection.geoCommands().geoRadius(Mono.just(stored))
            .blockLast(WAIT));
    }

    // --- channels

    private ReactiveSubscription subscription(SubscriptionListener listener) {
        return connection.pubSubCommands().createSubscription(listener).block(WAIT);
    }

    @Test
    void messagesWaitUntilTheyAreRequestedByAll() throws Exception {
        ReactiveSubscription subscription = subscription(SubscriptionListener.NO_OP_SUBSCRIPTION_LISTENER);
        subscription.subscribe(b("news")).block(WAIT);
        assertEquals(java.util.Set.of(b("news")), subscription.getChannels());
        ReactiveStringRedisTemplate template = new ReactiveStringRedisTemplate(factory);
        Flux.range(0, 100).concatMap(i -> template.convertAndSend("news", "" + i)).blockLast(WAIT);
        Requesting<Message<ByteBuffer, ByteBuffer>> slow = requesting(subscription.receive());
        Requesting<Message<ByteBuffer, ByteBuffer>> quick = requesting(subscription.receive());
        quick.request(Long.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            slow.request(1);
            assertEquals("" + i, message(slow.next()));
            assertEquals("" + i, message(quick.next()));
            assertNull(quick.found.peek());
        }
        slow.cancel();
        template.convertAndSend("news", "last").block(WAIT);
        assertEquals("last", message(quick.next()));
        subscription.cancel().block(WAIT);
        assertInstanceOf(java.util.concurrent.CancellationException.class, quick.next());
        assertThrows(IllegalStateException.class, () -> subscription.subscribe(b("news")).block(WAIT));
    }

    @SuppressWarnings("unchecked")
    private static String message(Object found) {
        return text(((Message<ByteBuffer, ByteBuffer>) found).getMessage());
    }

    @Test
    void listenerIsToldOfSubscriptionsAndClosingEndsThem() throws Exception {
        List<String> events = java.util.Collections.synchronizedList(new ArrayList<>());
        ReactiveSubscription subscription = subscription(new SubscriptionListener() {
            @Override
            public void onChannelSubscribed(byte[] channel, long count) {
                events.add("+" + new String(channel) + count);
            }

            @Override
            public void onChannelUnsubscribed(byte[] channel, long count) {
                events.add("-" + new String(channel) + count);
            }

            @Override
            public void onPatternSubscribed(byte[] pattern, long count) {
                events.add("p+" + new String(pattern) + count);
            }

            @Override
            public void onPatternUnsubscribed(byte[] pattern, long count) {
                events.add("p-" + new String(pattern) + count);
            }
        });
        subscription.subscribe(b("a"), b("b")).then(subscription.pSubscribe(b("c*")))
            .then(subscription.unsubscribe(b("a"))).block(WAIT);
        assertEquals(List.of("+a1", "+b2", "p+c*3", "-a2"), events);
        assertEquals(java.util.Set.of(b("c*")), subscription.getPatterns());
        connection.closeLater().block(WAIT);
        assertEquals(List.of("+a1", "+b2", "p+c*3", "-a2", "-b1", "p-c*0"), events);
        assertTrue(subscription.getChannels().isEmpty());
    }

    @Test
    void subscriptionComesBackAfterTheServer() throws Exception {
        ReactiveSubscription subscription = subscription(SubscriptionListener.NO_OP_SUBSCRIPTION_LISTENER);
        subscription.subscribe(b("news")).block(WAIT);
        Requesting<Message<ByteBuffer, ByteBuffer>> receiver = requesting(subscription.receive());
        receiver.request(Long.MAX_VALUE);
        server.kill();
        server.launch();
        ReactiveStringRedisTemplate template = new ReactiveStringRedisTemplate(factory);
        // A receiver of the message says that it was subscribed again.
        while (template.convertAndSend("news", "again").retry(100).block(WAIT) == 0) {
            Thread.onSpinWait();
        }
        assertEquals("again", message(receiver.next()));
        subscription.unsubscribe().block(WAIT);
        assertEquals(0, template.convertAndSend("news", "nobody").block(WAIT));
    }
}
