package io.samewire.pack.records;

/** The first bytes of a body whose rest is not in the file. */
final class Beginning {
    /** What is not a number in its shortest form: an index has no such distance. */
    private static final long NONE = -1;

    private final byte[] bytes;
    private final int start;
    private final int end;
    private int at;

    /** The bytes end before anything is wrong. Without a stack trace: it is an answer. */
    static final class EndException extends RuntimeException {
        private static final long serialVersionUID = 1;

        EndException() {
            super(null, null, false, false);
        }
    }

    Beginning(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.start = from;
        this.end = to;
        this.at = from;
    }

    /** Returns whether this may begin a body of frames that are {@code size} bytes with their count. */
    boolean framesFill(int size) {
        long count = number(31);
        for (long left = count; left > 0; left--) {
            long length = number(31);
            if (length <= 0 || length > (long) start + size - at) {
                return false;
            } else if (length > end - at) {
                throw new EndException();
            }
            at += (int) length;
        }
        return count > 0 && at - start == size;
    }

    /** Returns whether this may begin the body of an index of {@code size} bytes. */
    boolean indexFills(int size) {
        long blocks = number(31);
        for (long left = blocks; left > 0; left--) {
            if (number(64) == NONE || number(31) < 0) {
                return false;
            }
        }
        return blocks >= 0 && (long) at - start + Long.BYTES == size;
    }

    private long number(int bits) {
        long value = 0;
        for (int shift = 0; shift < bits; shift += 7) {
            if (at == end) {
                throw new EndException();
            }
            int part = bytes[at++];
            value |= (long) (part & 0x7f) << shift;
            boolean tooLarge = bits - shift < 7 && (part & 0x7f) >>> bits - shift != 0;
            if (tooLarge || part == 0 && shift > 0) {
                return NONE;
            } else if (part >= 0) {
                return value;
            }
        }
        return NONE;
    }
}
