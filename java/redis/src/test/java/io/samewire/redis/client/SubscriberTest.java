package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Publish and subscribe on a real server. */
@Timeout(180)
class SubscriberTest extends OnOneServer {
    /** Keeps what it hears. */
    private static final class Heard implements MessageListener {
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void message(Message message) {
            events.add(message.channel().text() + message.pattern().map(p -> "(" + p.text() + ")").orElse("") + "="
                + message.text());
        }

        @Override
        public void lost(RuntimeException why) {
            events.add("lost");
        }

        @Override
        public void restored() {
            events.add("restored");
        }

        void await(String... expected) {
            Threads.await("heard " + events, () -> events.size() >= expected.length);
            assertEquals(List.of(expected), events);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void hearsChannelsPatternsAndShards(int protocol) {
        Heard heard = new Heard();
        try (RedisClient other = RedisClient.connect(RedisOptions.of(server.uri()).withProtocol(protocol));
                Subscriber subscriber = other.subscriber(heard)) {
            subscriber.subscribe("a", "b");
            subscriber.psubscribe("news.*");
            subscriber.ssubscribe("shard");
            assertEquals(1, client.execute(PubSub.publish("a", "1")));
            client.execute(PubSub.publish("news.x", "2"));
            client.execute(PubSub.spublish("shard", "3"));
            client.execute(PubSub.publish("b", ""));
            heard.await("a=1", "news.x(news.*)=2", "shard=3", "b=");
            subscriber.unsubscribe("a");
            subscriber.punsubscribe();
            subscriber.sunsubscribe();
            subscriber.sunsubscribe();
            assertEquals(0, client.execute(PubSub.publish("a", "4")));
            assertEquals(0, client.execute(PubSub.publish("news.x", "4")));
            assertEquals(0, client.execute(PubSub.spublish("shard", "4")));
            assertEquals(1, client.execute(PubSub.publish("b", "5")));
            heard.await("a=1", "news.x(news.*)=2", "shard=3", "b=", "b=5");
        }
        Threads.await("unsubscribed", () -> client.execute(PubSub.publish("b", "6")) == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void subscribesAgainAfterTheConnectionIsLost(int protocol) {
        Heard heard = new Heard();
        RedisOptions options = RedisOptions.of(server.uri()).withProtocol(protocol);
        try (RedisClient other = RedisClient.connect(options); Subscriber subscriber = other.subscriber(heard)) {
            subscriber.subscribe("again", "not");
            subscriber.psubscribe("p*");
            subscriber.unsubscribe("not");
            client.execute(Commands.of("CLIENT KILL", "TYPE", "pubsub"));
            heard.await("lost", "restored");
            assertEquals(0, client.execute(PubSub.publish("not", "x")));
            assertEquals(1, client.execute(PubSub.publish("again", "1")));
            assertEquals(1, client.execute(PubSub.publish("pq", "2")));
            heard.await("lost", "restored", "again=1", "pq(p*)=2");
        }
    }

    @Test
    void aListenerMayTakeItsTimeAndUseTheSubscriber() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2_001);
        AtomicReference<Subscriber> own = new AtomicReference<>();
        try (Subscriber subscriber = client.subscriber(message -> {
            try {
                go.await();
            } catch (InterruptedException stopped) {
                return;
            }
            if (message.text().equals("0")) {
                own.get().subscribe("from the listener");
            }
            done.countDown();
        })) {
            own.set(subscriber);
            subscriber.subscribe("slow");
            for (int i = 0; i < 2_000; i++) {
                client.execute(PubSub.publish("slow", String.valueOf(i)));
            }
            // The reading thread goes on meanwhile.
            subscriber.subscribe("other");
            go.countDown();
            Threads.await("its own", () -> client.execute(PubSub.publish("from the listener", "x")) == 1);
            done.await();
        }
    }

    @Test
    void whatAListenerThrowsEndsNothing() {
        Heard heard = new Heard();
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        try (Subscriber subscriber = client.subscriber(message -> {
            heard.message(message);
            throw new IllegalStateException("of the listener");
        })) {
            subscriber.subscribe("throws");
            client.execute(PubSub.publish("throws", "1"));
            client.execute(PubSub.publish("throws", "2"));
            heard.await("throws=1", "throws=2");
            Threads.await("uncaught", () -> uncaught.size() == 2);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void refusalsReachTheCallerAndNobodyElse() {
        client.execute(Commands.of("ACL SETUSER", "deaf", "on", ">x", "+@all", "resetchannels", "&allowed"));
        RedisOptions options = RedisOptions.of(server.uri()).withCredentials("deaf", "x");
        Heard heard = new Heard();
        try (RedisClient other = RedisClient.connect(options); Subscriber subscriber = other.subscriber(heard)) {
            RedisException refused = assertThrows(RedisException.class, () -> subscriber.subscribe("forbidden"));
            assertEquals("NOPERM", refused.word());
            assertThrows(SamewireException.class, subscriber::subscribe);
            subscriber.subscribe("allowed");
            client.execute(PubSub.publish("allowed", "1"));
            heard.await("allowed=1");
            client.execute(Commands.of("CLIENT KILL", "USER", "deaf"));
            Threads.await("restored", () -> heard.events.contains("restored"));
            assertEquals(List.of("allowed=1", "lost", "restored"), heard.events);
        }
    }

    @Test
    void closingEndsThreadsAndWaitingCallers() {
        AtomicReference<String> asked = new AtomicReference<>("");
        try (Peer silent = Peer.greeting((connection, read) -> asked.set(read))) {
            RedisClient other = RedisClient.connect(RedisOptions.of(silent.address()));
            Subscriber subscriber = other.subscriber(message -> { });
            ConnectionException late = assertThrows(ConnectionException.class,
                () -> subscriber.within(Duration.ofMillis(300)).subscribe("a"));
            assertEquals(Code.TIMEOUT, late.code());
            Threads.together(List.of(
                () -> assertEquals(Code.CLOSED, assertThrows(ConnectionException.class,
                    () -> subscriber.within(Duration.ofSeconds(100)).subscribe("b")).code()),
                () -> {
                    Threads.await("it waits", () -> asked.get().contains("\r\nb\r\n"));
                    other.close();
                }));
            assertThrows(ConnectionException.class, () -> subscriber.subscribe("c"));
        }
        Threads.await("threads " + Threads.ofClients(), () -> Threads.ofClients().stream()
            .filter(name -> name.contains("listener") || name.contains("subscriber")).count() == 0);
    }

    @Test
    void binaryMessagesStayWhatTheyAre() {
        byte[] bytes = {0, (byte) 0xff, 13, 10};
        List<Message> heard = new CopyOnWriteArrayList<>();
        try (Subscriber subscriber = client.subscriber(heard::add)) {
            subscriber.subscribe(Bytes.of(bytes));
            client.execute(PubSub.publish(Bytes.of(bytes), Bytes.of(bytes)));
            Threads.await("heard", () -> heard.size() == 1);
            assertEquals(Bytes.of(bytes), heard.get(0).channel());
            assertEquals(Bytes.of(bytes), heard.get(0).payload());
            assertThrows(SamewireException.class, heard.get(0)::text);
            assertTrue(heard.get(0).pattern().isEmpty());
            assertEquals("PONG", client.execute(Connection.ping()));
        }
    }
}
