package io.samewire.redis.resp;

import io.samewire.core.Code;

/**
 * The head of one element: its type byte and the line behind it ({@code spec/redis.md} section 2). Scanner and reader
 * both go through it, so that they agree on what is well-formed. It is reused, since scanning allocates nothing.
 */
final class Head {
    // Looks and forms are numbers, so that the reader stores no reference for a reply.

    /** A look: the line is not complete. */
    static final int MORE = 0;
    /** A look: the fields tell what stands there. */
    static final int FOUND = 1;
    /** A look: {@link #fault} tells what is wrong. */
    static final int WRONG = 2;

    /** A form: the line was the element. */
    static final int LINE = 0;
    /** A form: a text of {@link #number} bytes, and CR LF, follow the line. */
    static final int TEXT = 1;
    /** A form: chunks follow. */
    static final int STREAM = 2;
    /** A form: {@link #number} entries follow. */
    static final int COUNTED = 3;
    /** A form: entries follow until {@code .}. */
    static final int OPEN = 4;

    /** The longest line of a length, a count or an integer, without its CR LF. */
    private static final int NUMBER_LINE = 32;
    /** The longest line of a double: as long as hiredis reads. */
    private static final int DOUBLE_LINE = 325;
    /** The most digits of a big number: 4,096 bytes in two's complement, as in pack's bigint. */
    private static final int BIG_DIGITS = 9_864;
    /** Every length or count from here on exceeds every limit; sums of a few do not overflow. */
    private static final long HUGE = 1L << 40;

    /** The type byte; {@code _} for every null. */
    byte type;
    int form;
    /** The integer, length or count; 1 or 0 for a boolean. */
    long number;
    double real;
    /** Where the line's CR LF stands. */
    int end;
    /** Where what follows the line begins. */
    int after;
    /**
     * How many bytes behind the type byte are known to hold no line end. A caller that comes again for the same type
     * byte leaves it as it was, so that a long line which comes in pieces is searched once.
     */
    int searched;
    Code fault;

    /** Looks at what stands at {@code buffer[at]}, of which bytes before {@code to} are there. */
    int read(byte[] buffer, int at, int to) {
        if (at >= to) {
            return MORE;
        }
        type = buffer[at];
        switch (type) {
            case '$', '!', '=', '*', '~', '%', '>', '|':
                return length(buffer, at, to);
            case ':':
                return line(buffer, at, to, NUMBER_LINE) == FOUND ? integer(buffer, at) : look;
            case '+', '-':
                return line(buffer, at, to, Integer.MAX_VALUE);
            case ',':
                return line(buffer, at, to, DOUBLE_LINE) == FOUND ? real(buffer, at) : look;
            case '(':
                return big(buffer, at, to);
            case '#':
                return line(buffer, at, to, 1) == FOUND ? truth(buffer, at) : look;
            case '_':
                return line(buffer, at, to, 0);
            default:
                return wrong(Code.MALFORMED);
        }
    }

    /** Looks at a chunk of a streamed text: {@link #number} bytes from {@link #after} on, none at the end. */
    int chunk(byte[] buffer, int at, int to) {
        if (at >= to) {
            return MORE;
        }
        type = buffer[at];
        return type == ';' ? length(buffer, at, to) : wrong(Code.MALFORMED);
    }

    /** Looks at the {@code .} that ends an aggregate without a count. */
    int close(byte[] buffer, int at, int to) {
        return line(buffer, at, to, 0);
    }

    /** The last look at a line. */
    private int look;

    private int wrong(Code code) {
        fault = code;
        look = WRONG;
        return look;
    }

