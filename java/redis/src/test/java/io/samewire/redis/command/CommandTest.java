package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.ReplyReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What commands have in common. */
class CommandTest {
    @Test
    void knowsWhatMayBeRepeated() {
        assertTrue(Strings.get("key").readOnly());
        assertTrue(Strings.get("key").repeatable());
        assertFalse(Strings.set("key", "a").repeatable());
        assertFalse(Connection.ping().readOnly());
        assertTrue(Connection.ping().repeatable());
        assertEquals("CLIENT NO-EVICT", Connection.clientNoEvict(true).name());
        assertEquals("all_shards", Server.dbsize().facts().requestPolicy());
        assertEquals("agg_sum", Server.dbsize().facts().responsePolicy());
    }

    @Test
    void whatWaitsForWhatComesFromNowOnIsNotRepeated() {
        assertTrue(Streams.xread(Map.of("$", "0")).block(Duration.ofMillis(7)).repeatable());
        assertFalse(Streams.xread(Map.of("a", "$")).block(Duration.ofMillis(7)).repeatable());
        assertFalse(Streams.xread(Sent.map("a", "0", "b", "$")).block(Duration.ZERO).repeatable());
        assertTrue(Commands.of("TS.READ", "$", "0").repeatable());
        assertFalse(Commands.of("TS.READ", "a", "$", "BLOCK", "0", "1").repeatable());
        assertTrue(Commands.of("TS.READ").repeatable());
        assertTrue(Commands.of("XREAD", "STREAMS").repeatable());
    }

    @Test
    void knowsWhatTakesFromTheServer() {
        assertTrue(Lists.lpop("key").takes());
        assertTrue(Strings.getdel("key").map(value -> value).takes());
        assertTrue(Strings.set("key", "a").get().takes());
        assertFalse(Strings.set("GET", "GET").takes());
        assertFalse(Commands.of("SET", "key", "a", "IFEQ", "GET").takes());
        assertFalse(Commands.of("SET", "key", "a", "GET", "NX").takes());
        assertTrue(Commands.of("bitfield", "key", "GET", "u8", "0", "set", "u8", "0", "1").takes());
        assertFalse(Commands.of("BITFIELD", "SET", "GET", "u8", "0").takes());
        assertFalse(Strings.get("key").takes());
        assertFalse(Commands.of("module.do").takes());
    }

    @Test
    void nothingThatTakesIsRepeated() {
        for (Facts facts : KnownCommands.all()) {
            assertFalse(facts.taking() != null && facts.repeatable(), facts.name());
        }
    }

    @Test
    void knowsHowLongCommandsWait() {
        assertEquals(-1, Strings.get("key").blockingMillis());
        assertEquals(1_500, Lists.blpop(Duration.ofMillis(1_500), "a", "b").blockingMillis());
        assertEquals(0, Lists.blpop(Duration.ZERO, "a").blockingMillis());
        assertEquals(2_000, Lists.blmpop(Duration.ofSeconds(2), Side.LEFT, "a").blockingMillis());
        assertEquals(-1, Streams.xread(Map.of("BLOCK", "0")).blockingMillis());
        assertEquals(7, Streams.xread(Map.of("BLOCK", "0")).block(Duration.ofMillis(7)).blockingMillis());
        assertEquals(500, Keys.waitReplicas(1, Duration.ofMillis(500)).blockingMillis());
        assertEquals(3_000, Commands.of("brpop", "a", "3").blockingMillis());
        assertEquals(Code.MISUSE,
            assertThrows(SamewireException.class, () -> Lists.blpop(Duration.ofMillis(-1), "a")).code());
    }

    private static List<String> keys(Command<?> command) {
        return command.keys().stream().map(Bytes::text).toList();
    }

