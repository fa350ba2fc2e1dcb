package io.samewire.pack.wire;

import io.samewire.core.Limits;
import io.samewire.pack.schema.Cells;
import java.util.Arrays;

/**
 * A message being read: a cursor in the values, one in each text block, and what is left of the limits. Methods throw
 * {@link Fault} if the bytes are wrong, before they allocate anything that the bytes present do not pay for.
 *
 * <p>Invariant: {@code start <= pos <= end <= buf.length}, {@code latin <= latinEnd <= wide <= wideEnd <= utf8 <=
 * utf8End <= end}.
 */
public final class Reader {
    private static final int FIRST_TEXTS = 64;
    /** Cells that native types may take before they are set aside: 64 KiB. */
    private static final int FREE_CELLS = 1092;
    /** The token {@code E0}, as a byte of Java: references of two bytes begin here. */
    private static final int FIRST_LONG_REF = (byte) 0xe0;

    final byte[] buf;
    final int start;
    final int end;
    int pos;
    int latin;
    int latinEnd;
    int wide;
    int wideEnd;
    int utf8;
    int utf8End;
    boolean aligned;
    /** Numbered texts; null in a message without REFS, which has no references to them. */
    String[] texts;
    int textCount;
    /** Items and levels left of the limits. */
    int items;
    int depth;
    /**
     * The allocation budget: bytes that no row has claimed yet. Each row claims the least bytes that its count needs
     * ({@link RowForm}), which overlap with those of no other row. So the rows of a valid message never claim more than
     * its length, and inflated counts that are nested do not add up: what is allocated for all of them is bounded by
     * the length of the message, at any depth.
     */
    int unclaimed;
    /**
     * Cells of memory that may still be taken. Generated code charges in another order than the strict reader, but the
     * same sum for every message that is read to its end.
     */
    long cells;
    /** Cells that native types take and the format does not count, and how many of them are set aside. */
    private long unpaid;
    private long reserved;
    final int mostItems;
    /** Structs shared by {@code ref}, in order of their numbers; {@link SharedStructs}. */
    SharedStructs shared;
    /** What columns are read with; null in a message without. */
    private ColumnScratch scratch;
    private BitUnpacking blocks;

    /** Creates a reader of {@code buf[from, to)}, before the header. */
    public Reader(byte[] buf, int from, int to, Limits limits) {
        this.buf = buf;
        this.start = from;
        this.pos = from;
        this.end = to;
        this.mostItems = limits.items();
        this.items = mostItems;
        this.cells = limits.cells();
        this.unclaimed = to - from;
        this.depth = limits.depth();
    }

    /** Reads everything that precedes the values. */
    public void open(long digest, Limits limits) {
        if (end - start > limits.frameBytes()) {
            throw Fault.FAULT;
        }
        int header = u8() & 0xff;
        if ((header & Header.VERSION) == 0) {
            throw Fault.FAULT;
        }
        if ((header & (Header.DIGEST | Header.CHECK)) != 0) {
            compare(header, digest);
        }
        aligned = (header & Header.ALIGNED) != 0;
        if ((header & (Header.TEXT | Header.WIDE | Header.UTF8 | Header.REFS | Header.ALIGNED)) != 0) {
            blocks(header, limits);
        }
    }

    private void compare(int header, long digest) {
        boolean same = (header & Header.CHECK) == 0 ? fixed64() == Long.reverseBytes(digest)
            : (header & Header.DIGEST) == 0 && Bytes.getChar(buf, take(Header.CHECK_BYTES)) == Header.check(digest);
        if (!same) {
            throw Fault.FAULT;
        }
    }

    private void blocks(int header, Limits limits) {
        long latinBytes = (header & Header.TEXT) != 0 ? blockLength() : 0;
        long wideBytes = (header & Header.WIDE) != 0 ? 2L * blockLength() : 0;
        long utf8Bytes = (header & Header.UTF8) != 0 ? blockLength() : 0;
        long bytes = latinBytes + wideBytes + utf8Bytes;
        if (bytes > limits.textBytes() || bytes > end - pos) {
            throw Fault.FAULT;
        }
        latin = pos;
        latinEnd = latin + (int) latinBytes;
        wide = latinEnd;
        wideEnd = wide + (int) wideBytes;
        utf8 = wideEnd;
        utf8End = utf8 + (int) utf8Bytes;
        pos = utf8End;
        if (!Surrogates.arePaired(buf, wide, wideEnd)) {
            throw Fault.FAULT;
        }
        if ((header & Header.REFS) != 0) {
            texts = new String[Math.min(FIRST_TEXTS, (int) (bytes >> 1) + 1)];
        }
        if (aligned) {
            padding(1);
        }
    }