    private int length(byte[] buffer, int at, int to) {
        int sized = type == '$' || type == '!' || type == '=' || type == ';' ? TEXT : COUNTED;
        form = sized;
        // One or two digits, then CR LF: nearly all lengths there are.
        if (to - at >= 5) {
            int tens = buffer[at + 1] - '0';
            int b = buffer[at + 2];
            if (tens >= 0 && tens <= 9) {
                if (b == '\r' && buffer[at + 3] == '\n') {
                    return found(tens, at + 2);
                }
                if (tens > 0 && b >= '0' && b <= '9' && buffer[at + 3] == '\r' && buffer[at + 4] == '\n') {
                    return found(tens * 10 + b - '0', at + 3);
                }
            }
        }
        if (line(buffer, at, to, NUMBER_LINE) != FOUND) {
            return look;
        }
        int from = at + 1;
        if (end - from == 1 && buffer[from] == '?') {
            return unknown(sized);
        } else if (end - from == 2 && buffer[from] == '-' && buffer[from + 1] == '1') {
            if (type != '$' && type != '*') {
                return wrong(Code.MALFORMED);
            }
            type = '_';
            return FOUND;
        }
        long value = Decimals.integer(buffer, from, end);
        if (value < 0) {
            return wrong(Code.BAD_NUMBER);
        }
        form = sized;
        return found(Math.min(value, HUGE), end);
    }

    private int found(long value, int where) {
        number = value;
        end = where;
        after = where + 2;
        return FOUND;
    }

    private int unknown(int sized) {
        if (sized == COUNTED) {
            form = OPEN;
        } else if (type == '$') {
            form = STREAM;
        } else {
            return wrong(Code.MALFORMED);
        }
        return FOUND;
    }

    private int integer(byte[] buffer, int at) {
        number = Decimals.integer(buffer, at + 1, end);
        if (number == Decimals.NONE && !Decimals.isSmallest(buffer, at + 1, end)) {
            return wrong(Code.BAD_NUMBER);
        }
        return FOUND;
    }

    private int real(byte[] buffer, int at) {
        if (!Decimals.isDouble(buffer, at + 1, end)) {
            return wrong(Code.BAD_NUMBER);
        }
        real = Decimals.real(buffer, at + 1, end);
        return Double.isInfinite(real) && Decimals.isFinite(buffer, at + 1, end) ? wrong(Code.BAD_NUMBER) : FOUND;
    }

    private int truth(byte[] buffer, int at) {
        if (end != at + 2 || buffer[at + 1] != 't' && buffer[at + 1] != 'f') {
            return wrong(Code.MALFORMED);
        }
        number = buffer[at + 1] == 't' ? 1 : 0;
        return FOUND;
    }

    private int big(byte[] buffer, int at, int to) {
        // Two more than the digits: a sign, and one digit too many, which is then judged as such.
        int most = BIG_DIGITS + 2;
        if (line(buffer, at, to, most) == WRONG && to - at > most + 1
            && lineEnd(buffer, at + 1, at + 2 + most) < 0) {
            return wrong(Code.LIMIT_SIZE);
        } else if (look != FOUND) {
            return look;
        }
        int digits = Decimals.bigDigits(buffer, at + 1, end);
        if (digits < 0) {
            return wrong(Code.BAD_NUMBER);
        }
        return digits > BIG_DIGITS ? wrong(Code.LIMIT_SIZE) : FOUND;
    }

    /**
     * Finds the CR LF of the line at {@code at}. A CR or LF by itself, or more than {@code most} bytes before it, is
     * wrong as soon as it is seen.
     */
    private int line(byte[] buffer, int at, int to, int most) {
        form = LINE;
        int first = at + 1;
        int stop = (int) Math.min(to, (long) first + most + 1);
        int found = lineEnd(buffer, first + searched, stop);
        if (found < 0) {
            searched = Math.min(stop - first, most);
            return stop > (long) first + most ? wrong(Code.MALFORMED) : more();
        } else if (buffer[found] != '\r') {
            return wrong(Code.MALFORMED);
        } else if (found + 1 >= to) {
            searched = found - first;
            return more();
        } else if (buffer[found + 1] != '\n') {
            return wrong(Code.MALFORMED);
        }
        end = found;
        after = found + 2;
        look = FOUND;
        return look;
    }

    private int more() {
        look = MORE;
        return look;
    }

    /** Returns where the first CR or LF of {@code buffer[from, to)} is, or -1. */
    private static int lineEnd(byte[] buffer, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = buffer[i];
            if (b == '\r' || b == '\n') {
                return i;
            }
        }
        return -1;
    }
}
