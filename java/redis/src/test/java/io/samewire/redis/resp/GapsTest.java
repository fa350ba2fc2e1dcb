package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * What codecs of other clients get wrong: garbled texts, trusted counts, unbounded recursion, types they do not know.
 */
class GapsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PIECES = 2_000_000;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ReplyReader of(String reply) {
        byte[] bytes = bytes(reply);
        return new ReplyReader().reset(bytes, 0, bytes.length);
    }

    private static void refused(Code code, String reply) {
        byte[] bytes = bytes(reply);
        assertEquals(code, assertThrows(SamewireException.class,
            () -> new ReplyScanner().scan(bytes, 0, bytes.length)).code());
        assertEquals(code, assertThrows(SamewireException.class, () -> of(reply).skip()).code());
    }

    @Test
    void textsOfErrorsAreUtf8() {
        String text = "ERR größer als €5 🎉";
        assertEquals(text, of("-" + text + "\r\n").readError().text());
        assertEquals(text, of("!" + bytes(text).length + "\r\n" + text + "\r\n").readError().text());
    }

    @Test
    void countsAllocateNothing() {
        byte[] stream = bytes("*2147483646\r\n".repeat(3));
        byte[] nested = bytes("*100000\r\n".repeat(60) + "_\r\n".repeat(200));
        byte[] map = bytes("%1073741823\r\n");
        ReplyReader reader = new ReplyReader(new Limits(64, Integer.MAX_VALUE, 1, Integer.MAX_VALUE, Integer.MAX_VALUE,
            1), Utf8.STRICT);
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        for (byte[] lie : new byte[][] {stream, nested, map}) {
            try {
                for (reader.reset(lie, 0, lie.length); true;) {
                    assertTrue(reader.beginArray() * 3L <= lie.length, "a count that the bytes cannot hold");
                }
            } catch (IncompleteReplyException | SamewireException refused) {
                assertTrue(refused instanceof IncompleteReplyException
                    || ((SamewireException) refused).code() != Code.MALFORMED, refused::toString);
            }
        }
        long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
        assertTrue(allocated < 100_000, () -> allocated + " bytes");
    }

    @Test
    void nestingHasALimitAndNoRecursion() {
        refused(Code.LIMIT_DEPTH, "*1\r\n".repeat(65) + ":1\r\n");
        refused(Code.LIMIT_DEPTH, "*1\r\n".repeat(1_000_000));
        Limits deep = Limits.DEFAULT.withDepth(1024);
        byte[] deepest = bytes("*1\r\n".repeat(1024) + ":1\r\n");
        Reply reply = Reply.read(deepest, deep, Utf8.STRICT);
        RequestWriter out = new RequestWriter();
        new ReplyWriter(out).reply(reply);
        assertArrayEquals(deepest, out.toByteArray());
        ReplyReader reader = of("*1\r\n".repeat(40) + "+deep\r\n");
        for (int i = 0; i < 40; i++) {
            assertEquals(1, reader.beginArray());
        }
        assertEquals("deep", reader.readString());
    }

    @Test
    void aCarriageReturnAloneIsNoLineEnd() {
        refused(Code.MALFORMED, "+a\rb\r\n");
        refused(Code.MALFORMED, "+a\nb\r\n");
        refused(Code.MALFORMED, "-ERR\r\r\n");
        refused(Code.MALFORMED, "$1\r\naxx");
        refused(Code.MALFORMED, "$1\r\na\rx");
    }

    @Test
    void aPushInsideAReplyIsRefused() {
        refused(Code.MALFORMED, "*1\r\n>1\r\n+message\r\n");
        refused(Code.MALFORMED, ">1\r\n>1\r\n+message\r\n");
        assertEquals(ReplyType.PUSH, of(">1\r\n+message\r\n").type());
    }

    @Test
    void attributesAreReadOrPassedOver() {
        assertEquals(7, of("|1\r\n+key-popularity\r\n%1\r\n$1\r\na\r\n,0.1923\r\n:7\r\n").readLong());
        assertEquals("[ttl, 3600]", of("|1\r\n+ttl\r\n:3600\r\n:7\r\n").readAttributes().get(0).toString());
    }

    @Test
    void everyTypeOfResp3IsRead() {
        assertEquals("SYNTAX invalid", of("!14\r\nSYNTAX invalid\r\n").readError().text());
        assertEquals("txt", ((Reply.Text) of("=7\r\ntxt:abc\r\n").readReply()).format());
        String digits = "3492890328409238509324850943850943825024385";
        assertEquals(digits, of("(" + digits + "\r\n").readBigInteger().toString());
        assertEquals(2, of("~?\r\n+a\r\n+a\r\n.\r\n").beginArray());
        assertEquals(1, of("%?\r\n+a\r\n:1\r\n.\r\n").beginMap());
    }

    @Test
    void doublesAreWhatTheyWere() {
        for (double value : new double[] {Double.MAX_VALUE, Double.MIN_VALUE, Double.MIN_NORMAL, -Double.MAX_VALUE, 0.0,
            -0.0, 1e23, 2e-3, 5e-324, 9007199254740993.0, 1e17, 123456.789e-30, Math.nextUp(1.0), 2.0E-44, 1.0E16,
            4.35e-5, 1.1e-5, 9.999e-6, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN}) {
            RequestWriter out = new RequestWriter();
            out.word(value);
            String text = new ReplyReader().reset(out.array(), 0, out.length()).readString();
            assertEquals(value, of("," + text + "\r\n").readDouble());
            assertEquals(value, of("$" + text.length() + "\r\n" + text + "\r\n").readDouble());
        }
        assertEquals("inf", Decimals.text(Double.POSITIVE_INFINITY));
        assertEquals("1.7976931348623157e308", Decimals.text(Double.MAX_VALUE));
        assertEquals("5e-324", Decimals.text(Double.MIN_VALUE));
        assertEquals("1e23", Decimals.text(1e23));
        assertEquals("0.002", Decimals.text(2e-3));
        assertEquals("0.0000435", Decimals.text(4.35e-5));
        assertEquals("-0", Decimals.text(-0.0));
        assertEquals("10000000000000000", Decimals.text(1e16));
        assertEquals("2e-44", Decimals.text(2e-44));
        assertEquals("1e-6", Decimals.text(1e-6));
        assertEquals("0.1", Decimals.text(0.1));
    }

    @Test
    void bytesThatAreNotUtf8Survive() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        RequestWriter out = new RequestWriter();
        out.word(all);
        assertArrayEquals(all, new ReplyReader().reset(out.array(), 0, out.length()).readBytes());
        Reply reply = new ReplyReader().reset(out.array(), 0, out.length()).readReply();
        assertArrayEquals(all, ((Reply.Text) reply).bytes());
        assertEquals(Code.BAD_UTF8, assertThrows(SamewireException.class, ((Reply.Text) reply)::string).code());
    }

    @Test
    void piecesCostNoMoreThanTheirBytes() {
        // Looked at from the start for each piece, each of these streams takes 10^12 looks.
        String text = "a".repeat(PIECES);
        String numbers = ":1\r\n".repeat(PIECES / 4);
        String chunks = ";1\r\na\r\n".repeat(PIECES / 7);
        for (String reply : new String[] {"+" + text + "\r\n", "$" + PIECES + "\r\n" + text + "\r\n",
            "*" + PIECES / 4 + "\r\n" + numbers, "*?\r\n" + numbers + ".\r\n", "$?\r\n" + chunks + ";0\r\n"}) {
            byte[] stream = bytes(reply);
            ReplyScanner scanner = new ReplyScanner();
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
                for (int to = 0; to < stream.length; to++) {
                    assertTrue(scanner.scan(stream, 0, to) < 0);
                }
                assertEquals(stream.length, scanner.scan(stream, 0, stream.length));
            });
        }
    }

    @Test
    void scanningAllocatesNothing() {
        byte[] stream = bytes("*4\r\n$3\r\nabc\r\n,1.5\r\n%1\r\n+k\r\n#t\r\n*?\r\n:1\r\n(12\r\n.\r\n");
        ReplyScanner scanner = new ReplyScanner();
        scanner.scan(stream, 0, stream.length);
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 10_000; i++) {
            scanner.scan(stream, 0, 9 + i % 20);
            scanner.scan(stream, 0, stream.length);
        }
        long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
        assertTrue(allocated < 10_000, () -> allocated + " bytes in 10,000 replies");
    }
}
