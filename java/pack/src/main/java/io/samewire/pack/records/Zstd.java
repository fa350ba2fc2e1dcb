package io.samewire.pack.records;

import java.util.Arrays;

/** zstd for blocks of records, by zstd-jni where the program has it. */
final class Zstd {
    /** What to say where it is missing. */
    static final String MISSING =
        "needs com.github.luben:zstd-jni 1.5.5 or newer on the class path or module path: add this dependency";

    /** zstd's own default. */
    private static final int LEVEL = 3;
    private static final int MAGIC = 0xFD2FB528;
    private static final int NOT_WHOLE = -1;

    private Zstd() {}

    /** Returns whether there is zstd. */
    static boolean found() {
        return Holder.FOUND;
    }

    /** Looked for once, at the first block that needs it. */
    private static final class Holder {
        static final boolean FOUND = works();

        private static boolean works() {
            try {
                return ZstdLibrary.found() && ZstdLibrary.bound(0) > 0;
            } catch (LinkageError missing) {
                // The library for this processor.
                return false;
            }
        }
    }

    /** Returns one frame, which states the size of its content, of the first {@code length} bytes. */
    static byte[] compress(byte[] content, int length) {
        byte[] frame = new byte[Math.toIntExact(ZstdLibrary.bound(length))];
        long size = ZstdLibrary.compress(frame, content, length, LEVEL);
        return Arrays.copyOf(frame, (int) size);
    }

    /**
     * Returns the content of the one frame in {@code data[from, data.length)}, or null if it is not one of {@code size}
     * bytes. Nothing is allocated for a frame that states another size.
     */
    static byte[] expand(byte[] data, int from, int size) {
        int length = data.length - from;
        if (frameEnd(data, from) != data.length || ZstdLibrary.contentSize(data, from, length) != size) {
            return null;
        }
        byte[] content = new byte[size];
        try {
            long expanded = ZstdLibrary.expand(content, data, from, length);
            return expanded == size ? content : null;
        } catch (RuntimeException corrupt) {
            // ZstdException, which this code cannot name: its class may be another loader's.
            return null;
        }
    }

    /**
     * Returns where the frame that starts at {@code from} ends, or {@link #NOT_WHOLE}. zstd-jni reads frame after
     * frame, also such that are skipped, and the format has exactly one (RFC 8878 section 3.1.1).
     */
    private static int frameEnd(byte[] data, int from) {
        if (data.length - from < 5 || little(data, from, 4) != MAGIC) {
            return NOT_WHOLE;
        }
        int descriptor = data[from + 4] & 0xff;
        boolean single = (descriptor & 0x20) != 0;
        int contentSize = descriptor >>> 6 == 0 ? single ? 1 : 0 : 1 << (descriptor >>> 6);
        int dictionary = (descriptor & 3) == 3 ? 4 : descriptor & 3;
        long at = from + 5L + (single ? 0 : 1) + dictionary + contentSize;
        boolean last = false;
        while (!last) {
            if (at > data.length - 3) {
                return NOT_WHOLE;
            }
            int head = little(data, (int) at, 3);
            last = (head & 1) != 0;
            boolean repeated = (head >>> 1 & 3) == 1;
            at += 3 + (repeated ? 1 : head >>> 3);
        }
        at += (descriptor & 4) != 0 ? 4 : 0;
        return at <= data.length ? (int) at : NOT_WHOLE;
    }

    private static int little(byte[] data, int at, int bytes) {
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (data[at + i] & 0xff) << 8 * i;
        }
        return value;
    }
}
