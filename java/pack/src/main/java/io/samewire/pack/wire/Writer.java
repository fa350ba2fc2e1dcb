package io.samewire.pack.wire;

import io.samewire.core.Limits;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A message being written: its values, its three blocks of text, and the state that decides about look-ups. One is kept
 * for each of a few threads and used again; nothing of one message is left for the next, neither bytes nor references.
 */
public final class Writer extends ValueWriter {
    /** Bytes before the Latin-1 block: at least those of the header, the digest and three lengths. */
    static final int HEADROOM = 24;
    /** Room for the token of a text, which {@link #text}, {@link #rowText} and {@link #slotText} do not make. */
    public static final int MOST_TOKEN = 6;
    /** Where values begin in a buffer of our own: there is room for the header and the digest before them. */
    static final int FIRST_VALUE = 1 + Header.DIGEST_BYTES;
    private static final int NONE = -1;
    /** Characters of Latin-1 that two words hold. */
    private static final int SHORT = 16;
    private static final int FIRST_VALUES = 2048;
    private static final int FIRST_TEXT = 2048;
    /** Bytes of the buffers that are always kept. */
    private static final int MOST_KEPT = 2 << 20;
    /** Bytes of the buffers that are kept until the collector needs them. */
    private static final int MOST_KEPT_SOFTLY = 32 << 20;
    private static final int MOST_SHARED = 1024;

    /** The Latin-1 block, behind room for what stands before it in the message. */
    byte[] latin;
    /** Where the block begins, {@link #HEADROOM} in a buffer of our own. */
    int latinStart = HEADROOM;
    int latinEnd = HEADROOM;
    byte[] wide;
    int wideEnd;
    /** Whether the wide block holds surrogates, which may be lone. */
    boolean surrogates;
    byte[] utf8;
    int utf8End;
    boolean refs;
    KeyOrder keyOrder = KeyOrder.UNORDERED_MAPS;
    private final DedupTable table;
    /** The numbers of shared structs. */
    Map<Object, Integer> shared;

    /** What the last message left if it was large; null if it was not, empty if the collector has taken it. */
    private SoftReference<Buffers> large;
    private WriterScratch scratch;
    /** Whose scratch that is, if it is another's. */
    private Writer lender;

    /**
     * The thread that {@link WriterPool} keeps this writer for, weakly referenced; null if any thread may take it.
     */
    Reference<Thread> owner;
    /** Whether the owner is using it. */
    boolean busy;

    private record Buffers(byte[] values, byte[] latin, byte[] wide, byte[] utf8) {}

    /** A writer with buffers of its own. */
    Writer() {
        buf = new byte[FIRST_VALUES];
        latin = new byte[FIRST_TEXT];
        wide = new byte[FIRST_TEXT];
        utf8 = new byte[FIRST_TEXT];
        table = new DedupTable();
        scratch = new WriterScratch();
    }

    /**
     * A writer of one message without text, whose values begin at {@code from} in a given array. It is not pooled: to
     * make so small an object is cheaper than to find a kept one, and to store the array in that would cost the
     * collector's barrier.
     */
    Writer(Limits limits, boolean compact, byte[] array, int from) {
        limit(limits);
        this.compact = compact;
        buf = array;
        base = from - 1;
        pos = from;
        table = null;
    }

    /** Working memory, for as long as the message lasts. */
    WriterScratch scratch() {
        if (scratch == null) {
            lender = WriterPool.take();
            scratch = lender.scratch;
        }
        return scratch;
    }

    /** What packs integers. */
    BitPacking packing() {
        return scratch().packing;
    }

    /** An array of at least {@code n} numbers of any value, in use until {@link #release}. */
    public long[] longs(int n) {
        return scratch().columns.longs(n);
    }

    /** How many arrays of columns are in use. */
    public int mark() {
        return scratch().columns.mark();
    }

    /** Frees the arrays of columns that came after that mark. */
    public void release(int mark) {
        scratch.columns.release(mark);
    }

    /** Whether a list or map of {@code n} elements is written as columns, if it needs {@code least} of them. */
    public boolean isColumnar(int n, int least) {
        return n >= least && compact;
    }

    /** Whether maps that have an order are sorted too. */
    public boolean sortsAllMaps() {
        return keyOrder == KeyOrder.ALL_MAPS;
    }

    /** The count of a columnar list or map whose elements or entries take {@code each} cells. */
    public void columnarCount(int n, int each) {
        claim(n, each);
        u32(n | ColumnForm.MARK);
    }

