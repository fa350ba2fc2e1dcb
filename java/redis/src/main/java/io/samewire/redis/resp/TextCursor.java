package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds the texts and numbers of a reply, without a copy; nearly all of them in one loop, the others by their head. */
abstract class TextCursor extends ReplyCursor {
    /** Of a length: more could overflow an int. */
    private static final int SHORT_DIGITS = 9;

    /** The text that was found, if it came in chunks: they are put together. */
    private byte[] chunked;
    /** The integer that {@link #shortInteger} found. */
    long number;

    TextCursor(Limits limits) {
        super(limits);
    }

    /** Returns what the next element is, without reading it. */
    abstract ReplyType type();

    /**
     * Finds the text of a {@code $} that is wholly there in {@link #buffer}, and returns its length; -1 if the next
     * element is anything else, or has more digits, which {@link #look} tells.
     */
    final int plainText() {
        byte[] bytes = buffer;
        int i = at + 1;
        int end = to;
        if (end - i < 3 || bytes[at] != '$' || left == 0) {
            return -1;
        }
        int length = bytes[i] - '0';
        if (length < 0 || length > 9) {
            return -1;
        }
        byte b = bytes[++i];
        if (b != '\r') {
            if (length == 0) {
                return -1;
            }
            int stop = Math.min(end - 1, i + SHORT_DIGITS - 1);
            do {
                int digit = b - '0';
                if (digit < 0 || digit > 9 || i >= stop) {
                    return -1;
                }
                length = length * 10 + digit;
                b = bytes[++i];
            } while (b != '\r');
        }
        int start = i + 2;
        if (bytes[i + 1] != '\n' || length > end - 2 - start) {
            return -1;
        }
        int stop = start + length;
        if (bytes[stop] != '\r' || bytes[stop + 1] != '\n') {
            return -1;
        }
        textStart = start;
        textEnd = stop + 2;
        return length;
    }

    /** Returns where a {@code :} of at most 18 digits ends, or -1 if the next element is anything else or not there. */
    final int shortInteger() {
        byte[] bytes = buffer;
        int i = at + 1;
        int end = to;
        if (end - i < 3 || bytes[at] != ':' || left == 0) {
            return -1;
        }
        boolean negative = bytes[i] == '-';
        if (negative) {
            i++;
        }
        int first = i;
        int stop = Math.min(end - 1, i + 18);
        long value = 0;
        for (; i < stop; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = value * 10 + digit;
        }
        int digits = i - first;
        if (digits == 0 || bytes[first] == '0' && (digits > 1 || negative) || i + 1 >= end || bytes[i] != '\r'
            || bytes[i + 1] != '\n') {
            return -1;
        }
        number = negative ? -value : value;
        return i + 2;
    }

    /**
     * Reads a {@code +} in ASCII that is wholly there; null if the next element is anything else. {@code OK}, which
     * most of them are, is not made anew.
     */
    final String status() {
        byte[] bytes = buffer;
        int start = at + 1;
        int end = to;
        if (end - start < 2 || bytes[at] != '+' || left == 0) {
            return null;
        }
        int i = start;
        while (i < end && bytes[i] >= ' ') {
            i++;
        }
        if (i + 1 >= end || bytes[i] != '\r' || bytes[i + 1] != '\n') {
            return null;
        }
        String text = i - start == 2 && bytes[start] == 'O' && bytes[start + 1] == 'K' ? "OK"
            : new String(bytes, start, i - start, StandardCharsets.ISO_8859_1);
        pass(i + 2);
        return text;
    }

    /** Finds the text of the element whose head was looked at in {@link #source}, and returns its length. */
    final int text(String wanted) {
        chunked = null;
        switch (head.type) {
            case '-', '!' -> throw takeError();
            case '+', ':', ',', '(', '#' -> {
                textStart = at + 1;
                textEnd = head.after;
                return head.end - textStart;
            }
            case '$' -> {
                return head.form == Head.STREAM ? chunks() : body(0);
            }
            case '=' -> {
                return body(4);
            }
            default -> throw refuse(wanted);
        }
    }

    /** Returns the array that {@link #text} has found a text in. */
    final byte[] source() {
        return chunked == null ? buffer : chunked;
    }

    /** Finds the chunks of a streamed text and puts them together. */
    private int chunks() {
        int first = at;
        long total = 0;
        for (at = head.after; chunk(); at = textEnd) {
            total += textEnd - 2 - textStart;
        }
        int end = textEnd;
        byte[] whole = new byte[(int) total];
        int filled = 0;
        at = first;
        head.read(buffer, at, to);
        for (at = head.after; chunk(); at = textEnd) {
            int length = textEnd - 2 - textStart;
            System.arraycopy(buffer, textStart, whole, filled, length);
            filled += length;
        }
        at = first;
        chunked = whole;
        textStart = 0;
        textEnd = end;
        return filled;
    }

    final RedisException takeError() {
        findError();
        RedisException error = RedisException.of(buffer, textStart, textEnd - 2 - textStart);
        pass(textEnd);
        return error;
    }

    final void findError() {
        if (head.type == '-') {
            textStart = at + 1;
            textEnd = head.after;
        } else {
            body(0);
        }
    }

    final RuntimeException refuse(String wanted) {
        if (head.type == '-' || head.type == '!') {
            return takeError();
        }
        return mismatch(wanted, at);
    }

    final SamewireException mismatch(String wanted, int element) {
        return new SamewireException(Code.TYPE_MISMATCH, element - from, path(),
            "expected " + wanted + ", and the reply has " + type().name().toLowerCase(Locale.ROOT));
    }
}
