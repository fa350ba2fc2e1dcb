package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Commands are the bytes that {@code spec/redis.md} section 5 says, whatever their words are made of. */
class RequestWriterTest {
    private final RequestWriter out = new RequestWriter();

    private String written() {
        String text = new String(out.toByteArray(), StandardCharsets.UTF_8);
        out.reset();
        return text;
    }

    @Test
    void writesWordsOfEveryKind() {
        out.begin(6);
        out.word("SET");
        out.word(new byte[] {'k', 0});
        out.word(new byte[] {'a', 'b', 'c', 'd'}, 1, 2);
        out.word(-9223372036854775808L);
        out.word(0.1);
        out.word("Bö");
        assertEquals("*6\r\n$3\r\nSET\r\n$2\r\nk\0\r\n$2\r\nbc\r\n$20\r\n-9223372036854775808\r\n$3\r\n0.1\r\n"
            + "$3\r\nBö\r\n", written());
    }

    @Test
    void writesEveryNumberOfDigits() {
        for (long value = 1; value > 0 && value < Long.MAX_VALUE / 10; value *= 10) {
            for (long near : new long[] {value - 1, value, value + 1, -value, 1 - value}) {
                String text = Long.toString(near);
                out.word(near);
                assertEquals("$" + text.length() + "\r\n" + text + "\r\n", written());
            }
        }
        out.word(Long.MAX_VALUE);
        assertEquals("$19\r\n9223372036854775807\r\n", written());
    }

    @Test
    void writesTextsOfEveryLengthAndWidth() {
        for (String letter : new String[] {"a", "é", "€", "🎉"}) {
            for (int length = 0; length < 80; length++) {
                String text = letter.repeat(length) + "z";
                out.word(text);
                assertEquals("$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n", written());
            }
        }
    }

    @Test
    void refusesLoneSurrogatesAndKeepsTheCommand() {
        String before = "*2\r\n$3\r\nGET\r\n";
        for (String text : new String[] {"\ud83f", "a\udc00", "\ud800\ud800", "ab?c".repeat(20) + "\ud800",
            "é\udfff", "\udc00\ud800"}) {
            out.begin(2);
            out.word("GET");
            SamewireException error = assertThrows(SamewireException.class, () -> out.word(text));
            assertEquals(Code.BAD_UTF8, error.code());
            assertEquals(before, written());
        }
    }

    @Test
    void growsAndTruncates() {
        byte[] large = new byte[3_000_000];
        out.word(large);
        out.word(large);
        assertEquals(2 * (large.length + 12), out.length());
        out.truncate(large.length + 12);
        assertEquals(large.length + 12, out.toByteArray().length);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> out.truncate(-1)).code());
    }
}
