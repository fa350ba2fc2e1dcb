package io.samewire.pack;

/**
 * What one message, or one scanner, may use at most ({@code spec/limits.md}). There is no value for "unlimited".
 *
 * @param depth recursive structs and lists or maps inside {@code any} that are open at once
 * @param frameBytes length of one message in bytes, read or written
 * @param textBytes bytes of both text blocks of one message together
 * @param items elements of all lists, sets and maps of one message, nested ones summed
 * @param bufferedBytes bytes that a scanner holds for an unfinished frame
 */
public record Limits(int depth, int frameBytes, int textBytes, int items, int bufferedBytes) {
    /** The defaults: 64 levels, 64 MiB, 64 MiB, 16,777,216 items, 64 MiB and a length before it. */
    public static final Limits DEFAULT = new Limits(64, 67_108_864, 67_108_864, 16_777_216, 67_108_869);

    /** Checks that every limit is at least 1. */
    public Limits {
        if (depth < 1 || frameBytes < 1 || textBytes < 1 || items < 1 || bufferedBytes < 1) {
            throw new PackException(Code.MISUSE, -1, null, "every limit is at least 1");
        }
    }

    /** These limits with another {@link #depth()}. */
    public Limits withDepth(int most) {
        return new Limits(most, frameBytes, textBytes, items, bufferedBytes);
    }

    /** These limits with another {@link #frameBytes()}. */
    public Limits withFrameBytes(int most) {
        return new Limits(depth, most, textBytes, items, bufferedBytes);
    }

    /** These limits with another {@link #textBytes()}. */
    public Limits withTextBytes(int most) {
        return new Limits(depth, frameBytes, most, items, bufferedBytes);
    }

    /** These limits with another {@link #items()}. */
    public Limits withItems(int most) {
        return new Limits(depth, frameBytes, textBytes, most, bufferedBytes);
    }

    /** These limits with other {@link #bufferedBytes()}. */
    public Limits withBufferedBytes(int most) {
        return new Limits(depth, frameBytes, textBytes, items, most);
    }
}
