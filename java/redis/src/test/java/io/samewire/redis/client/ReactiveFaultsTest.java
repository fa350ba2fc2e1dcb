package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.ReactiveClientTest.Heard;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Sets;
import io.samewire.redis.command.Strings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publishers of Flow whose servers lie, and whose subscribers do what no subscriber may. */
@Timeout(180)
class ReactiveFaultsTest {
    private static final String LOST = "lost";

    private static RedisOptions options(Peer peer) {
        return RedisOptions.of(peer.address()).withRetry(Retry.NONE);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /** Kotlin and Scala do not check exceptions. */
    @Test
    void aSubscriberThatThrowsACheckedExceptionIsCancelled() {
        List<String> reported = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown.getMessage()));
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, read.contains("SUBSCRIBE")
                ? ">3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n>3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1\r\nx\r\n"
                : "+OK\r\n"));
                RedisClient client = RedisClient.create(options(peer))) {
            Heard<Message> broken = new Heard<>() {
                @Override
                public void onNext(Message item) {
                    ReactiveFaultsTest.<RuntimeException>sneak(new IOException("broken"));
                }
            };
            client.reactive().subscribe("news").subscribe(broken);
            broken.subscription.request(Long.MAX_VALUE);
            Threads.await("it is reported", () -> reported.equals(List.of("broken")));
            Threads.await("its connection is closed", () -> peer.connections() == 0);
            assertTrue(broken.signals.isEmpty());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void nullsAmongTheElementsOfAScanAreAnError() throws Exception {
        try (Peer peer = Peer.greeting((connection, read) ->
                Peer.send(connection, "*2\r\n$1\r\n0\r\n*2\r\n$1\r\na\r\n_\r\n"));
                RedisClient client = RedisClient.create(options(peer))) {
            Heard<String> heard = Heard.of(client.reactive().scan(cursor -> Sets.sscan("set", cursor)));
            heard.subscription.request(5);
            assertEquals("a", heard.next());
            assertEquals(Code.TYPE_MISMATCH, ((SamewireException) heard.next()).code());
            heard.subscription.request(5);
            assertTrue(heard.signals.isEmpty());
        }
    }

    @Test
    void aScanOfNoServersIsEmpty() throws Exception {
        Heard<String> heard = Heard.of(new ScanPublisher<>(List::of, cursor -> Sets.sscan("set", cursor), null));
        heard.subscription.request(1);
        assertEquals("complete", heard.next());
    }

    @Test
    void aScanWhoseServerIsLostBetweenPagesFailsAndSubscribersAskAnew() throws Exception {
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (read.contains("\r\n7\r\n")) {
                connection.close();
            } else {
                Peer.send(connection, "*2\r\n$1\r\n7\r\n*1\r\n$1\r\na\r\n");
            }
        }); RedisClient client = RedisClient.create(options(peer))) {
            Flow.Publisher<String> scan = client.reactive().scan(cursor -> Sets.sscan("set", cursor));
            for (Heard<String> heard : Stream.of(Heard.of(scan), Heard.of(scan)).toList()) {
                heard.subscription.request(1);
                assertEquals("a", heard.next());
                assertTrue(heard.signals.isEmpty());
                heard.subscription.request(1);
                assertTrue(heard.next() instanceof ConnectionException);
                assertTrue(heard.signals.isEmpty());
            }
        }
    }

    @Test
    void aClientThatIsClosedFailsWhatIsSubscribed() throws Exception {
        Heard<Optional<String>> waiting;
        Heard<String> scanning;
        Flow.Publisher<Long> late;
        try (Peer peer = Peer.greeting((connection, read) -> { })) {
            try (RedisClient client = RedisClient.create(options(peer))) {
                waiting = Heard.of(client.reactive().execute(Lists.lpop("list")));
                scanning = Heard.of(client.reactive().scan(cursor -> Sets.sscan("set", cursor)));
                late = client.reactive().execute(Strings.incr("number"));
                waiting.subscription.request(1);
                scanning.subscription.request(1);
            }
            for (Heard<?> heard : List.of(waiting, scanning)) {
                assertEquals(Code.CLOSED, ((ConnectionException) heard.next()).code());
            }
            Heard<Long> after = Heard.of(late);
            after.subscription.request(1);
            assertEquals(Code.CLOSED, ((ConnectionException) after.next()).code());
        }
    }

    /** A future that tells nobody: the subscriber cancels before it is called. */
    private static final class Untold<T> extends CompletableFuture<T> {
        @Override
        public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
            return this;
        }
    }

    @Test
    void aSubscriberThatCancelsBeforeItHearsOfALossLeavesAPopInDoubt() {
        List<String> told = new CopyOnWriteArrayList<>();
        RedisOptions options = RedisOptions.of("redis://")
            .withInDoubt((command, why) -> told.add(command.name() + " " + why.getMessage()));
        Unclaimed unclaimed = new Unclaimed(options, Runnable::run);
        for (RuntimeException why : List.of(ConnectionException.closed(true, LOST, null),
                ConnectionException.closed(false, "not sent", null), RedisOptions.misuse("refused"))) {
            for (var command : List.of(Lists.lpop("list"), Commands.of("INCR", "number"))) {
                cancelledUnheard(command, why, unclaimed);
            }
        }
        assertEquals(1, told.size(), told.toString());
        assertTrue(told.get(0).startsWith("LPOP ") && told.get(0).contains(LOST), told.toString());
    }

    private static <T> void cancelledUnheard(io.samewire.redis.command.Command<T> command, RuntimeException why,
            Unclaimed unclaimed) {
        CompletableFuture<T> call = new Untold<>();
        Heard<T> heard = Heard.of(new CommandPublisher<>(command, () -> call, () -> unclaimed));
        heard.subscription.request(1);
        call.completeExceptionally(why);
        heard.subscription.cancel();
        assertTrue(heard.signals.isEmpty());
    }
}