    /** Gives pooled arrays back; for a writer that is not pooled. */
    void giveBack() {
        if (lender != null) {
            WriterPool.give(lender);
        }
    }

    /** Gets ready for a message. */
    void begin(Limits limits, boolean compactProfile, int dedupSlots) {
        limit(limits);
        compact = compactProfile;
        base = FIRST_VALUE - 1;
        pos = FIRST_VALUE;
        if (compactProfile) {
            table.enableAll(dedupSlots);
        }
        if (large != null) {
            takeLarge();
        }
    }

    private void limit(Limits limits) {
        depth = limits.depth();
        frameBytes = limits.frameBytes();
        items = limits.items();
        cells = limits.cells();
    }

    /** Forgets the message. */
    void end() {
        table.clear();
        if (room() > MOST_KEPT) {
            putLarge();
        }
        latinStart = HEADROOM;
        latinEnd = HEADROOM;
        wideEnd = 0;
        surrogates = false;
        utf8End = 0;
        refs = false;
        aligned = false;
        scratch.columns.release(0);
        if (shared != null && !shared.isEmpty()) {
            // An identity map never shrinks, and emptying it takes as long as it is large.
            if (shared.size() > MOST_SHARED) {
                shared = null;
            } else {
                shared.clear();
            }
        }
    }

    private void takeLarge() {
        Buffers buffers = large.get();
        if (buffers != null) {
            buf = buffers.values;
            latin = buffers.latin;
            wide = buffers.wide;
            utf8 = buffers.utf8;
        }
        large = null;
    }

    private long room() {
        return (long) buf.length + latin.length + wide.length + utf8.length;
    }

    /** Leaves the buffers for the next message; not if this one filled less than a quarter of them. */
    private void putLarge() {
        long bytes = room();
        long used = (long) pos + latinEnd + wideEnd + utf8End;
        if (bytes <= MOST_KEPT_SOFTLY && used >= bytes / 4) {
            large = new SoftReference<>(new Buffers(buf, latin, wide, utf8));
        }
        buf = new byte[FIRST_VALUES];
        latin = new byte[FIRST_TEXT];
        wide = new byte[FIRST_TEXT];
        utf8 = new byte[FIRST_TEXT];
    }

    /**
     * {@code string} at that dedup slot (section 6). Latin-1 of 1 to 16 characters that is not deduplicated is written
     * here, where the JIT inlines it: whole words, so that up to 7 bytes behind the text are scratched.
     *
     * @return the number by which {@link #earlier} may write the same text at this dedup slot, next time that there is
     *     text; or -1
     */
    public int text(String text, int dedupSlot) {
        if (Memory.SEES_STRINGS && text != null) {
            byte[] value = Memory.MEMORY.value(text);
            int length = value.length;
            if (Memory.MEMORY.coder(text) == 0) {
                if (length - 1 >>> 4 != 0) {
                    return longerText(value, length, dedupSlot);
                }
                if (compact && length > 1) {
                    DedupTable texts = table;
                    if (texts.isEnabled(dedupSlot)) {
                        return texts.isQuick() ? shortText(value, length, dedupSlot)
                            : latinText(value, 0, length, dedupSlot);
                    }
                }
                byte[] block = latin;
                int end = latinEnd;
                if (block.length - end >= 16) {
                    if (compact && length > 1) {
                        table.next++;
                    }
                    buf[pos++] = (byte) length;
                    latinEnd = end + length;
                    Memory.MEMORY.putLong(block, end, Memory.MEMORY.getLong(value, 0));
                    if (length > 8) {
                        Memory.MEMORY.putLong(block, end + 8, Memory.MEMORY.getLong(value, 8));
                    }
                    return NONE;
                }
                return latinText(value, 0, length, dedupSlot);
            }
        }
        return anyText(text, dedupSlot);
    }

    /**
     * A {@code string} of a row of them, at a disabled dedup slot. No branch on its length, which cannot
     * be foreseen among so many: HotSpot copies up to 32 bytes without one where the processor has masks.
     */
    public void rowText(String text, int dedupSlot) {
        if (Memory.SEES_STRINGS && text != null) {
            byte[] value = Memory.MEMORY.value(text);
            int length = value.length;
            byte[] block = latin;
            int end = latinEnd;
            if (Memory.MEMORY.coder(text) == 0 && length <= Header.SHORT_LATIN && block.length - end >= length) {
                buf[pos++] = (byte) length;
                latinEnd = end + length;
                if (length < 2) {
                    unnumber();
                }
                System.arraycopy(value, 0, block, end, length);
                return;
            }
        }
        unnumber();
        anyText(text, dedupSlot);
    }

