package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Documents: what is sent is what redis-py sends, and replies are those of Redis Stack 7.4 (RedisJSON 2.8). */
class JsonTest {
    private static final String DOCUMENT = "{\"name\": \"a\", \"n\": 1, \"f\": 1.5, \"tags\": [\"x\", \"y\"], \"in\": "
        + "{\"a\": 1, \"b\": [true, null]}, \"t\": true, \"z\": null}";

    private final Recorded server = Recorded.of("json");

    private static List<OptionalLong> numbers(long... values) {
        return java.util.Arrays.stream(values).mapToObj(OptionalLong::of).toList();
    }

    @Test
    void readsEveryRecordedReply() {
        setsAndGets();
        changesArrays();
        changesOtherValues();
        assertEquals(List.of("JSON.SET v $ [1.5, 2.5] FPHA FP32", "JSON.GET doc noescape .name",
            "JSON.NUMINCRBY doc .name 1", "JSON.STRLEN {doc3}4"), server.left());
    }

    private void setsAndGets() {
        assertTrue(server.value(Json.jsonSet("doc", "$", DOCUMENT)));
        assertFalse(server.value(Json.jsonSet("doc", ".", DOCUMENT).condition(Condition.NX)));
        assertTrue(server.value(Json.jsonSet("doc", ".n", "2").condition(Condition.XX)));
        assertTrue(server.value(Json.jsonSet("{doc}2", "$", "{\"n\": [1, 2.5], \"k\": \"\\u2603\"}")));
        server.refused(Json.jsonSet("v", "$", "[1.5, 2.5]").fpha(FloatArrayType.BF16));
        assertTrue(server.value(Json.jsonGet("doc", ".")).orElseThrow().startsWith("{\"name\":\"a\",\"n\":2,"));
        assertEquals(Optional.of("[2]"), server.value(Json.jsonGet("doc", "$.n")));
        assertEquals(Optional.of("{\"$.tags\":[[\"x\",\"y\"]],\"$.n\":[2]}"),
            server.value(Json.jsonGet("doc", "$.n", "$.tags")));
        assertEquals(Optional.of("null"), server.value(Json.jsonGet("doc", ".z")));
        assertEquals(Optional.of("[null]"), server.value(Json.jsonGet("doc", "$.z")));
        assertEquals(Optional.empty(), server.value(Json.jsonGet("nothing", ".")));
        server.refused(Json.jsonGet("doc", ".nothing"));
        assertEquals(Optional.of("2"), server.value(Json.jsonGet("doc", ".n")));
        assertEquals(List.of(Optional.of("[2]"), Optional.of("[[1,2.5]]"), Optional.empty()),
            server.value(Json.jsonMget("$.n", "doc", "{doc}2", "nothing")));
        assertEquals(List.of(Optional.of("2"), Optional.of("[1,2.5]")),
            server.value(Json.jsonMget(".n", List.of("doc", "{doc}2"))));
        server.value(Json.jsonMset(JsonValue.of("doc3", "$", "{\"a\": 1}"), JsonValue.of("{doc3}4", "$", "\"text\"")));
        assertEquals(Optional.of("\"text\""), server.value(Json.jsonGet("{doc3}4", ".")));
        server.value(Json.jsonMerge("doc", "$", "{\"new\": {\"k\": 1}, \"z\": 0}"));
        server.value(Json.jsonMerge("doc", "$", "{\"raw\": 1}"));
        assertEquals(List.of(Optional.of("object")), server.value(Json.jsonType("doc", ".")));
        assertEquals(List.of(Optional.of("integer")), server.value(Json.jsonType("doc", "$.n")));
        assertEquals(List.of(Optional.of("integer")), server.value(Json.jsonType("doc", "$..a")));
        assertEquals(List.of(Optional.empty()), server.value(Json.jsonType("nothing", ".")));
    }

