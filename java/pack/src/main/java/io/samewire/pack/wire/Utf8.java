package io.samewire.pack.wire;

import java.nio.charset.StandardCharsets;

/**
 * Text as UTF-8, to and from UTF-16, little-endian, as strings hold it. Strict: the JDK's own decoder puts U+FFFD in
 * the place of what is not well-formed, and copies wide text three times.
 */
final class Utf8 {
    private static final long EACH_UNIT = 0x0001_0001_0001_0001L;
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    /** The highest bit of each unit. */
    private static final long HIGHEST = EACH_UNIT * 0x8000;
    private static final long BEYOND_ASCII = EACH_UNIT * 0xff80;
    /** Bytes behind a text that {@link #write} may write, other than its own. */
    static final int SCRATCHED = Integer.BYTES;
    private static final int UNITS = Long.BYTES / Character.BYTES;
    /** Units after which {@link #saved} asks whether the rest can still save anything. */
    private static final int STRETCH = 16;
    /** UTF-8 saves nothing, and the text holds surrogates. */
    static final int SURROGATES = -1;

    private Utf8() {}

    /**
     * The bytes that UTF-8 saves for well-formed UTF-16; if it saves none, 0 or {@link #SURROGATES}. A character of one
     * byte in UTF-8 saves one; a character of three costs one; others, surrogate pairs too, take the same. Words are
     * read up to the one that holds the last unit.
     */
    static int saved(byte[] utf16, int at, int units) {
        Memory memory = Memory.MEMORY;
        int saved = 0;
        long others = HIGHEST;
        int i = 0;
        for (; i <= units - STRETCH; i += STRETCH) {
            int word = at + Character.BYTES * i;
            long a = memory.getLong(utf16, word);
            long b = memory.getLong(utf16, word + 8);
            long c = memory.getLong(utf16, word + 16);
            long d = memory.getLong(utf16, word + 24);
            // Most texts are of one script, and these two are quick to tell.
            if (((a | b | c | d) & BEYOND_ASCII) == 0) {
                saved += STRETCH;
            } else if ((ofThree(a) & ofThree(b) & ofThree(c) & ofThree(d)) == HIGHEST) {
                saved -= STRETCH;
            } else {
                saved += saved(a) + saved(b) + saved(c) + saved(d);
                others &= noSurrogate(a) & noSurrogate(b) & noSurrogate(c) & noSurrogate(d);
            }
            if (saved + units - i - STRETCH <= 0) {
                boolean any = others != HIGHEST
                    || Surrogates.areIn(utf16, word + Character.BYTES * STRETCH, at + Character.BYTES * units);
                return any ? SURROGATES : 0;
            }
        }
        for (; i <= units - UNITS; i += UNITS) {
            long word = memory.getLong(utf16, at + Character.BYTES * i);
            saved += saved(word);
            others &= noSurrogate(word);
        }
        if (i < units) {
            int unused = UNITS - (units - i);
            // They are made zero, and count as characters of one byte.
            long word = memory.getLong(utf16, at + Character.BYTES * i) & -1L >>> Short.SIZE * unused;
            saved += saved(word) - unused;
            others &= noSurrogate(word);
        }
        return saved > 0 ? saved : others == HIGHEST ? 0 : SURROGATES;
    }

    /** The bytes that UTF-8 saves for four units. */
    private static int saved(long word) {
        long beyondAscii = (word & EACH_UNIT * 0x7f80) + EACH_UNIT * 0x7f80 | word;
        return UNITS - Long.bitCount(beyondAscii & HIGHEST) - Long.bitCount(ofThree(word));
    }

    /** The highest bit of each of four units that is a character of three bytes. */
    private static long ofThree(long word) {
        long beyondTwoBytes = (word & EACH_UNIT * 0x7800) + EACH_UNIT * 0x7800 | word;
        return beyondTwoBytes & noSurrogate(word);
    }

    /** The highest bit of each of four units that is not a surrogate. */
    private static long noSurrogate(long word) {
        long others = word ^ EACH_UNIT * 0xd800;
        return ((others & EACH_UNIT * 0x7800) + EACH_UNIT * 0x7800 | others) & HIGHEST;
    }

