package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.schema.Kind;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;

/**
 * The scalars of a message, read with an exact error. Uses the cursors of a {@link Reader}, so that either can continue
 * where the other stopped.
 */
abstract class StrictScalars {
    final Reader in;
    /**
     * The path to the value being read: texts, each after an index unless that is -1. Joined only for an error.
     */
    private String[] steps = new String[16];
    private int[] indices = new int[16];
    private int length;

    StrictScalars(Reader in) {
        this.in = in;
    }

    final SamewireException fail(Code code, int at, String text) {
        StringBuilder path = new StringBuilder("$");
        for (int i = 0; i < length; i++) {
            if (indices[i] >= 0) {
                path.append(Path.element(indices[i]));
            }
            path.append(steps[i]);
        }
        return new SamewireException(code, at - in.start, path.toString(), text);
    }

    /** Goes one step down the path. */
    final void step(String text) {
        step(-1, text);
    }

    final void step(int index, String after) {
        if (length == steps.length) {
            steps = Arrays.copyOf(steps, 2 * length);
            indices = Arrays.copyOf(indices, 2 * length);
        }
        steps[length] = after;
        indices[length++] = index;
    }

    final void back() {
        length--;
    }

    final void need(long bytes) {
        if (bytes > in.end - in.pos) {
            throw fail(Code.TRUNCATED, in.end, (bytes - (in.end - in.pos)) + " more bytes are needed"
                + ": read until the message is whole");
        }
    }

    final int take(long bytes) {
        need(bytes);
        int at = in.pos;
        in.pos = at + (int) bytes;
        return at;
    }

    final int unsignedByte() {
        return in.buf[take(1)] & 0xff;
    }

    final long varint(int bits) {
        int at = in.pos;
        long value = 0;
        for (int shift = 0; shift < bits; shift += 7) {
            int part = unsignedByte();
            value |= (long) (part & 0x7f) << shift;
            if (part < 0x80) {
                if (part == 0 && shift != 0) {
                    throw fail(Code.BAD_NUMBER, at, "a varint that ends in a byte of zero");
                }
                if (bits - shift < 7 && part >>> bits - shift != 0) {
                    throw fail(Code.BAD_NUMBER, at, "a varint beyond " + bits + " bits");
                }
                return value;
            }
        }
        throw fail(Code.BAD_NUMBER, at, "a varint longer than " + bits + " bits need");
    }

    final long zigzag(int bits) {
        long raw = varint(bits);
        return raw >>> 1 ^ -(raw & 1);
    }

    final int length() {
        int at = in.pos;
        long value = varint(32);
        if (value > Integer.MAX_VALUE) {
            throw fail(Code.BAD_NUMBER, at, "a count of " + value);
        }
        return (int) value;
    }

    final int index(int bound, String what) {
        int at = in.pos;
        int value = length();
        if (value >= bound) {
            throw fail(Code.MALFORMED, at, "there is no " + what + " number " + value);
        }
        return value;
    }

    final void padding(int remainder) {
        while ((in.pos - in.start & 7) != remainder) {
            int at = in.pos;
            if (unsignedByte() != 0) {
                throw fail(Code.MALFORMED, at, "a byte of padding is not zero");
            }
        }
    }

    /** Reads the flags of {@code n} slots. Returns where they begin. */
    final int flags(int n) {
        int at = take((n + 7L) >>> 3);
        if ((n & 7) != 0 && (in.buf[in.pos - 1] & 0xff) >>> (n & 7) != 0) {
            throw fail(Code.MALFORMED, in.pos - 1, "unused bits of flags are not zero");
        }
        return at;
    }

