package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Popped;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Sets;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

/** Publishers of Flow, by themselves and in Project Reactor. */
class ReactiveClientTest extends OnOneServer {
    /** Keeps what it is called with; requests only what a test does. */
    static class Heard<T> implements Flow.Subscriber<T> {
        final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
        volatile Flow.Subscription subscription;

        static <T> Heard<T> of(Flow.Publisher<T> publisher) {
            Heard<T> made = new Heard<>();
            publisher.subscribe(made);
            return made;
        }

        @Override
        public void onSubscribe(Flow.Subscription made) {
            subscription = made;
        }

        @Override
        public void onNext(T item) {
            signals.add(item);
        }

        @Override
        public void onError(Throwable why) {
            signals.add(why);
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }

        Object next() throws InterruptedException {
            return signals.poll(60, TimeUnit.SECONDS);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Threads.await(what, condition);
    }

    private static long blocked() {
        return run(Commands.of(in -> in.readString(), "INFO", "clients")).lines()
            .filter(line -> line.equals("blocked_clients:1")).count();
    }

    @Test
    void aCommandIsSentForEachSubscriberThatRequests() throws Exception {
        Flow.Publisher<Long> visits = client.reactive().execute(Strings.incr("visits"));
        Heard<Long> first = Heard.of(visits);
        Heard<Long> second = Heard.of(visits);
        assertEquals(0, run(Keys.exists("visits")));
        second.subscription.request(1);
        assertEquals(1L, second.next());
        assertEquals("complete", second.next());
        first.subscription.request(Long.MAX_VALUE);
        first.subscription.request(Long.MAX_VALUE);
        assertEquals(2L, first.next());
        assertEquals("complete", first.next());
        assertEquals(Optional.of("2"), run(Strings.get("visits")));
    }