    /**
     * Writes UTF-16 as UTF-8, in room for what that takes ({@link #saved}) and {@link #SCRATCHED} bytes more. ASCII is
     * written in words; what such a word has behind it is written over. Four characters of two bytes, as of Greek or
     * Cyrillic, are written in a word, too.
     */
    static void write(byte[] utf16, int from, int to, byte[] bytes, int place) {
        Memory memory = Memory.MEMORY;
        int next = place;
        int at = from;
        while (at < to) {
            if (to - at >= Long.BYTES) {
                long word = memory.getLong(utf16, at);
                long pairs = word | word >>> 8;
                memory.putInt(bytes, next, (int) (pairs & 0xffff | pairs >>> 16 & 0xffff_0000L));
                // Not by the number of zeros alone: the next word would wait for it.
                long others = word & BEYOND_ASCII;
                if (others == 0) {
                    next += UNITS;
                    at += Long.BYTES;
                    continue;
                }
                int ascii = Long.numberOfTrailingZeros(others) >>> 4;
                next += ascii;
                at += Character.BYTES * ascii;
            }
            int unit = memory.getChar(utf16, at);
            do {
                long four = to - at >= Long.BYTES ? memory.getLong(utf16, at) : 0;
                if ((four & EACH_UNIT * 0xf800) == 0 && areBeyondAscii(four)) {
                    memory.putLong(bytes, next, EACH_UNIT * 0x80c0 | four >>> 6 & EACH_UNIT * 0x1f
                        | (four & EACH_UNIT * 0x3f) << Byte.SIZE);
                    next += Long.BYTES;
                    at += Long.BYTES;
                    unit = at == to ? 0 : memory.getChar(utf16, at);
                    continue;
                }
                at += Character.BYTES;
                if (unit < 0x80) {
                    bytes[next++] = (byte) unit;
                    break;
                } else if (unit < 0x800) {
                    bytes[next] = (byte) (0xc0 | unit >>> 6);
                    bytes[next + 1] = (byte) (0x80 | unit & 0x3f);
                    next += 2;
                } else if (unit >>> 11 != 0x1b) {
                    bytes[next] = (byte) (0xe0 | unit >>> 12);
                    bytes[next + 1] = (byte) (0x80 | unit >>> 6 & 0x3f);
                    bytes[next + 2] = (byte) (0x80 | unit & 0x3f);
                    next += 3;
                } else {
                    char low = at == to ? 0 : memory.getChar(utf16, at);
                    if (!Character.isSurrogatePair((char) unit, low)) {
                        throw Fault.FAULT;
                    }
                    int character = Character.toCodePoint((char) unit, low);
                    at += Character.BYTES;
                    bytes[next] = (byte) (0xf0 | character >>> 18);
                    bytes[next + 1] = (byte) (0x80 | character >>> 12 & 0x3f);
                    bytes[next + 2] = (byte) (0x80 | character >>> 6 & 0x3f);
                    bytes[next + 3] = (byte) (0x80 | character & 0x3f);
                    next += 4;
                }
                unit = at == to ? 0 : memory.getChar(utf16, at);
            } while (unit >= 0x80);
        }
    }

    /** Whether each of four units is U+0080 or above, of units up to U+07FF: characters of two bytes in UTF-8. */
    private static boolean areBeyondAscii(long word) {
        return (word + EACH_UNIT * 0x7f80 & HIGHEST) == HIGHEST;
    }

