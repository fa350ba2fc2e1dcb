package io.samewire.pack.wire;

import io.samewire.pack.schema.ColumnWidths;
import io.samewire.pack.schema.SchemaType;

/** What may stand in columns, when a writer makes a list columnar, and the modes ({@code spec/columns.md}). */
public final class ColumnForm {
    /** The bit that the count of a columnar list or map carries: as an int, such a count is negative. */
    public static final int MARK = Integer.MIN_VALUE;
    /** Modes of integers. */
    static final int RAW = 0;
    static final int FROM_LEAST = 1;
    static final int FROM_PREVIOUS = 2;
    /** Modes of floats of 8 bytes besides {@link #RAW}. */
    static final int DECIMAL = 1;
    static final int DOUBLES = 2;
    /** The mode of texts besides {@link #RAW}. */
    static final int TEXTS = 1;
    /** Units of times: seconds, milliseconds, microseconds, nanoseconds; and seconds beside nanoseconds. */
    static final int SECONDS = 0;
    static final int MILLISECONDS = 1;
    static final int MICROSECONDS = 2;
    static final int NANOSECONDS = 3;
    static final int SPLIT = 4;
    static final long BILLION = 1_000_000_000;
    static final int MOST_DECIMALS = 15;
    /** The digits of a decimal number lie between this and its negative: a double holds them exactly. */
    static final long MOST_DIGITS = 1L << 53;

    /** Writers look at so many values of a column, if it has more, to choose a mode or an exponent. */
    static final int SAMPLE = 128;

    private static final int LEAST_ROWS = 64;
    private static final int ROWS_FOR_A_COLUMN = 4;
    /** New values among the first {@code i} of a column beyond which it has no dictionary: this and half of i. */
    private static final int NEW_AT_FIRST = 64;

    private ColumnForm() {}

    /**
     * Returns how many elements (entries) a list or map has at least that a writer makes columnar. Its elements
     * (values) are structs or tuples that may stand in columns.
     */
    public static int leastRows(SchemaType container, ColumnWidths widths) {
        int width = 0;
        for (SchemaType part : container.parts()) {
            width += widths.of(part);
        }
        return (int) Math.min(Math.max(LEAST_ROWS, ROWS_FOR_A_COLUMN * (long) width), Integer.MAX_VALUE);
    }

    /** The position of value {@code i} of a sample in a column of {@code m} values. */
    static int sampled(int i, int m) {
        return m <= SAMPLE ? i : (int) ((long) i * m / SAMPLE);
    }

    /** Returns whether among the first {@code i} values of a column too many are new for a dictionary. */
    static boolean isTooNew(int distinct, int i) {
        return distinct > NEW_AT_FIRST + (i >>> 1);
    }
}
