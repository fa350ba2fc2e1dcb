package io.samewire.pack.wire;

import io.samewire.pack.Limits;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A message being written: its values, its two blocks of text, and the state that decides about look-ups. One is kept for
 * each of a few threads and used again; nothing of one message is left for the next, neither bytes nor references.
 */
public final class Writer extends ValueWriter {
    /** Straight misses after which a site is closed. */
    private static final int SITE_MISSES = 128;
    private static final int MOST_TOKEN = 6;
    private static final int FIRST_VALUES = 2048;
    private static final int FIRST_TEXT = 2048;
    private static final int MOST_KEPT = 1 << 20;

    byte[] latin = new byte[FIRST_TEXT];
    int latinLength;
    byte[] wide = new byte[FIRST_TEXT];
    int wideLength;
    boolean refs;
    /** Texts numbered so far. */
    private int numbered;
    private final TextTable table = new TextTable(new SplittableRandom());
    private int[] misses = new int[16];
    private Map<Object, Integer> shared;

    final Packing packing = new Packing();
    final long[] block = new long[Packing.BLOCK];

    /** Where {@link Writers} keeps this one; -1 if nowhere. */
    int slot = -1;

    /** A writer with buffers of its own. */
    Writer() {
        buf = new byte[FIRST_VALUES];
    }

    /** Gets ready for a message. */
    void begin(Limits limits, boolean compactProfile, int sites) {
        depth = limits.depth();
        frameBytes = limits.frameBytes();
        compact = compactProfile;
        base = 0;
        pos = 1;
        if (misses.length < sites) {
            misses = new int[sites];
        }
    }

    /** Forgets the message, and buffers that were large. */
    void end() {
        if (compact && numbered != 0) {
            table.clear(numbered);
            Arrays.fill(misses, 0);
        }
        numbered = 0;
        latinLength = 0;
        wideLength = 0;
        refs = false;
        aligned = false;
        if (shared != null) {
            shared.clear();
        }
        buf = kept(buf, FIRST_VALUES);
        latin = kept(latin, FIRST_TEXT);
        wide = kept(wide, FIRST_TEXT);
    }

    private static byte[] kept(byte[] buffer, int first) {
        return buffer.length > MOST_KEPT ? new byte[first] : buffer;
    }

    /** {@code string} at that site (section 6). */
    public void text(String text, int site) {
        RawStrings raw = RawStrings.RAW;
        if (raw == null) {
            copiedText(text, site);
            return;
        }
        int units = text.length();
        byte[] value = raw.value(text);
        if (value.length != units) {
            wideText(value, 0, units, site);
        } else {
            latinText(value, 0, units, site);
        }
    }

    /** Without a view into the string its characters are first put where they would stand if they are new. */
    @SuppressWarnings("deprecation") // The one method that copies the low halves of chars.
    private void copiedText(String text, int site) {
        int units = text.length();
        int all = 0;
        for (int i = 0; i < units; i++) {
            all |= text.charAt(i);
        }
        if (all < 0x100) {
            if (latin.length - latinLength < units) {
                latin = grown(latin, latinLength, units);
            }
            text.getBytes(0, units, latin, latinLength);
            latinText(latin, latinLength, units, site);
        } else {
            if (wide.length - wideLength < 2L * units) {
                wide = grown(wide, wideLength, 2 * units);
            }
            for (int i = 0; i < units; i++) {
                Bytes.putChar(wide, wideLength + 2 * i, text.charAt(i));
            }
            wideText(wide, wideLength, units, site);
        }
    }

    private void latinText(byte[] from, int at, int length, int site) {
        reserve(MOST_TOKEN);
        if (length >= 2 && length <= Header.SHORT_LATIN) {
            if (compact && misses[site] < SITE_MISSES && lookUp(from, at, length, latin, latinLength, false, site)) {
                return;
            }
            numbered++;
        }
        if (length <= Header.SHORT_LATIN) {
            buf[pos++] = (byte) length;
        } else {
            buf[pos++] = Header.LONG_LATIN_TOKEN;
            u32(length - (Header.SHORT_LATIN + 1));
        }
        int to = latinLength;
        if (latin.length - to < length) {
            latin = grown(latin, to, length);
        }
        if (from != latin) {
            System.arraycopy(from, at, latin, to, length);
        }
        latinLength = to + length;
    }

    private void wideText(byte[] from, int at, int units, int site) {
        checkSurrogates(from, at, units);
        reserve(MOST_TOKEN);
        if (units >= 2 && units <= Header.SHORT_WIDE) {
            if (compact && misses[site] < SITE_MISSES && lookUp(from, at, 2 * units, wide, wideLength, true, site)) {
                return;
            }
            numbered++;
        }
        if (units <= Header.SHORT_WIDE) {
            buf[pos++] = (byte) (0x62 + units);
        } else {
            buf[pos++] = Header.LONG_WIDE_TOKEN;
            u32(units - (Header.SHORT_WIDE + 1));
        }
        int to = wideLength;
        if (wide.length - to < 2L * units) {
            wide = grown(wide, to, 2 * units);
        }
        if (from != wide) {
            System.arraycopy(from, at, wide, to, 2 * units);
        }
        wideLength = to + 2 * units;
    }

    private static void checkSurrogates(byte[] from, int at, int units) {
        boolean high = false;
        for (int i = 0; i < units; i++) {
            char c = Bytes.getChar(from, at + 2 * i);
            if (Character.isLowSurrogate(c) != high) {
                throw Fault.FAULT;
            }
            high = Character.isHighSurrogate(c);
        }
        if (high) {
            throw Fault.FAULT;
        }
    }

    /** Writes a back reference if the text came before; records it if not. */
    private boolean lookUp(byte[] from, int at, int length, byte[] in, int written, boolean isWide, int site) {
        int number = table.findOrRecord(from, at, length, in, written, isWide, numbered);
        if (number < 0) {
            misses[site]++;
            return false;
        }
        misses[site] = 0;
        refs = true;
        if (number < Header.ONE_BYTE_REFS) {
            buf[pos++] = (byte) (0x80 + number);
        } else if (number < Header.TWO_BYTE_REFS) {
            buf[pos] = (byte) (0xe0 + (number - Header.ONE_BYTE_REFS >>> 8));
            buf[pos + 1] = (byte) (number - Header.ONE_BYTE_REFS);
            pos += 2;
        } else {
            buf[pos++] = Header.LONG_REF_TOKEN;
            u32(number - Header.TWO_BYTE_REFS);
        }
        return true;
    }

    /** Writes the number of a struct that was shared before (true), or 0, after which the struct must follow (false). */
    public boolean sharedBefore(Object struct) {
        if (struct == null) {
            throw Fault.FAULT;
        }
        Integer number = shared == null ? null : shared.get(struct);
        u32(number == null ? 0 : number + 1);
        return number != null;
    }

    /** Gives a shared struct its number, when it ends. */
    public void share(Object struct) {
        if (shared == null) {
            shared = new IdentityHashMap<>();
        }
        shared.put(struct, shared.size());
    }
}