    /** The string of {@code bytes[from, to)}, or null if that is not well-formed by itself. */
    static String text(byte[] bytes, int from, int to) {
        Memory memory = Memory.MEMORY;
        // As many units as the first bytes of characters declare, even if no valid bytes follow these.
        byte[] utf16 = new byte[Character.BYTES * units(bytes, from, to)];
        int next = 0;
        int at = from;
        int all = 0;
        while (at < to) {
            if (to - at >= Long.BYTES && utf16.length - next >= 2 * Long.BYTES) {
                long word = memory.getLong(bytes, at);
                memory.putLong(utf16, next, spread(word & 0xffff_ffffL));
                memory.putLong(utf16, next + Long.BYTES, spread(word >>> Integer.SIZE));
                long others = word & EACH_BYTE * 0x80;
                if (others == 0) {
                    next += 2 * Long.BYTES;
                    at += Long.BYTES;
                    continue;
                }
                int ascii = Long.numberOfTrailingZeros(others) >>> 3;
                next += Character.BYTES * ascii;
                at += ascii;
            }
            int first = bytes[at];
            if (first >= 0) {
                memory.putChar(utf16, next, (char) first);
                next += Character.BYTES;
                at++;
                continue;
            }
            do {
                long word = to - at >= Long.BYTES ? memory.getLong(bytes, at) : 0;
                long four = (word & EACH_UNIT * 0x1f) << 6 | word >>> Byte.SIZE & EACH_UNIT * 0x3f;
                if ((word & EACH_UNIT * 0xc0e0) == EACH_UNIT * 0x80c0 && areBeyondAscii(four)) {
                    memory.putLong(utf16, next, four);
                    next += Long.BYTES;
                    at += Long.BYTES;
                    long folded = four | four >>> Integer.SIZE;
                    all |= (char) (folded | folded >>> Character.SIZE);
                    first = at == to ? 0 : bytes[at];
                    continue;
                }
                int size = size(first);
                int character = size > to - at ? -1 : character(bytes, at, size);
                if (character < 0) {
                    return null;
                }
                at += size;
                all |= character;
                if (character >>> Character.SIZE != 0) {
                    memory.putChar(utf16, next, Character.highSurrogate(character));
                    next += Character.BYTES;
                    character = Character.lowSurrogate(character);
                }
                memory.putChar(utf16, next, (char) character);
                next += Character.BYTES;
                first = at == to ? 0 : bytes[at];
            } while (first < 0);
        }
        // The JDK's own code relies on it that Latin-1 is kept as such.
        return all > 0xff ? memory.wide(utf16) : new String(utf16, StandardCharsets.UTF_16LE);
    }

    /** Four bytes as four units. */
    private static long spread(long word) {
        long pairs = (word | word << 16) & 0x0000_ffff_0000_ffffL;
        return (pairs | pairs << 8) & EACH_UNIT * 0xff;
    }

    /** The bytes of the character that begins with that one, which is not ASCII; too many if no character does. */
    private static int size(int first) {
        if (first < (byte) 0xc2 || first > (byte) 0xf4) {
            return Integer.MAX_VALUE;
        }
        return first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
    }

    /** A character of 2 to 4 bytes that are there, or -1. */
    private static int character(byte[] bytes, int at, int size) {
        // 80 … bf become 0 … 3f, all others more.
        int second = bytes[at + 1] + 0x80;
        if (size == 2) {
            return second > 0x3f ? -1 : (bytes[at] & 0x1f) << 6 | second;
        }
        int third = bytes[at + 2] + 0x80;
        if (size == 3) {
            int character = (bytes[at] & 0x0f) << 12 | second << 6 | third;
            return (second | third) > 0x3f || character < 0x800 || character >>> 11 == 0x1b ? -1 : character;
        }
        int fourth = bytes[at + 3] + 0x80;
        int character = (bytes[at] & 0x07) << 18 | second << 12 | third << 6 | fourth;
        return (second | third | fourth) > 0x3f || !Character.isSupplementaryCodePoint(character) ? -1 : character;
    }

    private static int units(byte[] bytes, int from, int to) {
        int units = 0;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = Memory.MEMORY.getLong(bytes, at);
            long following = word & ~word << 1;
            long ofFour = word & word << 1 & word << 2 & word << 3;
            units += Long.BYTES - Long.bitCount(following & EACH_BYTE * 0x80)
                + Long.bitCount(ofFour & EACH_BYTE * 0x80);
        }
        for (; at < to; at++) {
            units += bytes[at] < (byte) 0xc0 ? 0 : (bytes[at] & 0xf0) == 0xf0 ? 2 : 1;
        }
        return units;
    }
}
