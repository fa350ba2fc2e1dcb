package io.samewire.redis.resp;

/**
 * Passes over the elements that nearly all replies are made of: integers, and texts behind their length.
 */
final class PlainElements {
    /** More digits could overflow an int. */
    private static final int DIGITS = 9;
    /** The fewest bytes of such an element. */
    private static final int LEAST = 4;

    private PlainElements() {}

    /**
     * Passes over so many elements at most from {@code buffer[from]} on, as long as they are plain and wholly there.
     *
     * @return how many were passed in the upper half, and where the next one begins in the lower
     */
    static long pass(byte[] buffer, int from, int to, int most) {
        int at = from;
        int passed = 0;
        while (passed < most && to - at >= LEAST) {
            int next = end(buffer, at, to);
            if (next < 0) {
                break;
            }
            at = next;
            passed++;
        }
        return (long) passed << Integer.SIZE | at;
    }

    /** Returns where an element ends that is plain and there, or -1. */
    private static int end(byte[] buffer, int at, int to) {
        byte type = buffer[at];
        if (type != '$' && type != ':') {
            return -1;
        }
        int value = buffer[at + 1] - '0';
        if (value < 0 || value > 9) {
            return -1;
        }
        int i = at + 2;
        byte b = buffer[i];
        if (b != '\r') {
            if (value == 0) {
                return -1;
            }
            int stop = Math.min(to - 1, at + 1 + DIGITS);
            do {
                int digit = b - '0';
                if (digit < 0 || digit > 9 || i >= stop) {
                    return -1;
                }
                value = value * 10 + digit;
                b = buffer[++i];
            } while (b != '\r');
        }
        if (i + 1 >= to || buffer[i + 1] != '\n') {
            return -1;
        }
        i += 2;
        if (type == ':') {
            return i;
        }
        if (value > to - 2 - i) {
            return -1;
        }
        int stop = i + value;
        return buffer[stop] == '\r' && buffer[stop + 1] == '\n' ? stop + 2 : -1;
    }
}
