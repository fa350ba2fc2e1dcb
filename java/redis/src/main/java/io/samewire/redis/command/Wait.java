package io.samewire.redis.command;

import java.util.List;

/**
 * Where a command says how long it waits.
 *
 * @param word the word before the time-out; null if it has a fixed position
 * @param position the position of the time-out; from the end if it is negative
 * @param unit what one of the time-out is in milliseconds
 */
record Wait(String word, int position, int unit) {
    /** A time-out in seconds. */
    static Wait seconds(int position) {
        return new Wait(null, position, 1_000);
    }

    /** A time-out in milliseconds. */
    static Wait millis(int position) {
        return new Wait(null, position, 1);
    }

    /**
     * A time-out in milliseconds behind BLOCK, which must stand at a position or behind it, and before STREAMS; without
     * it nothing waits.
     */
    static Wait block(int from) {
        return new Wait("BLOCK", from, 1);
    }

    /** How long the command waits in milliseconds; 0 for ever, -1 if it does not wait. */
    long millis(List<Object> words) {
        int at = position < 0 ? words.size() + position : position;
        if (word != null) {
            while (at < words.size() && !word.equalsIgnoreCase(words.get(at).toString())) {
                if ("STREAMS".equalsIgnoreCase(words.get(at).toString())) {
                    return -1;
                }
                at++;
            }
            at++;
        }
        if (at < 1 || at >= words.size()) {
            return -1;
        }
        double timeout = decimal(words.get(at));
        return timeout <= 0 ? 0 : (long) Math.ceil(timeout * unit);
    }

    private static double decimal(Object word) {
        try {
            return word instanceof Number number ? number.doubleValue() : Double.parseDouble(word.toString());
        } catch (NumberFormatException invalid) {
            return 0; // The server refuses it at once.
        }
    }

    /** A word as an integer; 0 if it is none, which the server refuses. */
    static long number(Object word) {
        try {
            return word instanceof Number number ? number.longValue() : Long.parseLong(word.toString());
        } catch (NumberFormatException invalid) {
            return 0;
        }
    }
}
