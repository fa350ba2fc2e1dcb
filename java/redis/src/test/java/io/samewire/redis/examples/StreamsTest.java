package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.AutoClaimed;
import io.samewire.redis.command.PendingEntry;
import io.samewire.redis.command.PendingSummary;
import io.samewire.redis.command.StreamEntry;
import io.samewire.redis.command.StreamTrim;
import io.samewire.redis.command.Streams;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The guides' streams and groups of consumers. */
class StreamsTest extends OnOneServer {
    private static String lend(String stream, String reader) {
        return run(Streams.xadd(stream, Map.of("reader", reader, "book", "It")));
    }

    private static List<StreamEntry<String, String>> take(String consumer, String from, long count) {
        return run(Streams.xreadgroup("desk", consumer, Map.of("loans", from)).count(count))
            .getOrDefault("loans", List.of());
    }

    @Test
    void addsAndRanges() {
        String first = lend("loans", "ann");
        String second = lend("loans", "bob");
        lend("loans", "cyd");
        assertEquals(3, run(Streams.xlen("loans")));
        List<StreamEntry<String, String>> found = run(Streams.xrange("loans", second, "+").count(1));
        assertEquals(Map.of("reader", "bob", "book", "It"), found.get(0).fields());
        assertEquals(first, run(Streams.xrange("loans", "-", "+")).get(0).id());
        assertEquals("cyd", run(Streams.xrevrange("loans", "+", "-").count(1)).get(0).fields().get("reader"));
        assertEquals(List.of(), run(Streams.xrange("loans", "99999999999999-0", "+")));
    }

    @Test
    void takesIdsOfYourOwn() {
        assertEquals("0-1", run(Streams.xadd("loans", Map.of("reader", "ann")).id("0-1")));
        assertEquals("0-2", run(Streams.xadd("loans", Map.of("reader", "bob")).id("0-*")));
        assertThrows(RedisException.class, () -> run(Streams.xadd("loans", Map.of("reader", "cyd")).id("0-1")));
    }

    @Test
    void waitsForEntries() {
        lend("loans", "ann");
        Map<String, List<StreamEntry<String, String>>> read =
            run(Streams.xread(Map.of("loans", "0")).count(100).block(Duration.ofMillis(300)));
        assertEquals("ann", read.get("loans").get(0).fields().get("reader"));
        assertEquals(Map.of(), run(Streams.xread(Map.of("loans", "$")).block(Duration.ofMillis(1))));
    }

    @Test
    void sharesEntriesInAGroup() {
        run(Streams.xgroupCreate("loans", "desk", "$").mkstream());
        List<String> ids = List.of(lend("loans", "ann"), lend("loans", "bob"), lend("loans", "cyd"));
        assertEquals(ids.get(0), take("eva", ">", 1).get(0).id());
        assertEquals(ids.get(0), take("eva", "0", 1).get(0).id());
        assertEquals(1, run(Streams.xack("loans", "desk", ids.get(0))));
        assertEquals(List.of(), take("eva", "0", 1));
        assertEquals(2, take("finn", ">", 2).size());
        assertEquals(3, run(Streams.xinfoStream("loans")).length());
        assertEquals("desk", run(Streams.xinfoGroups("loans")).get(0).name());
        assertEquals(List.of("eva", "finn"),
            run(Streams.xinfoConsumers("loans", "desk")).stream().map(consumer -> consumer.name()).toList());
    }

    @Test
    void takesOverWhatOthersLeft() {
        run(Streams.xgroupCreate("loans", "desk", "0").mkstream());
        String first = lend("loans", "ann");
        String second = lend("loans", "bob");
        take("finn", ">", 2);
        PendingSummary pending = run(Streams.xpending("loans", "desk"));
        assertEquals(Map.of("finn", 2L), pending.consumers());
        PendingEntry oldest = run(Streams.xpending("loans", "desk", "-", "+", 10)).get(0);
        assertEquals(first, oldest.id());
        assertEquals(first, run(Streams.xclaim("loans", "desk", "eva", Duration.ZERO, first)).get(0).id());
        AutoClaimed<StreamEntry<String, String>> rest =
            run(Streams.xautoclaim("loans", "desk", "eva", Duration.ZERO, first).count(10));
        assertEquals(List.of(first, second), rest.entries().stream().map(StreamEntry::id).toList());
        assertEquals("0-0", rest.next());
    }

    @Test
    void keepsAStreamShort() {
        for (int number = 0; number < 10; number++) {
            run(Streams.xadd("loans", Map.of("reader", "ann")).trim(StreamTrim.maxlen(5)));
        }
        assertEquals(5, run(Streams.xlen("loans")));
        assertEquals(3, run(Streams.xtrim("loans", StreamTrim.maxlen(2))));
        assertTrue(run(Streams.xtrim("loans", StreamTrim.maxlen(1).approximately())) >= 0);
        String last = run(Streams.xrevrange("loans", "+", "-")).get(0).id();
        assertEquals(1, run(Streams.xdel("loans", last)));
    }
}
