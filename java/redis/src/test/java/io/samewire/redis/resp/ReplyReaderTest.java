package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A cursor gives the values that a reply has, and says where one is that cannot be what was asked for. */
class ReplyReaderTest {
    private static ReplyReader of(String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        return new ReplyReader().reset(bytes, 0, bytes.length);
    }

    private static void refused(String text, String path, Runnable read) {
        SamewireException error = assertThrows(SamewireException.class, read::run);
        assertEquals(Code.TYPE_MISMATCH, error.code());
        assertEquals(path, error.path());
        assertTrue(error.getMessage().contains(text), error::getMessage);
    }

    @Test
    void readsScalarsOfBothProtocols() {
        assertEquals("OK", of("+OK\r\n").readString());
        assertEquals("Bö", of("$3\r\nBö\r\n").readString());
        assertEquals("ab", of("=6\r\ntxt:ab\r\n").readString());
        assertEquals("abc", of("$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n").readString());
        assertNull(of("$-1\r\n").readString());
        assertNull(of("_\r\n").readBytes());
        assertEquals(-42, of(":-42\r\n").readLong());
        assertEquals(12, of("$2\r\n12\r\n").readLong());
        assertEquals(Long.MIN_VALUE, of("+-9223372036854775808\r\n").readLong());
        assertEquals(1.5, of(",1.5\r\n").readDouble());
        assertEquals(1.5, of("$3\r\n1.5\r\n").readDouble());
        assertEquals(Double.NEGATIVE_INFINITY, of("$4\r\n-inf\r\n").readDouble());
        assertTrue(of("#t\r\n").readBoolean());
        assertFalse(of(":0\r\n").readBoolean());
        assertEquals("123456789012345678901", of("(123456789012345678901\r\n").readBigInteger().toString());
        assertTrue(of("+QUEUED\r\n").readMatches("QUEUED".getBytes(StandardCharsets.UTF_8)));
        assertArrayEquals(new byte[] {0, 1}, of("$2\r\n\0\1\r\n").readBytes());
    }

    @Test
    void walksThroughAggregates() {
        ReplyReader reader = of("*3\r\n:1\r\n%1\r\n+k\r\n*0\r\n*?\r\n:7\r\n:8\r\n.\r\n");
        assertEquals(3, reader.beginArray());
        assertEquals(1, reader.readLong());
        assertEquals(1, reader.beginMap());
        assertEquals("k", reader.readString());
        assertEquals(0, reader.beginArray());
        assertEquals(2, reader.beginArray());
        assertEquals(7, reader.readLong());
        assertFalse(reader.isDone());
        assertEquals(8, reader.readLong());
        assertTrue(reader.isDone());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, reader::readLong).code());
    }

    @Test
    void throwsErrorsOfTheServerWhereTheyAreReadAsValues() {
        RedisException error = assertThrows(RedisException.class, () -> of("-WRONGTYPE no list\r\n").readLong());
        assertEquals("WRONGTYPE", error.word());
        assertEquals("WRONGTYPE no list", error.text());
        assertEquals(0, error.getStackTrace().length);
        assertTrue(error.located().getStackTrace().length > 0);
        ReplyReader reader = of("*3\r\n:1\r\n!5\r\nERR x\r\n:3\r\n");
        assertEquals(3, reader.beginArray());
        reader.skip();
        assertEquals(ReplyType.ERROR, reader.type());
        assertEquals("ERR x", reader.readError().text());
        assertEquals(3, reader.readLong());
    }

    @Test
    void passesOverAttributesUnlessTheyAreAskedFor() {
        String reply = "*2\r\n|1\r\n+ttl\r\n:5\r\n:1\r\n:2\r\n";
        ReplyReader reader = of(reply);
        assertEquals(2, reader.beginArray());
        assertEquals("[ttl, 5]", reader.readAttributes().get(0).toString());
        assertEquals(1, reader.readLong());
        assertEquals(0, reader.readAttributes().size());
        reader = of(reply);
        assertEquals(2, reader.beginArray());
        assertEquals(1, reader.readLong());
        assertEquals(2, reader.readLong());
        assertTrue(reader.isDone());
    }

    @Test
    void saysWhereAReplyIsNotWhatWasAskedFor() {
        refused("an integer", "$", () -> of("$1\r\nx\r\n").readLong());
        refused("null", "$", () -> of("_\r\n").readDouble());
        ReplyReader reader = of("*2\r\n:1\r\n%1\r\n+k\r\n*1\r\n+v\r\n");
        reader.beginArray();
        reader.readLong();
        reader.beginMap();
        reader.readString();
        refused("array", "$[1][0].value", reader::readString);
        reader.beginArray();
        refused("an integer", "$[1][0].value[0]", reader::readLong);
        refused("a map", "$", () -> of("*1\r\n:1\r\n").beginMap());
    }

    @Test
    void refusesMalformedTextsUnlessItIsLenient() {
        byte[] bytes = {'$', '2', '\r', '\n', 'a', (byte) 0xff, '\r', '\n'};
        SamewireException error = assertThrows(SamewireException.class,
            () -> new ReplyReader().reset(bytes, 0, bytes.length).readString());
        assertEquals(Code.BAD_UTF8, error.code());
        assertEquals("a\ufffd",
            new ReplyReader(io.samewire.core.Limits.DEFAULT, Utf8.LENIENT).reset(bytes, 0, bytes.length).readString());
        assertEquals("\ufffd", of("$3\r\n\ufffd\r\n").readString());
    }
}