    private int blockLength() {
        int length = length();
        if (length == 0) {
            throw Fault.FAULT;
        }
        return length;
    }

    /** Reads bytes of zero until the offset in the message is {@code remainder} modulo 8. */
    void padding(int remainder) {
        while ((pos - start & 7) != remainder) {
            if (u8() != 0) {
                throw Fault.FAULT;
            }
        }
    }

    /** Arrays for the numbers of columns. */
    ColumnScratch scratch() {
        if (scratch == null) {
            scratch = ColumnScratch.take();
        }
        return scratch;
    }

    /** Reads the packed blocks of columns. */
    BitUnpacking blocks() {
        if (blocks == null) {
            blocks = new BitUnpacking(this, false, Long.SIZE);
        }
        return blocks;
    }

    /** How many arrays of columns are in use; {@link #release} frees those that came later. */
    public int mark() {
        return scratch == null ? 0 : scratch.mark();
    }

    /** Frees the arrays of columns that came after that mark. */
    public void release(int mark) {
        if (scratch != null) {
            scratch.release(mark);
        }
    }

    /** Checks that the values end with the message and that the blocks are used up. */
    public void close() {
        if (scratch != null) {
            scratch.give();
            scratch = null;
        }
        if (pos != end || latin != latinEnd || wide != wideEnd || utf8 != utf8End) {
            throw Fault.FAULT;
        }
    }

    /** Checks that {@code bytes} more bytes are present and moves over them. Returns where they begin. */
    int take(int bytes) {
        int at = pos;
        if (bytes > end - at) {
            throw Fault.FAULT;
        }
        pos = at + bytes;
        return at;
    }

    /** Checks that so many bytes are present. */
    public void need(long bytes) {
        if (bytes > end - pos) {
            throw Fault.FAULT;
        }
    }

    long fixed64() {
        return Bytes.getLong(buf, take(Long.BYTES));
    }

    /** One byte: {@code i8} and {@code u8} alike. */
    public byte u8() {
        int at = pos;
        if (at >= end) {
            throw Fault.FAULT;
        }
        pos = at + 1;
        return buf[at];
    }

    /** The byte 00 or 01 of an {@code option<bool>} that is present. */
    public boolean bool() {
        byte value = u8();
        if ((value & ~1) != 0) {
            throw Fault.FAULT;
        }
        return value != 0;
    }

    /** A byte of flags, of which {@code used} are in use. */
    public int flags(int used) {
        int value = u8();
        if ((value & ~used & 0xff) != 0) {
            throw Fault.FAULT;
        }
        return value;
    }

    /** Moves over the flags of a row of {@code n} slots. Returns where they begin. */
    public int flagRow(int n) {
        int at = take((n + 7) >>> 3);
        if ((n & 7) != 0 && (buf[pos - 1] & 0xff) >>> (n & 7) != 0) {
            throw Fault.FAULT;
        }
        return at;
    }

    /** Flag {@code i} of the row of flags at {@code at}. */
    public boolean flag(int at, int i) {
        return (buf[at + (i >>> 3)] >>> (i & 7) & 1) != 0;
    }

    /** {@code u32}. */
    public int u32() {
        int at = pos;
        if (at + 1 < end) {
            int low = buf[at];
            if (low >= 0) {
                pos = at + 1;
                return low;
            }
            int high = buf[at + 1];
            if (high > 0) {
                pos = at + 2;
                return low & 0x7f | high << 7;
            }
        }
        return (int) varint(32);
    }

    /** {@code i32}. */
    public int i32() {
        int raw = u32();
        return raw >>> 1 ^ -(raw & 1);
    }

    /** {@code u16}. */
    public short u16() {
        return (short) varint(16);
    }

    /** {@code i16}. */
    public short i16() {
        int raw = (int) varint(16);
        return (short) (raw >>> 1 ^ -(raw & 1));
    }

    /** {@code u64}. */
    public long u64() {
        int at = pos;
        if (at < end && buf[at] >= 0) {
            pos = at + 1;
            return buf[at];
        }
        return varint(64);
    }

    /** {@code i64}. */
    public long i64() {
        long raw = u64();
        return raw >>> 1 ^ -(raw & 1);
    }

    /** {@code f32}, bits as they are. */
    public float f32() {
        return Float.intBitsToFloat(Bytes.getInt(buf, take(Float.BYTES)));
    }

    /** {@code f64}, bits as they are. */
    public double f64() {
        return Double.longBitsToDouble(fixed64());
    }

