package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines and transactions on a real server. */
@Timeout(180)
class PipelineTest extends OnOneServer {
    @Test
    void resultsAreTyped() {
        Pipeline pipeline = client.pipeline();
        Result<Optional<String>> before = pipeline.add(Strings.get("typed"));
        pipeline.add(Strings.set("typed", "41"));
        Result<Long> number = pipeline.add(Strings.incr("typed"));
        assertEquals(3, pipeline.size());
        assertThrows(SamewireException.class, number::get);
        List<Result<?>> all = pipeline.execute();
        assertEquals(Optional.empty(), before.get());
        assertEquals(42, number.get());
        assertEquals(3, all.size());
        assertEquals(0, pipeline.size());
        assertEquals(List.of(), pipeline.execute());
    }

    @Test
    void anErrorIsTheResultOfItsCommandAlone() {
        Pipeline pipeline = client.pipeline();
        pipeline.add(Strings.set("word", "w"));
        Result<Long> wrong = pipeline.add(Strings.incr("word"));
        Result<Optional<String>> right = pipeline.add(Strings.get("word"));
        assertThrows(SamewireException.class, () -> pipeline.add(Strings.set("x", "\udc00")));
        pipeline.execute();
        assertThrows(RedisException.class, wrong::get);
        assertInstanceOf(RedisException.class, wrong.failure());
        assertEquals("w", right.get().orElseThrow());
        assertNull(right.failure());
    }

    @Test
    void anyNumberAndSizeOfCommandsFits() {
        Pipeline pipeline = client.pipeline();
        String value = "v".repeat(2_000);
        List<Result<String>> echoes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            echoes.add(pipeline.add(Connection.echo(i + value)));
        }
        Result<String> large = pipeline.add(Connection.echo("L".repeat(3_000_000)));
        Result<String> after = pipeline.add(Connection.echo("after"));
        pipeline.execute();
        for (int i = 0; i < echoes.size(); i++) {
            assertEquals(i + value, echoes.get(i).get());
        }
        assertEquals(3_000_000, large.get().length());
        assertEquals("after", after.get());
    }

    @Test
    void aServerThatWaitsUntilItsRepliesAreReadHoldsUpNobody() {
        // Reads nothing more while a reply cannot be written, as some proxies do.
        try (Peer peer = Peer.greeting((connection, read) -> {
            for (long i = read.chars().filter(c -> c == 'P').count(); i > 0; i--) {
                Peer.send(connection, "$5000\r\n" + "p".repeat(5_000) + "\r\n");
            }
        }); RedisClient other = RedisClient.connect(RedisOptions.of(peer.address()))) {
            Pipeline pipeline = other.pipeline();
            List<Result<String>> pongs = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                pongs.add(pipeline.add(Connection.ping()));
            }
            pipeline.execute();
            pongs.forEach(pong -> assertEquals(5_000, pong.get().length()));
        }
    }

    @Test
    void transactionsRunAsOne() {
        try (Transaction work = client.transaction()) {
            work.add(Strings.set("t", "1"));
            Result<Long> two = work.add(Strings.incr("t"));
            Result<Optional<String>> text = work.add(Strings.get("t"));
            assertEquals(3, work.exec().orElseThrow().size());
            assertEquals(2, two.get());
            assertEquals("2", text.get().orElseThrow());
            assertTrue(work.exec().orElseThrow().isEmpty());
        }
    }

    @Test
    void repliesInTransactionsMayBeAsLargeAsOthers() {
        client.execute(Strings.setrange("huge", 70_000_000, "x"));
        try (Transaction work = client.transaction()) {
            Result<Optional<String>> huge = work.add(Strings.get("huge"));
            assertTrue(work.exec().isPresent());
            assertEquals(70_000_001, huge.get().orElseThrow().length());
        }
    }

    @Test
    void anErrorInsideATransactionLeavesItsNeighbours() {
        try (Transaction work = client.transaction()) {
            work.add(Strings.set("word", "w"));
            Result<Long> wrong = work.add(Strings.incr("word"));
            Result<Optional<String>> right = work.add(Strings.get("word"));
            assertTrue(work.exec().isPresent());
            assertThrows(RedisException.class, wrong::get);
            assertEquals("w", right.get().orElseThrow());
        }
    }

    @Test
    void whatTheServerRefusesToQueueRunsNothing() {
        try (Transaction work = client.transaction()) {
            Result<?> set = work.add(Strings.set("refused", "1"));
            work.add(io.samewire.redis.command.Commands.of("GET"));
            RedisException refused = assertThrows(RedisException.class, work::exec);
            assertTrue(refused.text().contains("wrong number of arguments"), refused.text());
            assertThrows(SamewireException.class, set::get);
            assertEquals(Optional.empty(), client.execute(Strings.get("refused")));
        }
        assertEquals("PONG", client.execute(Connection.ping()));
    }

    @Test
    void aWatchedKeyThatChangesStopsIt() {
        client.execute(Strings.set("balance", "5"));
        try (Transaction work = client.transaction()) {
            work.watch("balance");
            assertEquals("5", work.execute(Strings.get("balance")).orElseThrow());
            client.execute(Strings.incr("balance"));
            Result<Long> left = work.add(Strings.decr("balance"));
            assertEquals(Optional.empty(), work.exec());
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, left::get).code());

            work.watch("balance");
            Result<Long> again = work.add(Strings.decr("balance"));
            assertTrue(work.exec().isPresent());
            assertEquals(5, again.get());
            assertThrows(SamewireException.class, () -> work.execute(Strings.get("balance")));
            work.add(Strings.decr("balance"));
            assertThrows(SamewireException.class, () -> work.watch("balance"));
        }
        try (Transaction left = client.transaction()) {
            left.watch("balance");
        }
        assertEquals(client.poolStatistics().connections(), client.poolStatistics().idle());
    }

    @Test
    void aLostWatchRunsNothing() {
        try (RedisClient other = RedisClient.connect(RedisOptions.of(server.uri()).withClientName("watcher"));
                Transaction work = other.transaction()) {
            work.watch("gone");
            client.execute(io.samewire.redis.command.Commands.of("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes"));
            work.add(Strings.set("gone", "1"));
            try {
                assertEquals(Optional.empty(), work.exec());
            } catch (ConnectionException unknown) {
                // The write went out before the end was seen.
                assertTrue(unknown.mayHaveRun());
            }
            assertEquals(Optional.empty(), other.execute(Strings.get("gone")));
        }
    }
}
