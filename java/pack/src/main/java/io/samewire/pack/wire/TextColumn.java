package io.samewire.pack.wire;

/** A column of texts ({@code spec/columns.md} section 6) that has been read. */
public final class TextColumn {
    private static final TextColumn NONE = new TextColumn(null, null);
    /** Texts for which room is made at once. */
    private static final int STRETCH = 32;

    private final String[] texts;
    /** Which of the texts each value is; null if there is one for each. */
    private final long[] indices;

    private TextColumn(String[] texts, long[] indices) {
        this.texts = texts;
        this.indices = indices;
    }

    /** The texts of a column. */
    public static TextColumn read(Reader in, int m) {
        if (m == 0) {
            return NONE;
        }
        int mode = in.u8();
        if (mode == ColumnForm.RAW) {
            return new TextColumn(readTokens(in, m), null);
        } else if (mode != ColumnForm.TEXTS) {
            throw Fault.FAULT;
        }
        int size = readSize(in, m);
        String[] texts = readTokens(in, size);
        return new TextColumn(texts, IntegerColumns.readIndices(in, m, size));
    }

    /** The size of a dictionary of {@code m} values. */
    static int readSize(Reader in, int m) {
        int size = in.length();
        if (size < 1 || size > m) {
            throw Fault.FAULT;
        }
        return size;
    }

    private static String[] readTokens(Reader in, int n) {
        in.need(n);
        String[] texts = new String[n];
        for (int i = 0; i < n; i++) {
            texts[i] = in.text();
        }
        return texts;
    }

    /** The texts of the dictionary, or of all values. */
    public String[] texts() {
        return texts;
    }

    /** Which of the texts each value is, in an array that may be longer; null if there is one for each. */
    public long[] indices() {
        return indices;
    }

    /** Text {@code i}. */
    public String text(int i) {
        return texts[indices == null ? i : (int) indices[i]];
    }

    /** Writes texts at a dedup slot. */
    public static void write(Writer out, String[] texts, int m, int dedupSlot) {
        if (m == 0) {
            return;
        }
        int mark = out.mark();
        long[] indices = out.longs(m);
        DistinctTexts table = out.scratch().texts();
        String[] distinct = table.find(texts, m, indices);
        if (distinct == null) {
            out.u8(ColumnForm.RAW);
            writeTokens(out, texts, m, dedupSlot);
        } else {
            int size = table.size();
            out.u8(ColumnForm.TEXTS);
            out.u32(size);
            writeTokens(out, distinct, size, dedupSlot);
            IntegerColumns.write(out, indices, m, Integer.SIZE, false);
        }
        out.release(mark);
    }

    private static void writeTokens(Writer out, String[] texts, int n, int dedupSlot) {
        int from = 0;
        while (from < n && out.looksUp(dedupSlot)) {
            int to = Math.min(n, from + STRETCH);
            out.reserve((to - from) * Writer.MOST_TOKEN);
            for (; from < to; from++) {
                out.text(texts[from], dedupSlot);
            }
        }
        out.number(n - from, 1);
        while (from < n) {
            int to = Math.min(n, from + STRETCH);
            out.reserve((to - from) * Writer.MOST_TOKEN);
            for (; from < to; from++) {
                out.rowText(texts[from], dedupSlot);
            }
        }
    }
}