    /**
     * A {@code string} of a struct, at a disabled dedup slot: {@link #text} without the lookup.
     */
    public void slotText(String text, int dedupSlot) {
        if (Memory.SEES_STRINGS && text != null) {
            byte[] value = Memory.MEMORY.value(text);
            int length = value.length;
            byte[] block = latin;
            int end = latinEnd;
            if (Memory.MEMORY.coder(text) == 0) {
                if (length > Header.SHORT_LATIN || block.length - end < Header.SHORT_LATIN) {
                    unnumber();
                    latinText(value, 0, length, dedupSlot);
                    return;
                }
                buf[pos++] = (byte) length;
                latinEnd = end + length;
                if (length < 2) {
                    unnumber();
                }
                if (length - 1 >>> 4 != 0) {
                    System.arraycopy(value, 0, block, end, length);
                    return;
                }
                Memory.MEMORY.putLong(block, end, Memory.MEMORY.getLong(value, 0));
                if (length > 8) {
                    Memory.MEMORY.putLong(block, end + 8, Memory.MEMORY.getLong(value, 8));
                }
                return;
            }
        }
        unnumber();
        anyText(text, dedupSlot);
    }

    /**
     * Reserves numbers for the texts of the following elements; {@link #rowText} and {@link #slotText} return one for a
     * text without a number. Each text takes at least a byte, so texts that exhaust the numbers do not fit a message.
     */
    public void number(int elements, int texts) {
        long next = table.next + (long) elements * texts;
        if (next > Integer.MAX_VALUE) {
            throw Fault.TOO_LONG;
        }
        table.next = (int) next;
    }

    private void unnumber() {
        table.next--;
    }

    /**
     * Latin-1 of 2 to 16 characters at an enabled dedup slot, the commonest kind: one word, or two that overlap. They
     * are written before they are looked up, which frees registers. Below HotSpot's FreqInlineSize, which is worth a
     * fifth; so what is met is a method of its own.
     */
    private int shortText(byte[] value, int length, int dedupSlot) {
        Memory memory = Memory.MEMORY;
        byte[] block = latin;
        int end = latinEnd;
        if (block.length - end < 16) {
            return latinText(value, 0, length, dedupSlot);
        }
        long head = memory.getLong(value, 0);
        memory.putLong(block, end, head);
        long tail = 0;
        long hash;
        if (length > 8) {
            tail = memory.getLong(value, length - 8);
            memory.putLong(block, end + length - 8, tail);
            hash = DedupTable.endsHash(head, tail);
        } else {
            hash = DedupTable.wordHash(head, length);
        }
        int slot = DedupTable.quickSlot(hash);
        return table.isEmpty(slot) ? newText(slot, length, dedupSlot)
            : metText(hash, head, tail, length, dedupSlot);
    }

    /** Writes and records Latin-1 of up to 95 characters that stands behind the block, in an empty slot. */
    private int newText(int slot, int length, int dedupSlot) {
        int end = latinEnd;
        int number = table.record(slot, length, end, dedupSlot);
        latinEnd = end + length;
        Memory.MEMORY.putInt(buf, pos, length);
        pos++;
        return number;
    }

    /** Latin-1 of no or more than 16 characters. */
    private int longerText(byte[] value, int length, int dedupSlot) {
        if (length > SHORT && length <= Header.SHORT_LATIN && isEnabled(dedupSlot) && table.isQuick()
            && latin.length - latinEnd >= length) {
            Memory memory = Memory.MEMORY;
            long hash = DedupTable.endsHash(memory.getLong(value, 0), memory.getLong(value, length - 8));
            int slot = DedupTable.quickSlot(hash);
            if (table.isEmpty(slot)) {
                System.arraycopy(value, 0, latin, latinEnd, length);
                return newText(slot, length, dedupSlot);
            }
        }
        return latinText(value, 0, length, dedupSlot);
    }

    /** A text whose slot is taken: by itself, most likely. It stands behind the block. */
    private int metText(long hash, long head, long tail, int length, int dedupSlot) {
        DedupTable texts = table;
        int slot = DedupTable.quickSlot(hash);
        int number = texts.quickNumber(slot, latin, head, tail, length);
        if (number < 0) {
            slot = DedupTable.nextSlot(slot);
            if (texts.isEmpty(slot)) {
                return newText(slot, length, dedupSlot);
            }
            number = texts.quickNumber(slot, latin, head, tail, length);
            if (number < 0) {
                return latinText(latin, latinEnd, length, dedupSlot);
            }
        }
        if (number < Header.ONE_BYTE_REFS) {
            texts.hit(dedupSlot);
            refs = true;
            Memory.MEMORY.putInt(buf, pos, 0x80 + number);
            pos++;
        } else {
            earlier(number, dedupSlot);
        }
        return number;
    }