    private void changesArrays() {
        List<OptionalLong> none = List.of(OptionalLong.empty());
        assertEquals(numbers(4), server.value(Json.jsonArrappend("doc", ".tags", "\"z\"", "{\"k\": null}")));
        assertEquals(numbers(5), server.value(Json.jsonArrappend("doc", "$.tags", "5")));
        assertEquals(numbers(1), server.value(Json.jsonArrindex("doc", ".tags", "\"y\"")));
        assertEquals(numbers(1), server.value(Json.jsonArrindex("doc", "$.tags", "\"y\"", 1)));
        assertEquals(numbers(-1), server.value(Json.jsonArrindex("doc", "$.tags", "\"y\"", 2, 3)));
        assertEquals(numbers(1), server.value(Json.jsonArrindex("doc", "$.tags", "\"y\"")));
        assertEquals(numbers(7), server.value(Json.jsonArrinsert("doc", ".tags", 1, "\"in\"", "1.25")));
        assertEquals(numbers(8), server.value(Json.jsonArrinsert("doc", "$.tags", 0, "true")));
        assertEquals(numbers(8), server.value(Json.jsonArrlen("doc", ".tags")));
        assertEquals(numbers(8), server.value(Json.jsonArrlen("doc", "$.tags")));
        assertEquals(none, server.value(Json.jsonArrlen("doc", "$.n")));
        assertEquals(List.of(Optional.of("5")), server.value(Json.jsonArrpop("doc", ".tags", -1)));
        assertEquals(List.of(Optional.of("true")), server.value(Json.jsonArrpop("doc", "$.tags", 0)));
        assertEquals(List.of(Optional.empty()), server.value(Json.jsonArrpop("doc", "$.n", -1)));
        assertEquals(numbers(3), server.value(Json.jsonArrtrim("doc", ".tags", 0, 2)));
        assertEquals(numbers(2), server.value(Json.jsonArrtrim("doc", "$.tags", 0, 1)));
    }

    private void changesOtherValues() {
        assertEquals("[{, a, 1, b, [[, true, null]]", server.value(Json.jsonResp("doc", ".in").map(String::valueOf)));
        assertEquals("[[{, a, 1, b, [[, true, null]]]",
            server.value(Json.jsonResp("doc", "$.in").map(String::valueOf)));
        assertEquals(1.5, server.value(Json.jsonResp("doc", ".f").as(Reading.DOUBLE)));
        assertEquals(List.of(1.5), server.value(Json.jsonResp("doc", "$.f").as(Reading.list(Reading.DOUBLE))));
        assertEquals("[{, n, [[, 1, 2.5], k, \u2603]",
            server.value(Json.jsonResp("{doc}2", ".").map(String::valueOf)));
        assertEquals(List.of(Optional.of(List.of("name", "n", "f", "tags", "in", "t", "z", "new", "raw"))),
            server.value(Json.jsonObjkeys("doc", ".")));
        assertEquals(List.of(Optional.of(List.of("a", "b"))), server.value(Json.jsonObjkeys("doc", "$.in")));
        assertEquals(List.of(Optional.empty()), server.value(Json.jsonObjkeys("doc", "$.n")));
        assertEquals(List.of(Optional.empty()), server.value(Json.jsonObjkeys("nothing", ".")));
        assertEquals(numbers(9), server.value(Json.jsonObjlen("doc", ".")));
        assertEquals(numbers(2), server.value(Json.jsonObjlen("doc", "$.in")));
        assertEquals(List.of(OptionalDouble.of(4)), server.value(Json.jsonNumincrby("doc", ".n", 2)));
        assertEquals(List.of(OptionalDouble.of(5.5)), server.value(Json.jsonNumincrby("doc", "$.n", 1.5)));
        assertEquals(List.of(OptionalDouble.of(2.5)), server.value(Json.jsonNumincrby("doc", ".f", 1)));
        assertEquals(List.of(OptionalDouble.of(2)), server.value(Json.jsonNumincrby("doc", "$..a", 1)));
        assertEquals(List.of(OptionalDouble.of(11)), server.value(Json.jsonNummultby("doc", ".n", 2)));
        assertEquals(List.of(OptionalDouble.of(22)), server.value(Json.jsonNummultby("doc", "$.n", 2)));
        assertEquals(numbers(1), server.value(Json.jsonStrlen("doc", ".name")));
        assertEquals(numbers(1), server.value(Json.jsonStrlen("doc", "$.name")));
        assertEquals(numbers(5), server.value(Json.jsonStrappend("doc", ".name", "\"more\"")));
        assertEquals(numbers(9), server.value(Json.jsonStrappend("doc", "$.name", "\"more\"")));
        assertEquals(List.of(Optional.of(false)), server.value(Json.jsonToggle("doc", ".t")));
        assertEquals(List.of(Optional.of(true)), server.value(Json.jsonToggle("doc", "$.t")));
        assertEquals(List.of(Optional.empty()), server.value(Json.jsonToggle("doc", "$.n")));
        assertEquals(numbers(955), server.value(Json.jsonDebugMemory("doc", ".")));
        assertEquals(2, server.value(Json.jsonDebugHelp()).size());
        assertEquals(1, server.value(Json.jsonClear("doc", ".tags")));
        assertEquals(1, server.value(Json.jsonClear("doc", "$.in")));
        assertEquals(1, server.value(Json.jsonDel("doc", ".n")));
        assertEquals(1, server.value(Json.jsonDel("doc", "$.f")));
        assertEquals(1, server.value(Json.jsonDel("doc", ".")));
        assertEquals(0, server.value(Json.jsonDel("nothing", ".")));
    }