    @Test
    void knowsKeys() {
        assertEquals(List.of("a", "b"), keys(Lists.blpop(Duration.ZERO, "a", "b")));
        assertEquals(List.of("to", "a", "b"), keys(SortedSets.zunionstore("to", "a", "b")));
        assertEquals(List.of("a", "b"), keys(Streams.xread(Sent.map("a", "0", "b", "0")).count(1)));
        assertEquals(List.of("k"), keys(Scripting.eval("return 1", List.of("k"), "v")));
        assertEquals(List.of("store", "to"), keys(Keys.sort("store").by("store").store("to")));
        assertEquals(List.of("a", "b"), keys(Keys.migrateKeys("host", 1, 0, Duration.ZERO, "a", "b")));
        assertEquals(List.of("a", "b"), keys(Strings.mset(Sent.map("a", "1", "b", "2"))));
        assertEquals(List.of("grüße"), keys(Strings.get("grüße")));
        assertEquals(List.of(), keys(Connection.ping()));
        assertEquals(List.of("a"), keys(Commands.of("get", "a")));
        assertEquals(List.of("a"), keys(Commands.of("object", "encoding", "a")));
    }

    @Test
    void makesCommandsByName() {
        assertEquals(List.of("CONFIG", "GET", "a"), Sent.words(Commands.of("config get", "a")));
        assertEquals("CONFIG GET", Commands.of("config", "get", "a").name());
        assertEquals("CONFIG GET", Commands.of("CONFIG", "get", "a").name());
        assertEquals("CONFIG GET", Commands.of("CONFIG GET", "a").name());
        assertEquals(List.of("MODULE.DO", "a"), Sent.words(Commands.of("module.do", "a")));
        assertFalse(Commands.of("module.do").facts().known());
        assertFalse(Commands.of("module.do").repeatable());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Commands.of("")).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Commands.of("a\r\nb")).code());
    }

    @Test
    void optionsLeaveTheCommandAsItWas() {
        SetCommand set = Strings.set("key", "a");
        SetCommand expiring = set.expiration(Expiration.ex(5));
        assertEquals(List.of("SET", "key", "a"), Sent.words(set));
        assertEquals(List.of("SET", "key", "a", "EX", "5"), Sent.words(expiring));
        assertEquals(List.of("SET", "key", "a", "PX", "7"), Sent.words(expiring.expiration(Expiration.px(7))));
        assertEquals(List.of("SET", "key", "a", "NX", "EX", "5"),
            Sent.words(expiring.condition(SetCondition.NX)));
    }

    @Test
    void argumentsAreKeptAsTheyWere() {
        StringBuilder text = new StringBuilder("a");
        byte[] bytes = {'b'};
        String[] more = {"c"};
        Command<?> command = Keys.del(text, Bytes.of(bytes), more[0]);
        text.append("x");
        bytes[0] = 'x';
        assertEquals(List.of("DEL", "a", "b", "c"), Sent.words(command));
        assertThrows(SamewireException.class, () -> Strings.get(null));
        assertThrows(SamewireException.class, () -> Strings.mget("a", (CharSequence) null));
    }

    @Test
    void doesNotShowArguments() {
        assertEquals("AUTH (2 arguments)", Connection.auth("name", "secret").toString());
    }

    @Test
    void changesReplies() {
        Command<Integer> length = Strings.get("key").map(value -> value.map(String::length).orElse(-1));
        byte[] reply = "$3\r\nabc\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(3, length.read(new ReplyReader().reset(reply, 0, reply.length)));
        assertEquals(List.of("GET", "key"), Sent.words(length));
    }

    @Test
    void bytesAreValues() {
        Bytes bytes = Bytes.of("grüße");
        assertEquals(bytes, Bytes.of(bytes.toByteArray()));
        assertEquals(bytes.hashCode(), Bytes.of(bytes.toByteArray()).hashCode());
        assertEquals("grüße", bytes.text());
        assertEquals(7, bytes.length());
        assertEquals('\u00fc', Bytes.of("\u00fc").text().charAt(0));
        assertEquals(7, bytes.toString().length());
        assertEquals(Bytes.of("gr"), bytes.subSequence(0, 2));
        assertTrue(Bytes.of("a").compareTo(Bytes.of(new byte[] {(byte) 0xff})) < 0);
        assertEquals("-5", Bytes.of(-5).text());
        assertEquals(Code.BAD_UTF8, assertThrows(SamewireException.class, () -> Bytes.of("\ud800")).code());
        assertEquals(Code.BAD_UTF8,
            assertThrows(SamewireException.class, () -> Bytes.of(new byte[] {(byte) 0xff}).text()).code());
    }
}
