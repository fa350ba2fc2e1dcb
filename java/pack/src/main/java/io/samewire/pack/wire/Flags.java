package io.samewire.pack.wire;

/** Rows of {@code bool} (section 7): nothing but flags. */
public final class Flags {
    private Flags() {}

    /** A row of {@code n} bools. */
    public static boolean[] read(Reader in, int n) {
        int at = in.flagRow(n);
        boolean[] row = new boolean[n];
        for (int i = 0; i < n; i++) {
            row[i] = in.flag(at, i);
        }
        return row;
    }

    /** A row of bools. */
    public static void write(Writer out, boolean[] row) {
        int at = out.flagRow(row.length);
        for (int i = 0; i < row.length; i++) {
            if (row[i]) {
                out.flag(at, i);
            }
        }
    }
}
