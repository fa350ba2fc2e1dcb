package io.samewire.pack.wire;

/**
 * Finds lone surrogates. A whole block of wide text is checked in one pass: text by text, as many checks of a few units
 * each would take longer than to read or write the texts. Nothing pairs across the end of a text if no text {@linkplain
 * #splitsPair begins or ends} inside a pair.
 */
final class Surrogates {
    private static final long EACH_UNIT = 0x0001_0001_0001_0001L;
    private static final int WORDS = 4 * Long.BYTES;

    private Surrogates() {}

    /** Whether a text that begins and ends with those units begins with a low surrogate or ends with a high one. */
    static boolean splitsPair(char first, char last) {
        return Character.isLowSurrogate(first) || Character.isHighSurrogate(last);
    }

    /** Whether every surrogate in the UTF-16 in {@code bytes[from, to)}, little-endian, is half of a pair. */
    static boolean arePaired(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            while (to - at >= WORDS && !hasAny(bytes, at)) {
                at += WORDS;
            }
            int stop = Math.min(to, at + WORDS);
            while (at < stop) {
                char unit = Bytes.getChar(bytes, at);
                at += Character.BYTES;
                if (Character.isSurrogate(unit)) {
                    if (at == to || !Character.isSurrogatePair(unit, Bytes.getChar(bytes, at))) {
                        return false;
                    }
                    at += Character.BYTES;
                }
            }
        }
        return true;
    }

    /** Whether there are surrogates in {@code bytes[from, to)}, which 16 units of the same text precede. */
    static boolean areIn(byte[] bytes, int from, int to) {
        int at = from;
        for (; to - at >= WORDS; at += WORDS) {
            if (hasAny(bytes, at)) {
                return true;
            }
        }
        return at < to && hasAny(bytes, to - WORDS);
    }

    /** Whether one of 16 units is a surrogate: its five highest bits are 11011. */
    private static boolean hasAny(byte[] bytes, int at) {
        long a = others(bytes, at);
        long b = others(bytes, at + 8);
        long c = others(bytes, at + 16);
        long d = others(bytes, at + 24);
        return ((a - EACH_UNIT & ~a | b - EACH_UNIT & ~b | c - EACH_UNIT & ~c | d - EACH_UNIT & ~d)
            & EACH_UNIT * 0x8000) != 0;
    }

    /** Four units, of which the surrogates are made 0 and no other. */
    private static long others(byte[] bytes, int at) {
        return Bytes.getLong(bytes, at) & EACH_UNIT * 0xf800 ^ EACH_UNIT * 0xd800;
    }
}