    private int anyText(String text, int dedupSlot) {
        if (!Memory.SEES_STRINGS) {
            return copiedText(text, dedupSlot);
        }
        int length = text.length();
        byte[] value = Memory.MEMORY.value(text);
        if (value.length != length) {
            return wideText(value, 0, length, dedupSlot);
        }
        return latinText(value, 0, length, dedupSlot);
    }

    /** Without a view into the string its characters are first put where they would stand if they are new. */
    @SuppressWarnings("deprecation") // The one method that copies the low halves of chars.
    private int copiedText(String text, int dedupSlot) {
        if (!isLatin(text)) {
            return copiedWide(text, dedupSlot);
        }
        int length = text.length();
        reserveLatin(length + Long.BYTES); // As for new text, which must find its array where it is.
        byte[] block = latin;
        int end = latinEnd;
        text.getBytes(0, length, block, end);
        if (length > Header.SHORT_LATIN) {
            return latinText(block, end, length, dedupSlot);
        }
        if (compact && length > 1) {
            DedupTable texts = table;
            if (texts.isEnabled(dedupSlot)) {
                return texts.isQuick() ? placedText(length, dedupSlot) : latinText(block, end, length, dedupSlot);
            }
            texts.next++;
        }
        buf[pos++] = (byte) length;
        latinEnd = end + length;
        return NONE;
    }

