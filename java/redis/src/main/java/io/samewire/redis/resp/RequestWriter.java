package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes commands ({@code spec/redis.md} section 5) into one growing array: {@link #begin} with the number of words,
 * the command's name included, and then so many words. No object is made for a word. Not thread-safe.
 */
public final class RequestWriter {
    private static final int INITIAL_CAPACITY = 256;
    /** A larger array is released by {@link #reset}. */
    private static final int MAX_IDLE_CAPACITY = 1 << 20;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
    /** A type byte, ten digits, and two line ends. */
    private static final int FRAME = 15;
    /** Digits of a long, and its sign. */
    private static final int NUMBER = 20;
    /** Up to so many characters are looked at one by one. */
    private static final int SHORT_TEXT = 32;

    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int at;

    /** Creates a writer that has written nothing. */
    public RequestWriter() {}

    /** Begins a command of so many words. */
    public void begin(int words) {
        room(FRAME);
        at = head(buffer, at, '*', words);
    }

    /** Writes a word as it is. */
    public void word(byte[] bytes) {
        word(bytes, 0, bytes.length);
    }

    /** Writes a word, {@code bytes[from, from + length)}. */
    public void word(byte[] bytes, int from, int length) {
        room((long) FRAME + length);
        byte[] out = buffer;
        int start = head(out, at, '$', length);
        System.arraycopy(bytes, from, out, start, length);
        at = lineEnd(out, start + length);
    }

    /**
     * Writes a text as UTF-8.
     *
     * @throws SamewireException {@code bad_utf8} if it has a lone surrogate; the command is then as it was
     */
    public void word(String text) {
        int length = text.length();
        if (length > SHORT_TEXT || !shortAscii(text, length)) {
            longText(text);
        }
    }

    /** Writes an integer in decimal digits. */
    public void word(long value) {
        room(FRAME + NUMBER);
        byte[] out = buffer;
        int digits = digits(value);
        int start = head(out, at, '$', digits);
        decimal(out, start, value, digits);
        at = lineEnd(out, start + digits);
    }

    /** Writes a double in the shortest decimal form that reads back as the same number; {@code inf -inf nan}. */
    public void word(double value) {
        if (value == (int) value && (value != 0 || 1 / value > 0)) {
            word((long) value);
            return;
        }
        word(Decimals.text(value).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes bytes that were encoded before: whole commands, or the beginning of one with its first words. */
    public void raw(byte[] bytes) {
        raw(bytes, 0, bytes.length);
    }

    /** Writes bytes that were encoded before, {@code bytes[from, from + length)}. */
    public void raw(byte[] bytes, int from, int length) {
        room(length);
        System.arraycopy(bytes, from, buffer, at, length);
        at += length;
    }

    /** Returns the array, of which the first {@link #length} bytes are written. A write may replace it. */
    public byte[] array() {
        return buffer;
    }

    /** Returns the number of bytes written. */
    public int length() {
        return at;
    }

    /** Forgets what was written behind an earlier {@link #length}, of a command that was given up. */
    public void truncate(int length) {
        if (length < 0 || length > at) {
            throw new SamewireException(Code.MISUSE, -1, null, length + " is not within the " + at + " bytes written");
        }
        at = length;
    }

    /** Forgets all that was written. */
    public void reset() {
        at = 0;
        if (buffer.length > MAX_IDLE_CAPACITY) {
            buffer = new byte[INITIAL_CAPACITY];
        }
    }

    /** Returns a copy of the bytes written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, at);
    }

    private void room(long more) {
        if (more > buffer.length - at) {
            grow(more);
        }
    }

    private void grow(long more) {
        long wanted = at + more;
        if (wanted > MAX_ARRAY) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, null, wanted + " bytes of commands do not fit in an array:"
                + " send what was written, then go on");
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(Math.max(2L * buffer.length, wanted), MAX_ARRAY));
    }

    /** Writes CR LF. */
    void end() {
        room(2);
        at = lineEnd(buffer, at);
    }

    // What follows passes positions on instead of the field: each would wait for the one before to be stored.

    /** Writes a type byte, a length or count, and CR LF; returns where they end. */
    private static int head(byte[] out, int start, char type, int number) {
        out[start] = (byte) type;
        int i = start + 1;
        if (number < 10) {
            out[i] = (byte) ('0' + number);
            return lineEnd(out, i + 1);
        }
        int digits = number < 100 ? 2 : digits(number);
        decimal(out, i, number, digits);
        return lineEnd(out, i + digits);
    }

    private static int lineEnd(byte[] out, int start) {
        out[start] = '\r';
        out[start + 1] = '\n';
        return start + 2;
    }

    /** Returns how many characters a number has, with its sign. */
    private static int digits(long value) {
        if (value < 0) {
            return value == Long.MIN_VALUE ? NUMBER : 1 + digits(-value);
        }
        int digits = 1;
        for (long bound = 10; value >= bound && digits < 19; bound *= 10) {
            digits++;
            if (digits == 19) {
                break;
            }
        }
        return digits;
    }

    private static void decimal(byte[] out, int start, long value, int digits) {
        int i = start + digits;
        // Negative numbers reach further than positive ones.
        long rest = value < 0 ? value : -value;
        do {
            long tenth = rest / 10;
            out[--i] = (byte) ('0' + (tenth * 10 - rest));
            rest = tenth;
        } while (rest != 0);
        if (value < 0) {
            out[--i] = '-';
        }
    }

    /** Writes a text of so many characters, at most {@link #SHORT_TEXT}, if all of them are ASCII. */
    private boolean shortAscii(String text, int length) {
        room(FRAME + SHORT_TEXT);
        byte[] out = buffer;
        int start = head(out, at, '$', length);
        int bits = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            bits |= c;
            out[start + i] = (byte) c;
        }
        if (bits >= 0x80) {
            return false;
        }
        at = lineEnd(out, start + length);
        return true;
    }

    private void longText(String text) {
        int length = text.length();
        if (Utf8Encoder.mayBeAscii(text)) {
            room((long) FRAME + length);
            int start = head(buffer, at, '$', length);
            if (Utf8Encoder.copyAscii(text, buffer, start)) {
                at = lineEnd(buffer, start + length);
                return;
            }
        }
        word(Utf8Encoder.encode(text));
    }
}