    /**
     * A varint of an unsigned type of that many bits, in its shortest form. Up to 8 bytes are read as one word: the end
     * of a loop cannot be foreseen where numbers are of several lengths.
     */
    long varint(int bits) {
        int at = pos;
        if (end - at < Long.BYTES) {
            return varintBytes(bits);
        }
        long word = Memory.MEMORY.getLong(buf, at);
        long stops = ~word & Varints.CONTINUED;
        if (stops == 0) {
            return varintBytes(bits);
        }
        int length = Long.numberOfTrailingZeros(stops) + 1 >>> 3;
        word &= stops ^ stops - 1;
        long value = Varints.gather(word);
        if (length > 1 && word >>> 8 * (length - 1) == 0 || bits < 7 * Long.BYTES && value >>> bits != 0) {
            throw Fault.FAULT;
        }
        pos = at + length;
        return value;
    }

    /** A varint byte by byte: one of 9 or 10 bytes, or one near the end of the message. */
    private long varintBytes(int bits) {
        long value = 0;
        for (int shift = 0; shift < bits; shift += 7) {
            int part = u8();
            value |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                if (part == 0 && shift != 0 || bits - shift < 7 && part >>> bits - shift != 0) {
                    throw Fault.FAULT;
                }
                return value;
            }
        }
        throw Fault.FAULT;
    }

    /** A count, length or index: below 2^31. */
    public int length() {
        int value = u32();
        if (value < 0) {
            throw Fault.FAULT;
        }
        return value;
    }

    /** The index of an enum's symbol or a union's member. */
    public int index(int bound) {
        int value = u32();
        if (Integer.compareUnsigned(value, bound) >= 0) {
            throw Fault.FAULT;
        }
        return value;
    }

    /** A count of elements that take a byte each at least in their row, and {@code cells} each in memory. */
    public int count(int cells) {
        int n = length();
        claimElements(n, cells);
        return n;
    }

    /** Takes a count of elements that take a byte each at least in their row, and {@code cells} each in memory. */
    public void claimElements(int n, int cells) {
        spend(n, cells);
        claim(n);
    }

    /** Takes a count of elements whose row is of that form ({@link RowForm}), and which take {@code cells} each. */
    public void claimRow(int n, int form, int cells) {
        spend(n, cells);
        claim(RowForm.leastBytes(form, n));
    }

    /** A count of elements whose row is of that form ({@link RowForm}), and which take {@code cells} each. */
    public int count(int form, int cells) {
        int n = length();
        claimRow(n, form, cells);
        return n;
    }

    /** A count of entries whose keys and values are rows of those forms, and which take {@code cells} each. */
    public int count(int keys, int values, int cells) {
        int n = length();
        claimEntries(n, keys, values, cells);
        return n;
    }

    /** Takes a count of entries whose keys and values are rows of those forms, and which take {@code cells} each. */
    public void claimEntries(int n, int keys, int values, int cells) {
        spend(n, cells);
        claim(RowForm.leastBytes(keys, n) + RowForm.leastBytes(values, n));
    }

    /** As {@link #count(int, int)}, of a list inside an {@code any}: its own cells are charged here. */
    int anyCount(int form, int cells) {
        charge(Cells.CONTAINER);
        return count(form, cells);
    }

    /**
     * The number of elements (entries) of a list or map whose count is marked as that of columns, and which take
     * {@code cells} each in memory.
     *
     * @param columns how many columns there are: 2 for a map
     */
    public int columnarCount(int marked, int columns, int cells) {
        int n = marked ^ ColumnForm.MARK;
        if (n == 0) {
            throw Fault.FAULT;
        }
        spend(n, cells);
        claim(columns * (n + 7L >>> 3));
        return n;
    }

    /** Takes {@code sum} elements of {@code m} lists, sets or maps in a column. */
    void claimColumns(int m, long sum, int columns, int weight) {
        if (sum > items) {
            throw Fault.FAULT;
        }
        charge(m, Cells.CONTAINER);
        spend((int) sum, weight);
        claim(columns * (sum + 7 >>> 3));
    }

    private void claim(long bytes) {
        if (bytes > end - pos || (unclaimed -= (int) bytes) < 0) {
            throw Fault.FAULT;
        }
    }

    private void spend(int n, int weight) {
        if ((items -= n) < 0 || (cells -= (long) n * weight) < reserved) {
            throw Fault.FAULT;
        }
    }

    /** Takes that many cells. */
    public void charge(int more) {
        if ((cells -= more) < reserved) {
            throw Fault.FAULT;
        }
    }

    /** Takes that many cells for each of {@code n} values. */
    public void charge(int n, int each) {
        if ((cells -= (long) n * each) < reserved) {
            throw Fault.FAULT;
        }
    }

    /**
     * Sets cells aside for memory of a native type that the format does not charge, like the array of an {@link
     * java.util.EnumMap} for all constants of a large enum. The first 64 KiB of a message are free, so that small
     * messages meet the same limit in every language.
     */
    public void reserve(long more) {
        unpaid += more;
        reserved = Math.max(0, unpaid - FREE_CELLS);
        if (cells < reserved) {
            throw Fault.FAULT;
        }
    }

    /** Returns whether too few cells are left for those that {@link #reserve} set aside. */
    public boolean lacksReservedCells() {
        return cells < reserved;
    }

    /** Returns how many bytes have been read. */
    public int offset() {
        return pos - start;
    }

    /** Enters a recursive struct, or the elements of a list of them, or a list or map inside an {@code any}. */
    public void enter() {
        if (--depth < 0) {
            throw Fault.FAULT;
        }
    }

    /** Enters a recursive struct that takes that many cells. */
    public void enter(int more) {
        enter();
        charge(more);
    }

    /** Leaves what {@link #enter()} entered. */
    public void leave() {
        depth++;
    }

    /** {@code string}. */
    public String text() {
        int at = pos;
        if (at >= end) {
            throw Fault.FAULT;
        }
        int token = buf[at];
        pos = at + 1;
        if (token < FIRST_LONG_REF) {
            int number = token + 128;
            if (number >= textCount) {
                throw Fault.FAULT;
            }
            return texts[number];
        }
        return newText(token);
    }

    @SuppressWarnings("deprecation") // The one constructor that copies Latin-1 without looking at it; hibyte is 0.
    private String newText(int token) {
        if (token < 0) {
            return numbered(Header.ONE_BYTE_REFS + longRef(token));
        } else if (token >= Header.LONG_LATIN_TOKEN) {
            return rareText(token);
        }
        int from = latin;
        if (token > latinEnd - from) {
            throw Fault.FAULT;
        }
        latin = from + token;
        String text = new String(buf, 0, from, token);
        if (texts != null && token >= 2) {
            number(text);
        }
        return text;
    }

    private int longRef(int token) {
        return (token - FIRST_LONG_REF) * 256 + (u8() & 0xff);
    }

    private String numbered(int number) {
        if (number >= textCount) {
            throw Fault.FAULT;
        }
        return texts[number];
    }

    private void number(String text) {
        if (textCount == texts.length) {
            texts = Arrays.copyOf(texts, 2 * textCount);
        }
        texts[textCount++] = text;
    }

    @SuppressWarnings("deprecation")
    private String rareText(int token) {
        if (token == Header.LONG_LATIN_TOKEN) {
            long length = 96L + length();
            if (length > latinEnd - latin) {
                throw Fault.FAULT;
            }
            int from = latin;
            latin += (int) length;
            return new String(buf, 0, from, (int) length);
        } else if (token == Header.LONG_REF_TOKEN) {
            long number = (long) Header.TWO_BYTE_REFS + length();
            return numbered((int) Math.min(number, Integer.MAX_VALUE));
        }
        boolean isWide = token <= Header.WIDE_TOKENS + Header.SHORT_WIDE;
        long length = token == Header.LONG_WIDE_TOKEN ? Header.SHORT_WIDE + 1L + length()
            : token == Header.LONG_UTF8_TOKEN ? Header.SHORT_UTF8 + 1L + length()
            : token - (isWide ? Header.WIDE_TOKENS : Header.UTF8_TOKENS);
        String text = isWide ? wideText(length) : utf8Text(length);
        if (texts != null && length <= (isWide ? Header.NUMBERED_WIDE : Header.NUMBERED)) {
            number(text);
        }
        return text;
    }

    private String utf8Text(long bytes) {
        if (bytes > utf8End - utf8) {
            throw Fault.FAULT;
        }
        int from = utf8;
        utf8 = from + (int) bytes;
        String text = Utf8.text(buf, from, utf8);
        if (text == null) {
            throw Fault.FAULT;
        }
        return text;
    }

    private String wideText(long units) {
        if (2 * units > wideEnd - wide) {
            throw Fault.FAULT;
        }
        int from = wide;
        wide = from + 2 * (int) units;
        byte[] text = Arrays.copyOfRange(buf, from, wide);
        if (Surrogates.splitsPair(Bytes.getChar(text, 0), Bytes.getChar(text, text.length - 2))) {
            throw Fault.FAULT;
        }
        return Memory.MEMORY.wideText(text);
    }

    /** Copies the next {@code n} bytes to {@code target} from {@code from} on. */
    public void raw(byte[] target, int from, int n) {
        System.arraycopy(buf, take(n), target, from, n);
    }

    /** {@code bytes}. */
    public byte[] bytes() {
        int length = length();
        int at = take(length);
        return Arrays.copyOfRange(buf, at, at + length);
    }
}