    /**
     * Each character is compared, rather than all of them together: HotSpot sees that none can be wide in a string that
     * holds one byte a character, and drops the loop.
     */
    private static boolean isLatin(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) > 0xff) {
                return false;
            }
        }
        return true;
    }

    /** Latin-1 of 2 to 95 characters that stands behind the block, at an enabled dedup slot. */
    private int placedText(int length, int dedupSlot) {
        Memory memory = Memory.MEMORY;
        byte[] block = latin;
        int end = latinEnd;
        long head = memory.getLong(block, end);
        long tail = 0;
        long hash;
        if (length > 8) {
            tail = memory.getLong(block, end + length - 8);
            hash = DedupTable.endsHash(head, tail);
        } else {
            hash = DedupTable.wordHash(head, length);
        }
        int slot = DedupTable.quickSlot(hash);
        if (table.isEmpty(slot)) {
            return newText(slot, length, dedupSlot);
        }
        return length > SHORT ? latinText(block, end, length, dedupSlot)
            : metText(hash, head, tail, length, dedupSlot);
    }

    private int copiedWide(String text, int dedupSlot) {
        int units = text.length();
        // Words are read where the last unit ends. UTF-8 may save as many bytes as there are units.
        if (wide.length - wideEnd < 2L * units + Long.BYTES) {
            wide = grown(wide, units, wideEnd, 2L * units + Long.BYTES);
        }
        for (int i = 0; i < units; i++) {
            Bytes.putChar(wide, wideEnd + 2 * i, text.charAt(i));
        }
        return wideText(wide, wideEnd, units, dedupSlot);
    }

    /**
     * Latin-1 of any length, in the array inside a string or where it will stand. In one piece, and so above HotSpot's
     * FreqInlineSize: where texts are short as a rule, what it takes from them when it is inlined is more than a call
     * costs.
     */
    private int latinText(byte[] from, int at, int length, int dedupSlot) {
        reserveLatin(length + Long.BYTES);
        int to = latinEnd;
        if (length <= Header.SHORT_LATIN) {
            if (compact && length > 1) {
                if (table.isEnabled(dedupSlot)) {
                    int number = lookUp(from, at, length, DedupTable.LATIN, latin, to, dedupSlot);
                    if (number >= 0) {
                        return number;
                    }
                }
                table.next++;
            }
            buf[pos++] = (byte) length;
        } else {
            buf[pos++] = Header.LONG_LATIN_TOKEN;
            u32(length - (Header.SHORT_LATIN + 1));
        }
        latinEnd = to + length;
        byte[] block = latin;
        if (from == block) {
            return NONE;
        } else if (length > 64 || length < 16) {
            System.arraycopy(from, at, block, to, length);
            return NONE;
        }
        // In words, of which those in the middle overlap: a call, or a loop whose end cannot be foreseen, costs more
        // than that.
        Memory memory = Memory.MEMORY;
        int end = to + length;
        long a = memory.getLong(from, at);
        long b = memory.getLong(from, at + 8);
        long y = memory.getLong(from, at + length - 16);
        long z = memory.getLong(from, at + length - 8);
        if (length > 32) {
            memory.putLong(block, to + 16, memory.getLong(from, at + 16));
            memory.putLong(block, to + 24, memory.getLong(from, at + 24));
            memory.putLong(block, end - 32, memory.getLong(from, at + length - 32));
            memory.putLong(block, end - 24, memory.getLong(from, at + length - 24));
        }
        memory.putLong(block, to, a);
        memory.putLong(block, to + 8, b);
        memory.putLong(block, end - 16, y);
        memory.putLong(block, end - 8, z);
        return NONE;
    }

    void reserveLatin(int more) {
        if (latin.length - latinEnd < more) {
            growLatin(more);
        }
    }

    private void growLatin(int more) {
        latin = grown(latin, latinStart, latinEnd, more);
    }

    void appendToLatin(byte[] from, int at, int length) {
        reserveLatin(length);
        System.arraycopy(from, at, latin, latinEnd, length);
        latinEnd += length;
    }

    /** Text that is not Latin-1. The pairs inside of it {@link MessageWriter} checks, when all texts are written. */
    private int wideText(byte[] from, int at, int units, int dedupSlot) {
        int last = at + 2 * units - 2;
        if (Surrogates.splitsPair(Bytes.getChar(from, at), Bytes.getChar(from, last))) {
            throw Fault.FAULT;
        }
        int saved = Utf8.saved(from, at, units);
        if (saved > 0) {
            return utf8Text(from, at, units, 2 * units - saved, dedupSlot);
        }
        surrogates |= saved == Utf8.SURROGATES;
        if (units <= Header.NUMBERED_WIDE) {
            if (isEnabled(dedupSlot)) {
                int number = lookUp(from, at, 2 * units, DedupTable.WIDE, wide, wideEnd, dedupSlot);
                if (number >= 0) {
                    return number;
                }
            }
            table.next++;
        }
        if (units <= Header.SHORT_WIDE) {
            buf[pos++] = (byte) (Header.WIDE_TOKENS + units);
        } else {
            buf[pos++] = Header.LONG_WIDE_TOKEN;
            u32(units - (Header.SHORT_WIDE + 1));
        }
        int to = wideEnd;
        if (wide.length - to < 2L * units) {
            wide = grown(wide, 0, to, 2L * units);
        }
        if (from != wide) {
            System.arraycopy(from, at, wide, to, 2 * units);
        }
        wideEnd = to + 2 * units;
        return NONE;
    }

    /** Text that takes {@code length} bytes as UTF-8, from its UTF-16. */
    private int utf8Text(byte[] from, int at, int units, int length, int dedupSlot) {
        int start = utf8End;
        if (utf8.length - start < length + Utf8.SCRATCHED) {
            utf8 = grown(utf8, 0, start, (long) length + Utf8.SCRATCHED);
        }
        Utf8.write(from, at, at + 2 * units, utf8, start);
        if (length <= Header.NUMBERED) {
            if (isEnabled(dedupSlot)) {
                int number = lookUp(utf8, start, length, DedupTable.UTF8, utf8, start, dedupSlot);
                if (number >= 0) {
                    return number;
                }
            }
            table.next++;
        }
        if (length <= Header.SHORT_UTF8) {
            buf[pos++] = (byte) (Header.UTF8_TOKENS + length);
        } else {
            buf[pos++] = Header.LONG_UTF8_TOKEN;
            u32(length - (Header.SHORT_UTF8 + 1));
        }
        utf8End = start + length;
        return NONE;
    }

    private boolean isEnabled(int dedupSlot) {
        return compact && table.isEnabled(dedupSlot);
    }

    /** Writes a back reference if the text came before, and returns its number; records it if not. */
    private int lookUp(byte[] from, int at, int length, int form, byte[] in, int written, int dedupSlot) {
        if (table.isFull()) {
            table.makeRoom(latin, wide, utf8);
        }
        int number = table.findOrRecord(from, at, length, form, in, written, dedupSlot);
        if (number >= 0) {
            earlier(number, dedupSlot);
        }
        return number;
    }

    /** Whether a dedup slot is enabled: its texts are looked up. */
    public boolean looksUp(int dedupSlot) {
        return isEnabled(dedupSlot);
    }

    /** Writes the text of a number again, at an enabled dedup slot. */
    public void earlier(int number, int dedupSlot) {
        table.hit(dedupSlot);
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

    /**
     * Writes the number of a struct that was shared before (true), or 0, after which the struct must follow (false).
     */
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
