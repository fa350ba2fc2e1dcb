package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.Result;
import io.samewire.redis.client.Transaction;
import io.samewire.redis.command.SortedSets;
import io.samewire.redis.command.Strings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The guides' pipelines and transactions. */
class PipelinesAndTransactionsTest extends OnOneServer {
    @Test
    void sendsCommandsTogether() {
        Pipeline pipeline = client.pipeline();
        for (int seat = 0; seat < 5; seat++) {
            pipeline.add(Strings.set("seat:" + seat, "#" + seat));
        }
        pipeline.execute();
        Result<Optional<String>> first = pipeline.add(Strings.get("seat:0"));
        Result<Optional<String>> fourth = pipeline.add(Strings.get("seat:3"));
        assertThrows(SamewireException.class, first::get);
        pipeline.execute();
        assertEquals("#0 #3", first.get().orElseThrow() + " " + fourth.get().orElseThrow());
    }

    @Test
    void keepsTypesOfResults() {
        Pipeline pipeline = client.pipeline();
        pipeline.add(SortedSets.zadd("lent", 1, "It"));
        pipeline.add(SortedSets.zadd("lent", 0, "Cujo"));
        Result<List<String>> lent = pipeline.add(SortedSets.zrange("lent", 0, -1));
        List<Result<?>> all = pipeline.execute();
        assertEquals(List.of("Cujo", "It"), lent.get());
        assertEquals(1L, all.get(0).get());
    }

    @Test
    void runsAllOrNothing() {
        try (Transaction work = client.transaction()) {
            Result<Long> first = work.add(Strings.incrby("counter:1", 1));
            work.add(Strings.incrby("counter:2", 2));
            assertEquals(2, work.exec().orElseThrow().size());
            assertEquals(1, first.get());
        }
    }

    @Test
    void runsUnlessAWatchedKeyChanged() {
        run(Strings.set("path", "/usr/bin"));
        try (Transaction work = client.transaction()) {
            work.watch("path");
            String path = work.execute(Strings.get("path")).orElseThrow();
            work.add(Strings.set("path", path + ":/opt/bin"));
            assertTrue(work.exec().isPresent());
            work.watch("path");
            work.add(Strings.set("path", "mine"));
            run(Strings.set("path", "another client's"));
            assertEquals(Optional.empty(), work.exec());
        }
        assertEquals("another client's", run(Strings.get("path")).orElseThrow());
    }

    @Test
    void dropsATransactionThatIsClosed() {
        try (Transaction work = client.transaction()) {
            work.add(Strings.set("never", "x"));
        }
        assertTrue(run(Strings.get("never")).isEmpty());
    }

    @Test
    void tellsWhatHasNoReplyYet() {
        Result<Long> early = client.pipeline().add(Strings.incr("n"));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, early::get).code());
    }
}
