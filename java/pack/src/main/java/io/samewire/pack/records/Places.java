package io.samewire.pack.records;

import java.util.Arrays;

/**
 * Where the blocks of records of a file start, and how many records they have: two arrays, since a file may have
 * millions of blocks.
 */
final class Places {
    private static final String BROKEN =
        "an index whose fields do not fill it, of another place, or of blocks that cannot be there; the blocks before "
            + "it are whole";
    /** The bytes of the smallest block of records: kind, size, count, a frame of one byte, checksum. */
    private static final int LEAST_BYTES = 1 + 1 + 1 + 2 + Block.CHECKSUM_BYTES;

    private long[] starts = new long[8];
    /** How many records there are up to the end of each block. */
    private long[] ends = new long[8];
    private int size;

    /** Returns how many blocks there are. */
    int size() {
        return size;
    }

    /** Returns how many records they hold. */
    long records() {
        return size == 0 ? 0 : ends[size - 1];
    }

    /** Returns where a block starts, in bytes from the start of the file. */
    long start(int block) {
        return starts[block];
    }

    /** Returns the number of a block's first record. */
    long first(int block) {
        return block == 0 ? 0 : ends[block - 1];
    }

    /** Returns how many records a block has. */
    long count(int block) {
        return ends[block] - first(block);
    }

    void add(long start, int count) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        starts[size] = start;
        ends[size] = records() + count;
        size++;
    }

    /** Returns which block has the record of a number; the last one if it is the number of all records. */
    int blockOf(long number) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ends[middle] > number) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Returns a whole index that will start at an offset, or null if its body is longer than {@code most} bytes: no
     * reader of such limits would take it.
     */
    byte[] index(long start, int most) {
        Numbers.Writer fields = new Numbers.Writer().number(size);
        for (int i = 0; i < size; i++) {
            fields.number(starts[i] - (i == 0 ? 0 : starts[i - 1])).number(count(i));
            if (fields.length() > most - Long.BYTES) {
                return null;
            }
        }
        return Block.bytes(BlockKind.INDEX, fields.fixed(start), new byte[0], 0);
    }

    /**
     * Returns the places that an index names. They lie as far apart as blocks must, so that they take less memory than
     * the file has bytes.
     *
     * @param first where the first of them may start: the end of the schema's block
     * @throws io.samewire.core.SamewireException {@code malformed}
     */
    static Places of(Block index, long first) {
        Numbers numbers = new Numbers(index, BROKEN);
        Places places = new Places();
        long start = 0;
        long least = first;
        for (int left = numbers.count(); left > 0; left--) {
            long distance = numbers.distance();
            int count = numbers.count();
            // A distance is one of 64 bits, and a sum of two that go beyond 63 is negative.
            if (distance < 0 || start + distance < least || start + distance > index.start() - LEAST_BYTES
                || count == 0) {
                throw index.malformed(BROKEN);
            }
            start += distance;
            least = start + LEAST_BYTES;
            places.add(start, count);
        }
        int tail = numbers.at();
        byte[] body = index.body();
        if (body.length - tail != Long.BYTES || fixed(body, tail) != index.start()) {
            throw index.malformed(BROKEN);
        }
        return places;
    }

    /** Returns eight bytes as a number. */
    static long fixed(byte[] bytes, int at) {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (bytes[at + i] & 0xffL) << 8 * i;
        }
        return value;
    }
}