    /** Reads a scalar other than {@code any}. Returns its value in comparable form. */
    final Object scalar(Kind kind) {
        int at = in.pos;
        return switch (kind) {
            case BOOL -> {
                int value = unsignedByte();
                if (value > 1) {
                    throw fail(Code.MALFORMED, at, "a bool is 00 or 01");
                }
                yield value;
            }
            case I8, U8 -> (long) unsignedByte();
            case I16, I32, I64 -> zigzag(kind.bits());
            case U16, U32, U64 -> varint(kind.bits());
            case F32, F64 -> take(kind.bits() / 8);
            case BIGINT -> bigint();
            case DECIMAL -> {
                zigzag(32);
                yield bigint();
            }
            case STRING -> text();
            case BYTES -> take(length());
            case UUID -> {
                at = take(16);
                yield new java.util.UUID(Bytes.getLong(in.buf, at), Bytes.getLong(in.buf, at + 8));
            }
            case DATE -> ranged(zigzag(32), Times.DATE_MIN, Times.DATE_MAX, at);
            case TIME -> ranged(varint(64), 0, Times.TIME_MAX, at);
            // Not a list of two: hash tables stay fast with many keys of one hash only if keys are comparable.
            case TIMESTAMP -> Duration.ofSeconds(ranged(zigzag(64), Times.SECONDS_MIN, Times.SECONDS_MAX, at),
                fraction());
            case DURATION -> Duration.ofSeconds(zigzag(64), fraction());
            case ANY -> throw new IllegalStateException("an any is read by its tag");
        };
    }

    private long ranged(long value, long least, long most, int at) {
        if (value < least || value > most) {
            throw fail(Code.BAD_NUMBER, at, value + " is out of range (" + least + " to " + most + ")");
        }
        return value;
    }

    private long fraction() {
        int at = in.pos;
        long raw = varint(32);
        long n = raw >>> 2;
        long unit = switch ((int) raw & 3) {
            case 0 -> 1;
            case 1 -> 1_000;
            case 2 -> 1_000_000;
            default -> 0;
        };
        if (raw != 0 && (unit == 0 || n == 0 || n * unit >= 1_000_000_000)) {
            throw fail(Code.BAD_NUMBER, at, "not a fraction of a second");
        }
        return n * unit;
    }

    private BigInteger bigint() {
        int at = in.pos;
        int length = length();
        if (length > Header.MOST_BIGINT_BYTES) {
            throw fail(Code.LIMIT_SIZE, at, "an integer of " + length + " bytes; the longest has 4,096");
        }
        int from = take(length);
        if (!BigNumbers.shortest(in.buf, from, length)) {
            throw fail(Code.BAD_NUMBER, at, "two's complement that could be shorter");
        }
        return length == 0 ? BigInteger.ZERO : new BigInteger(in.buf, from, length);
    }

    /** Reads a whole token before it is checked. */
    private String text() {
        int at = in.pos;
        int token = unsignedByte();
        long units = 0;
        long bytes = 0;
        if (token == Header.LONG_LATIN_TOKEN || token == Header.LONG_REF_TOKEN) {
            length();
        } else if (token == Header.LONG_WIDE_TOKEN) {
            units = Header.SHORT_WIDE + 1L + length();
        } else if (token == Header.LONG_UTF8_TOKEN) {
            bytes = Header.SHORT_UTF8 + 1L + length();
        } else if (token >= 0xe0) {
            unsignedByte();
        } else if (token > Header.WIDE_TOKENS + Header.SHORT_WIDE && token < Header.LONG_UTF8_TOKEN) {
            bytes = token - Header.UTF8_TOKENS;
        } else if (token > Header.WIDE_TOKENS && token < Header.LONG_UTF8_TOKEN) {
            units = token - Header.WIDE_TOKENS;
        }
        if (2 * units <= in.wideEnd - in.wide
            && !Surrogates.arePaired(in.buf, in.wide, in.wide + 2 * (int) units)) {
            throw fail(Code.BAD_UTF8, at, "a lone surrogate");
        }
        if (bytes <= in.utf8End - in.utf8 && Utf8.text(in.buf, in.utf8, in.utf8 + (int) bytes) == null) {
            throw fail(Code.BAD_UTF8, at, "not well-formed UTF-8");
        }
        in.pos = at;
        try {
            return in.text();
        } catch (Fault fault) {
            throw fail(Code.MALFORMED, at, "a token for text that is not present");
        }
    }
}
