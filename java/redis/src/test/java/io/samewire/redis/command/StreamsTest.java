package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on streams. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class StreamsTest extends OnServer {
    StreamsTest(int protocol) {
        super(protocol);
    }

    private static final Duration NOW = Duration.ZERO;

    private static StreamEntry<String, String> entry(String id, String field, String value) {
        return new StreamEntry<>(id, Map.of(field, value));
    }

    private void entries() {
        run(Streams.xadd("key", Map.of("a", "1")).id("1-1"));
        run(Streams.xadd("key", Map.of("b", "2")).id("2-1"));
    }

    @Test
    void addsAndReads() {
        assertTrue(run(Streams.xadd("key", Map.of("a", "1"))).contains("-"));
        assertEquals(Optional.empty(), run(Streams.xadd("none", Map.of("a", "1")).nomkstream()));
        run(Streams.xtrim("key", StreamTrim.maxlen(0)));
        run(Keys.del("key"));
        entries();
        assertEquals("ERR", refused(Streams.xadd("key", Map.of("a", "1")).id("1-0")));
        assertEquals(2, run(Streams.xlen("key")));
        List<StreamEntry<String, String>> both = List.of(entry("1-1", "a", "1"), entry("2-1", "b", "2"));
        assertEquals(both, run(Streams.xrange("key", "-", "+")));
        assertEquals(List.of(both.get(1)), run(Streams.xrevrange("key", "+", "-").count(1)));
        assertEquals(Map.of("key", both), run(Streams.xread(Sent.map("key", "0", "none", "0"))));
        assertEquals(Map.of(), run(Streams.xread(Map.of("key", "$"))));
        assertEquals(Map.of(), run(Streams.xread(Map.of("key", "$")).block(Duration.ofMillis(5))));
        assertEquals(Map.of("a", 1L), run(Streams.xrange("key", "-", "+").as(ReplyReader::readLong)).get(0).fields());
        assertEquals(1, run(Streams.xdel("key", "1-1", "9-9")));
        assertEquals("3-1",
            run(Streams.xadd("key", Map.of("c", "3")).id("3-1").trim(StreamTrim.maxlen(1).approximately())));
        assertEquals(1, run(Streams.xtrim("key", StreamTrim.minid("3"))));
        run(Streams.xsetid("key", "9-9").entriesadded(5));
    }

    @Test
    void readsInGroups() {
        entries();
        run(Streams.xgroupCreate("key", "group", "0"));
        assertEquals("BUSYGROUP", refused(Streams.xgroupCreate("key", "group", "0")));
        run(Streams.xgroupCreate("new", "group", "$").mkstream());
        assertTrue(run(Streams.xgroupCreateconsumer("key", "group", "one")));
        assertEquals(Map.of(), run(Streams.xreadgroup("group", "one", Map.of("new", ">"))));
        assertEquals(Map.of("key", List.of(entry("1-1", "a", "1"))),
            run(Streams.xreadgroup("group", "one", Map.of("key", ">")).count(1)));
        run(Streams.xreadgroup("group", "two", Map.of("key", ">")));
        assertEquals(new PendingSummary(2, Optional.of("1-1"), Optional.of("2-1"), Map.of("one", 1L, "two", 1L)),
            run(Streams.xpending("key", "group")));
        assertEquals(new PendingSummary(0, Optional.empty(), Optional.empty(), Map.of()),
            run(Streams.xpending("new", "group")));
        PendingEntry pending = run(Streams.xpending("key", "group", "-", "+", 10).consumer("two")).get(0);
        assertEquals("2-1", pending.id());
        assertEquals("two", pending.consumer());
        assertEquals(1, pending.deliveries());
        assertEquals(List.of(), run(Streams.xpending("key", "group", "-", "+", 10).idle(Duration.ofHours(1))));
        assertEquals(List.of(entry("1-1", "a", "1")), run(Streams.xclaim("key", "group", "two", NOW, "1-1")));
        assertEquals(List.of("1-1"), run(Streams.xclaim("key", "group", "two", NOW, "1-1").force().justid()));
        assertEquals(new AutoClaimed<>("0-0", List.of(entry("1-1", "a", "1"), entry("2-1", "b", "2")), List.of()),
            run(Streams.xautoclaim("key", "group", "one", NOW, "0")));
        assertEquals(new AutoClaimed<>("2-1", List.of("1-1"), List.of()),
            run(Streams.xautoclaim("key", "group", "one", NOW, "0").count(1).justid()));
        run(Streams.xdel("key", "1-1"));
        assertEquals(Map.of("key", List.of(new StreamEntry<>("1-1", Map.of()), entry("2-1", "b", "2"))),
            run(Streams.xreadgroup("group", "one", Map.of("key", "0"))));
        assertEquals(List.of("1-1"), run(Streams.xautoclaim("key", "group", "two", NOW, "0")).deleted());
        assertEquals(1, run(Streams.xack("key", "group", "2-1", "9-9")));
        run(Streams.xgroupSetid("key", "group", "0").entriesread(0));
        assertEquals(0, run(Streams.xgroupDelconsumer("key", "group", "two")));
        assertTrue(run(Streams.xgroupDestroy("key", "group")));
        assertFalse(run(Streams.xgroupDestroy("key", "group")));
    }

    @Test
    void tellsOfStreams() {
        entries();
        run(Streams.xgroupCreate("key", "group", "0"));
        run(Streams.xreadgroup("group", "one", Map.of("key", ">")).count(1));
        StreamInfo<String, String> info = run(Streams.xinfoStream("key"));
        assertEquals(2, info.length());
        assertEquals(1, info.groups());
        assertEquals("2-1", info.lastGeneratedId());
        assertEquals(2, info.entriesAdded());
        assertEquals(Optional.of(entry("1-1", "a", "1")), info.firstEntry());
        assertEquals(Optional.of(entry("2-1", "b", "2")), info.lastEntry());
        run(Streams.xgroupCreate("new", "group", "0").mkstream());
        assertEquals(Optional.empty(), run(Streams.xinfoStream("new")).firstEntry());
        assertEquals(List.of(new StreamGroup("group", 1, 1, "1-1", OptionalLong.of(1), OptionalLong.of(1))),
            run(Streams.xinfoGroups("key")));
        StreamConsumer consumer = run(Streams.xinfoConsumers("key", "group")).get(0);
        assertEquals("one", consumer.name());
        assertEquals(1, consumer.pending());
        assertTrue(consumer.inactive().isPresent());
        Map<String, Reply> full = run(Streams.xinfoStreamFull("key").count(1));
        assertEquals(1, ((Reply.Array) full.get("entries")).elements().size());
    }
}
