package io.samewire.core;

/**
 * The most that one message, or one scanner, may use ({@code spec/limits.md}). No value means "unlimited".
 * Writers refuse what a reader with the same limits would refuse.
 *
 * @param depth recursive structs, and lists or maps inside {@code any}, that are open at once
 * @param frameBytes length of one message in bytes, read or written
 * @param textBytes bytes of both text blocks of one message together
 * @param items elements of all lists, sets and maps of one message, nested ones summed
 * @param cells cells of memory that the values of one message take when they are read, fields as well as elements
 * @param bufferedBytes bytes that a scanner keeps of an unfinished frame
 */
public record Limits(int depth, int frameBytes, int textBytes, int items, int cells, int bufferedBytes) {
    /** The defaults: 64 levels, 64 MiB, 64 MiB, 16,777,216 items and cells, 64 MiB and a frame's length. */
    public static final Limits DEFAULT = new Limits(64, 67_108_864, 67_108_864, 16_777_216, 16_777_216, 67_108_869);

    /**
     * Checks that every limit is at least 1.
     *
     * @throws SamewireException {@code misuse} if one is not
     */
    public Limits {
        if (depth < 1 || frameBytes < 1 || textBytes < 1 || items < 1 || cells < 1 || bufferedBytes < 1) {
            throw new SamewireException(Code.MISUSE, -1, null, "every limit must be at least 1");
        }
    }

    /** Returns these limits with another {@link #depth()}. */
    public Limits withDepth(int most) {
        return new Limits(most, frameBytes, textBytes, items, cells, bufferedBytes);
    }

    /** Returns these limits with another {@link #frameBytes()}. */
    public Limits withFrameBytes(int most) {
        return new Limits(depth, most, textBytes, items, cells, bufferedBytes);
    }

    /** Returns these limits with another {@link #textBytes()}. */
    public Limits withTextBytes(int most) {
        return new Limits(depth, frameBytes, most, items, cells, bufferedBytes);
    }

    /** Returns these limits with another {@link #items()}. */
    public Limits withItems(int most) {
        return new Limits(depth, frameBytes, textBytes, most, cells, bufferedBytes);
    }

    /** Returns these limits with another {@link #cells()}. */
    public Limits withCells(int most) {
        return new Limits(depth, frameBytes, textBytes, items, most, bufferedBytes);
    }

    /** Returns these limits with other {@link #bufferedBytes()}. */
    public Limits withBufferedBytes(int most) {
        return new Limits(depth, frameBytes, textBytes, items, cells, most);
    }
}
