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
    /** Bytes before the Latin-1 block: at least those of the header, the digest and two lengths. */
    static final int HEADROOM = 24;
    /** Straight misses after which a site is closed. */
    private static final int SITE_MISSES = 128;
    private static final int MOST_TOKEN = 6;
    private static final int FIRST_VALUES = 2048;
    private static final int FIRST_TEXT = 2048;
    private static final int MOST_KEPT = 2 << 20;

    /** The Latin-1 block, behind room for what stands before it in the message. */
    byte[] latin = new byte[FIRST_TEXT];
    /** Where the block begins, {@link #HEADROOM} in a buffer of our own. */
    int latinStart = HEADROOM;
    int latinEnd = HEADROOM;
    byte[] wide = new byte[FIRST_TEXT];
    int wideEnd;
    boolean refs;
    /** Texts numbered so far. */
    private int numbered;
    private final TextTable table = new TextTable(new SplittableRandom());
    private int[] misses = new int[16];
    private Map<Object, Integer> shared;

    final Packing packing = new Packing();
    final long[] block = new long[Packing.BLOCK];

    /** The thread that {@link Writers} keeps this one for; null if it is anyone's. */
    final Thread owner;
    /** Whether the owner is using it. */
    boolean busy;

    /** A writer with buffers of its own. */
    Writer(Thread owner) {
        this.owner = owner;
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
        if (compactProfile) {
            Arrays.fill(misses, 0, sites, 0);
        }
    }

    /** Forgets the message, and buffers that were large. */
    void end() {
        if (compact && numbered != 0) {
            table.clear(numbered);
        }
        numbered = 0;
        latinStart = HEADROOM;
        latinEnd = HEADROOM;
        wideEnd = 0;
        refs = false;
        aligned = false;
        if (shared != null) {
            shared.clear();
        }
        if (buf.length + latin.length + wide.length > MOST_KEPT) {
            buf = new byte[FIRST_VALUES];
            latin = new byte[FIRST_TEXT];
            wide = new byte[FIRST_TEXT];
        }
    }

    /**
     * {@code string} at that site (section 6). Latin-1 of 1 to 16 characters that nobody looks up is written here, where the
     * JIT inlines it: whole words, so that up to 7 bytes behind the text are scratched.
     */
    public void text(String text, int site) {
        if (Memory.SEES_STRINGS && text != null) {
            byte[] value = Memory.MEMORY.value(text);
            int length = value.length;
            if (Memory.MEMORY.coder(text) == 0 && length - 1 >>> 4 == 0) {
                if (compact) {
                    boolean two = length > 8;
                    long head = two ? Memory.MEMORY.getLong(value, 0) : Memory.MEMORY.getLong(value, length - 8) >>> -8 * length;
                    shortText(head, two ? Memory.MEMORY.getLong(value, length - 8) : 0, length, site);
                    return;
                }
                byte[] to = buf;
                int at = pos;
                byte[] block = latin;
                int end = latinEnd;
                if (to.length - at >= MOST_TOKEN && block.length - end >= 16) {
                    to[at] = (byte) length;
                    pos = at + 1;
                    latinEnd = end + length;
                    Memory.MEMORY.putLong(block, end, Memory.MEMORY.getLong(value, 0));
                    if (length > 8) {
                        Memory.MEMORY.putLong(block, end + 8, Memory.MEMORY.getLong(value, 8));
                    }
                    return;
                }
            }
        }
        anyText(text, site);
    }

    private void anyText(String text, int site) {
        if (!Memory.SEES_STRINGS) {
            copiedText(text, site);
            return;
        }
        int length = text.length();
        byte[] value = Memory.MEMORY.value(text);
        if (value.length != length) {
            wideText(value, 0, length, site);
        } else if (length == 0) {
            u8(0);
        } else {
            latinText(value, 0, length, site);
        }
    }

    /**
     * Latin-1 of up to 16 characters, the commonest kind: two words that overlap, which are looked up and stored as such. The
     * look-up is written out, which makes this method too large for the JIT to inline: a fifth quicker than inlined, where it
     * runs out of registers.
     *
     * @param head its first 8 bytes, or all of them, zeroes above them (anything if it is empty)
     * @param tail its last 8 bytes, or 0 where the first word holds all
     */
    private void shortText(long head, long tail, int length, int site) {
        reserve(MOST_TOKEN);
        int number = numbered;
        if (length >= 2) {
            if (compact && misses[site] < SITE_MISSES) {
                TextTable texts = table;
                if (texts.whole) {
                    int found = texts.findOrRecord(head, tail, length, number);
                    if (found >= 0) {
                        earlier(found, site);
                        return;
                    }
                } else {
                    int epoch = texts.epoch;
                    int tag = (int) (head * texts.seedA + tail * texts.seedB >>> 64 - TextTable.TAG_BITS);
                    long[] slots = texts.slots;
                    int mask = slots.length - TextTable.WORDS;
                    int i = tag * TextTable.WORDS & mask;
                    for (long slot = slots[i]; (int) (slot >>> TextTable.NUMBER_SHIFT) >= epoch; slot = slots[i]) {
                        if (slots[i + 1] == head && slots[i + 2] == tail && (slot & 0xff) == length) {
                            int found = (int) (slot >>> TextTable.NUMBER_SHIFT) - epoch;
                            if (found < Header.ONE_BYTE_REFS) {
                                misses[site] = 0;
                                refs = true;
                                buf[pos++] = (byte) (0x80 + found);
                            } else {
                                earlier(found, site);
                            }
                            return;
                        }
                        i = i + TextTable.WORDS & mask;
                        texts.steps++;
                    }
                    slots[i] = (long) tag << TextTable.TAG_SHIFT | (long) (epoch + number) << TextTable.NUMBER_SHIFT | length;
                    slots[i + 1] = head;
                    slots[i + 2] = tail;
                    texts.recorded(slots.length);
                }
                misses[site]++;
            }
            numbered = number + 1;
        }
        buf[pos++] = (byte) length;
        int to = latinEnd;
        latinEnd = to + length;
        if (latin.length - to < 16) {
            latin = grown(latin, latinStart, to, 16);
        }
        Memory.MEMORY.putLong(latin, to, head);
        if (length > 8) {
            Memory.MEMORY.putLong(latin, to + length - 8, tail);
        }
    }

    /** The words of {@link #shortText}, without a look at anything beside the text. */
    private void shortText(byte[] from, int at, int length, int site) {
        if (length > 8) {
            shortText(Bytes.getLong(from, at), Bytes.getLong(from, at + length - 8), length, site);
            return;
        }
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (from[at + i] & 0xffL) << 8 * i;
        }
        shortText(word, 0, length, site);
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
            reserveLatin(units + Long.BYTES); // As for new text, which must find its array where it is.
            text.getBytes(0, units, latin, latinEnd);
            int at = latinEnd;
            if (units > 16) {
                latinText(latin, at, units, site);
            } else {
                shortText(latin, at, units, site);
            }
        } else {
            if (wide.length - wideEnd < 2L * units) {
                wide = grown(wide, 0, wideEnd, 2 * units);
            }
            for (int i = 0; i < units; i++) {
                Bytes.putChar(wide, wideEnd + 2 * i, text.charAt(i));
            }
            wideText(wide, wideEnd, units, site);
        }
    }

    /** Latin-1 of 17 characters or more, or of any number where nothing is looked up. */
    private void latinText(byte[] from, int at, int length, int site) {
        reserve(MOST_TOKEN);
        if (length <= Header.SHORT_LATIN) {
            if (compact && misses[site] < SITE_MISSES && lookUp(from, at, length, latin, latinEnd, false, site)) {
                return;
            }
            numbered++;
            buf[pos++] = (byte) length;
        } else {
            buf[pos++] = Header.LONG_LATIN_TOKEN;
            u32(length - (Header.SHORT_LATIN + 1));
        }
        int to = latinEnd;
        reserveLatin(length + Long.BYTES);
        if (from != latin) {
            copy(from, latin, to, length);
        }
        latinEnd = to + length;
    }

    void reserveLatin(int more) {
        if (latin.length - latinEnd < more) {
            latin = grown(latin, latinStart, latinEnd, more);
        }
    }

    void appendToLatin(byte[] from, int at, int length) {
        reserveLatin(length);
        System.arraycopy(from, at, latin, latinEnd, length);
        latinEnd += length;
    }

    /** All of an array that is inside a string, in whole words: a call for every short text would cost more than the copy. */
    private static void copy(byte[] from, byte[] to, int at, int length) {
        if (length > 64) {
            System.arraycopy(from, 0, to, at, length);
            return;
        }
        for (int i = 0; i < length; i += 8) {
            Memory.MEMORY.putLong(to, at + i, Memory.MEMORY.getLong(from, i));
        }
    }

    private void wideText(byte[] from, int at, int units, int site) {
        checkSurrogates(from, at, units);
        reserve(MOST_TOKEN);
        if (units >= 2 && units <= Header.SHORT_WIDE) {
            if (compact && misses[site] < SITE_MISSES && lookUp(from, at, 2 * units, wide, wideEnd, true, site)) {
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
        int to = wideEnd;
        if (wide.length - to < 2L * units) {
            wide = grown(wide, 0, to, 2 * units);
        }
        if (from != wide) {
            System.arraycopy(from, at, wide, to, 2 * units);
        }
        wideEnd = to + 2 * units;
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
        earlier(number, site);
        return true;
    }

    private void earlier(int number, int site) {
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