    private static <T> T read(Command<T> command, String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        return command.read(new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(bytes, 0, bytes.length));
    }

    @Test
    void readsSeveralMatches() {
        assertEquals(List.of(OptionalDouble.of(1), OptionalDouble.empty(), OptionalDouble.of(2e300)),
            read(Json.jsonNumincrby("k", "$..n", 1), "$14\r\n[1,null,2e300]\r\n"));
        assertEquals(List.of(), read(Json.jsonNumincrby("k", "$..n", 1), "$2\r\n[]\r\n"));
        assertEquals(List.of(), read(Json.jsonNumincrby("k", "$..n", 1), "*0\r\n"));
        assertEquals(List.of(Optional.of(List.of()), Optional.empty()),
            read(Json.jsonObjkeys("k", "$..o"), "*2\r\n*0\r\n$-1\r\n"));
        assertEquals(List.of(Optional.empty(), Optional.of(true)),
            read(Json.jsonToggle("k", "$..b"), "*2\r\n_\r\n#t\r\n"));
        SamewireException failure = assertThrows(SamewireException.class,
            () -> read(Json.jsonNumincrby("k", "$..n", 1), "$5\r\n[1,x]\r\n"));
        assertTrue(failure.getMessage().contains("expected a number of JSON, the server replied 'x'"));
        assertThrows(SamewireException.class, () -> read(Json.jsonToggle("k", ".b"), "$5\r\nmaybe\r\n"));
    }

    @Test
    void throwsErrorsOfOneProtocol() {
        // RESP2 refuses what RESP3 replies null for.
        Command<List<OptionalDouble>> command = Json.jsonNumincrby("doc", ".name", 1);
        assertThrows(RedisException.class,
            () -> read(command, "-ERR Path '$.name' does not exist or does not contains a number\r\n"));
        assertEquals(List.of(OptionalDouble.empty()), read(command, "*1\r\n_\r\n"));
    }

    @Test
    void textsMayBeBytes() {
        byte[] value = read(Json.jsonGet("k").as(Text.BYTES), "$3\r\n[1]\r\n").orElseThrow();
        assertArrayEquals("[1]".getBytes(StandardCharsets.UTF_8), value);
        assertEquals(List.of("JSON.GET", "k", "INDENT", "  ", "NEWLINE", "\n", "SPACE", " ", "$.a"),
            Sent.words(Json.jsonGet("k", "$.a").indent("  ").newline("\n").space(" ")));
    }

    @Test
    void knowsKeysAndWhatMayBeRepeated() {
        assertEquals(List.of(Bytes.of("a"), Bytes.of("b")), Json.jsonMget("$", "a", "b").keys());
        assertEquals(List.of(Bytes.of("a"), Bytes.of("b")),
            Json.jsonMset(JsonValue.of("a", "$", "1"), JsonValue.of("b", "$", "2")).keys());
        assertEquals(List.of(Bytes.of("k")), Json.jsonDebugMemory("k", "$").keys());
        assertEquals(-1, Json.jsonDebugHelp().slot());
        assertEquals(KeySlot.of("k"), Json.jsonGet("k").slot());
        assertTrue(Json.jsonGet("k").readOnly() && Json.jsonGet("k").repeatable());
        assertFalse(Json.jsonNumincrby("k", "$", 1).readOnly() || Json.jsonNumincrby("k", "$", 1).repeatable());
        assertTrue(Commands.of("json.type", "k").readOnly());
        assertThrows(SamewireException.class, () -> Json.jsonMget("$", "a", "b").slot());
    }
}