    @Test
    void errorsAndNullsAndWrongRequestsEndAPublisher() throws Exception {
        Heard<Long> wrong = Heard.of(client.reactive().execute(Lists.llen("text")));
        run(Strings.set("text", "1"));
        wrong.subscription.request(1);
        assertEquals("WRONGTYPE", ((RedisException) wrong.next()).word());
        Heard<Long> misuse = Heard.of(client.reactive().execute(Keys.waitReplicas(1, Duration.ofSeconds(1))));
        misuse.subscription.request(1);
        assertEquals(Code.MISUSE, ((SamewireException) misuse.next()).code());
        Heard<Object> none = Heard.of(client.reactive().execute(Commands.of(in -> {
            in.readString();
            return null;
        }, "PING")));
        none.subscription.request(1);
        assertEquals("complete", none.next());
        Heard<Long> zero = Heard.of(client.reactive().execute(Strings.incr("visits")));
        zero.subscription.request(0);
        assertTrue(((IllegalArgumentException) zero.next()).getMessage().contains("at least 1"));
        zero.subscription.request(1);
        assertEquals(0, run(Keys.exists("visits")));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> client.reactive().execute(Strings.incr("visits"), Duration.ZERO)).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> client.reactive().subscribe()).code());
    }

    @Test
    void cancellingEndsTheWaitOnTheServer() throws Exception {
        var popping = client.reactive().execute(Lists.blpop(Duration.ZERO, "queue"));
        Heard<Optional<Popped<String, String>>> cancelled = Heard.of(popping);
        cancelled.subscription.request(1);
        await("it waits", () -> blocked() == 1);
        cancelled.subscription.cancel();
        await("it does not wait", () -> blocked() == 0);
        assertEquals(1, run(Lists.rpush("queue", "kept")));
        Heard<Optional<Popped<String, String>>> late = Heard.of(client.reactive().execute(
            Lists.blpop(Duration.ZERO, "other"), Duration.ofMillis(100)));
        late.subscription.request(1);
        assertEquals(Code.TIMEOUT, ((SamewireException) late.next()).code());
        await("it does not wait", () -> blocked() == 0);
        assertEquals(1, run(Lists.llen("queue")));
        assertTrue(cancelled.signals.isEmpty());
    }

    @Test
    void noElementIsLostHoweverSubscribersCancel() throws Exception {
        int rounds = 200;
        List<Object> unclaimed = new CopyOnWriteArrayList<>();
        List<Heard<Optional<Popped<String, String>>>> all = new ArrayList<>();
        try (RedisClient own = RedisClient.create(RedisOptions.of(server.uri()).withBlockingConnections(4)
                .withUnclaimed((command, reply) -> unclaimed.add(reply)))) {
            for (int i = 0; i < rounds; i++) {
                Heard<Optional<Popped<String, String>>> one =
                    Heard.of(own.reactive().execute(Lists.blpop(Duration.ZERO, "queue")));
                all.add(one);
                one.subscription.request(1);
                var pushed = own.async().execute(Lists.rpush("queue", String.valueOf(i)));
                if (i % 3 == 0) {
                    pushed.join();
                }
                if (i % 2 == 0) {
                    one.subscription.cancel();
                }
                pushed.join();
            }
            await("every element is somewhere", () -> unclaimed.size() + run(Lists.llen("queue"))
                + all.stream().filter(one -> !one.signals.isEmpty()).count() == rounds);
            TreeSet<String> found = new TreeSet<>(run(Lists.lrange("queue", 0, -1)));
            unclaimed.forEach(one -> found.add(element(one)));
            all.stream().filter(one -> !one.signals.isEmpty()).forEach(one -> found.add(element(one.signals.peek())));
            assertEquals(rounds, found.size());
        }
    }

    private static String element(Object popped) {
        return ((Popped<?, ?>) ((Optional<?>) popped).orElseThrow()).element().toString();
    }

    @Test
    void whatASubscriberThrowsCancelsAndIsReported() {
        List<String> reported = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown.getMessage()));
        try {
            Heard<Long> broken = new Heard<>() {
                @Override
                public void onNext(Long item) {
                    throw new IllegalStateException("broken");
                }
            };
            client.reactive().execute(Strings.incr("visits")).subscribe(broken);
            broken.subscription.request(1);
            await("it is reported", () -> reported.equals(List.of("broken")));
            assertTrue(broken.signals.isEmpty());
            assertEquals(2, client.async().execute(Strings.incr("visits")).join());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void pagesAreAskedForAsElementsAreRequested() throws Exception {
        String[] members = IntStream.range(0, 2_000).mapToObj(i -> "member:" + i).toArray(String[]::new);
        run(Sets.sadd("set", List.of(members)));
        AtomicInteger pages = new AtomicInteger();
        Heard<String> heard = Heard.of(client.reactive().scan(cursor -> {
            pages.incrementAndGet();
            return Sets.sscan("set", cursor).count(100);
        }));
        assertEquals(0, pages.get());
        heard.subscription.request(10);
        TreeSet<Object> found = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            found.add(heard.next());
        }
        assertEquals(1, pages.get());
        assertTrue(heard.signals.isEmpty());
        heard.subscription.request(Long.MAX_VALUE);
        for (Object one = heard.next(); !one.equals("complete"); one = heard.next()) {
            found.add(one);
        }
        assertEquals(members.length, found.size());
        assertTrue(pages.get() > 5, pages.toString());
    }

    @Test
    void messagesWaitUntilTheyAreRequested() throws Exception {
        Heard<Message> heard = Heard.of(client.reactive().subscribe("news", "other"));
        await("it is subscribed", () -> run(PubSub.publish("news", "0")) == 1);
        for (int i = 1; i < 1_000; i++) {
            run(PubSub.publish("news", String.valueOf(i)));
        }
        assertTrue(heard.signals.isEmpty());
        for (int i = 0; i < 1_000; i++) {
            if (i % 10 == 0) {
                assertTrue(heard.signals.isEmpty());
                heard.subscription.request(10);
            }
            assertEquals(String.valueOf(i), ((Message) heard.next()).text());
        }
        heard.subscription.cancel();
        await("nobody is subscribed", () -> run(PubSub.publish("news", "late")) == 0);
        assertTrue(heard.signals.isEmpty());
    }

    @Test
    void aLostConnectionEndsMessagesBehindThoseThatHadCome() throws Exception {
        Heard<Message> heard = Heard.of(client.reactive().psubscribe("n*"));
        await("it is subscribed", () -> run(PubSub.publish("news", "0")) == 1);
        run(PubSub.publish("news", "1"));
        run(Commands.of("CLIENT KILL", "TYPE", "pubsub"));
        await("it subscribes again", () -> run(PubSub.publish("news", "2")) == 1);
        heard.subscription.request(Long.MAX_VALUE);
        assertEquals("0", ((Message) heard.next()).text());
        assertEquals("1", ((Message) heard.next()).text());
        assertEquals(Code.CLOSED, ((ConnectionException) heard.next()).code());
        await("nobody is subscribed", () -> run(PubSub.publish("news", "3")) == 0);
        assertTrue(heard.signals.isEmpty());
    }

    /** What is not requested fills the client's 64 MiB, then the server's buffer of 32 MB: it closes the connection. */
    @Test
    void messagesThatNobodyRequestsEndInAnErrorWithoutAGap() throws Exception {
        Heard<Message> heard = Heard.of(client.reactive().subscribe("large"));
        await("it is subscribed", () -> run(PubSub.publish("large", "0")) == 1);
        // Servers do not count what they share among clients, from 16 KiB on.
        String large = " ".repeat(12 << 10);
        long listening = 1;
        // Nobody reads its connection, so that it is not made again yet.
        for (int i = 1; listening == 1; i += 100) {
            assertTrue(i < 50_000, "the server keeps all");
            Pipeline pipeline = client.pipeline();
            List<Result<Long>> published = IntStream.range(i, i + 100)
                .mapToObj(number -> pipeline.add(PubSub.publish("large", number + large))).toList();
            pipeline.execute();
            listening = published.get(99).get();
        }
        heard.subscription.request(Long.MAX_VALUE);
        int seen = 0;
        Object next = heard.next();
        for (; next instanceof Message message; next = heard.next()) {
            assertEquals(String.valueOf(seen++), message.text().trim());
        }
        assertEquals(Code.CLOSED, ((ConnectionException) next).code());
        assertTrue(seen > 5_000, "only " + seen + " messages");
    }

    @Test
    void aClosedClientEndsMessages() throws Exception {
        Heard<Message> heard;
        try (RedisClient own = RedisClient.create(client.options())) {
            heard = Heard.of(own.reactive().ssubscribe("shard"));
            await("it is subscribed", () -> run(PubSub.spublish("shard", "1")) == 1);
            run(PubSub.spublish("shard", "2"));
        }
        heard.subscription.request(1);
        Object first = heard.next();
        assertEquals(Code.CLOSED, ((ConnectionException) (first instanceof Message ? heard.next() : first)).code());
    }

    @Test
    void reactorTakesThem() {
        Flux<Long> visits = JdkFlowAdapter.flowPublisherToFlux(client.reactive().execute(Strings.incr("visits")));
        assertEquals(List.of(1L, 2L, 3L), visits.repeat(2).collectList().block());
        assertEquals(4L, visits.single().block());
        run(Sets.sadd("set", "a", "b"));
        assertEquals(List.of("a", "b"), JdkFlowAdapter.flowPublisherToFlux(client.reactive()
            .scan(cursor -> Sets.sscan("set", cursor))).sort().collectList().block());
        List<String> heard = new CopyOnWriteArrayList<>();
        var messages = JdkFlowAdapter.flowPublisherToFlux(client.reactive().subscribe("news")).retry()
            .subscribe(message -> heard.add(message.text()));
        await("it is subscribed", () -> run(PubSub.publish("news", "1")) == 1);
        await("it is heard", () -> heard.equals(List.of("1")));
        run(Commands.of("CLIENT KILL", "TYPE", "pubsub"));
        await("it is subscribed again", () -> run(PubSub.publish("news", "2")) == 1 && heard.contains("2"));
        messages.dispose();
        await("nobody is subscribed", () -> run(PubSub.publish("news", "3")) == 0);
    }
}
