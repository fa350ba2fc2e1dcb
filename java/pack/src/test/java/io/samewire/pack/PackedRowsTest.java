package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Rows of packed integers beside the definition in {@code spec/pack.md} section 9, which packs bit by bit. */
class PackedRowsTest {
    private static final int PACKED_FROM = 16;
    private static final int BLOCK = 128;
    private static final int WIDEST = 32;
    private static final Codec<short[]> SHORTS = Pack.builder(short[].class).check(false).build();
    private static final Codec<int[]> INTS = Pack.builder(int[].class).check(false).build();
    private static final Codec<long[]> LONGS = Pack.builder(long[].class).check(false).build();

    @Test
    void everyWidthAndLengthOfTheLastBlock() {
        SplittableRandom random = new SplittableRandom(1);
        for (int width = 1; width <= WIDEST; width++) {
            for (int n = PACKED_FROM; n <= PACKED_FROM + 2 * BLOCK; n += 3) {
                long least = n % 2 == 0 || width == 1 ? 0 : -1L << width - 2;
                long most = 1L << width - (least == 0 ? 0 : 1);
                check(random.longs(n, least, most).toArray());
            }
        }
    }

    @Test
    void exceptionsAnywhere() {
        for (int n : new int[] {PACKED_FROM, 63, 64, 65, BLOCK - 1, BLOCK}) {
            for (int position = 0; position < n; position++) {
                for (long wide : new long[] {1 << 9, -1 << 14, 1 << 20, Integer.MIN_VALUE, 1L << 40, Long.MAX_VALUE}) {
                    long[] values = new long[n];
                    Arrays.fill(values, 5);
                    values[position] = wide;
                    check(values);
                    values[n - 1 - position] = wide;
                    check(values);
                }
            }
        }
    }

    @Test
    void valuesOfAllLengthsTogether() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < 2_000; round++) {
            int usual = random.nextInt(40);
            int rare = random.nextInt(2, 200);
            int sign = random.nextInt(2);
            long[] values = new long[random.nextInt(PACKED_FROM, 300)];
            Arrays.setAll(values, i ->
                random.nextLong() >>> 63 - (random.nextInt(rare) == 0 ? random.nextInt(63) : usual));
            Arrays.setAll(values, i -> (values[i] & Long.MAX_VALUE) * (random.nextBoolean() ? 1 : 1 - 2 * sign));
            check(values);
        }
    }

    /** The values, and their low halves and quarters, are written as defined and come back. */
    private static void check(long[] values) {
        assertArrayEquals(values, LONGS.decode(written(values, Long.BYTES, LONGS.encode(values))));
        int[] ints = LongStream.of(values).mapToInt(value -> (int) value).toArray();
        long[] wide = Arrays.stream(ints).asLongStream().toArray();
        assertArrayEquals(ints, INTS.decode(written(wide, Integer.BYTES, INTS.encode(ints))));
        short[] shorts = new short[values.length];
        for (int i = 0; i < shorts.length; i++) {
            shorts[i] = (short) values[i];
            wide[i] = shorts[i];
        }
        assertArrayEquals(shorts, SHORTS.decode(written(wide, Short.BYTES, SHORTS.encode(shorts))));
    }

    /** Returns the message, after comparing it with the packed form, unless packing does not make it shorter. */
    private static byte[] written(long[] values, int bytes, byte[] message) {
        boolean zigzag = LongStream.of(values).anyMatch(value -> value < 0);
        ByteArrayOutputStream blocks = new ByteArrayOutputStream();
        for (int from = 0; from < values.length; from += BLOCK) {
            long[] block = Arrays.copyOfRange(values, from, Math.min(values.length, from + BLOCK));
            defined(zigzag ? LongStream.of(block).map(value -> value << 1 ^ value >> 63).toArray() : block, blocks);
        }
        if (blocks.size() < values.length * bytes) {
            ByteArrayOutputStream defined = new ByteArrayOutputStream();
            defined.write(0x80);
            varint(values.length, defined);
            defined.write(zigzag ? 2 : 1);
            defined.writeBytes(blocks.toByteArray());
            assertArrayEquals(defined.toByteArray(), message);
        }
        return message;
    }

    private static void defined(long[] block, ByteArrayOutputStream out) {
        int width = 0;
        int least = Integer.MAX_VALUE;
        for (int w = 1; w <= WIDEST; w++) {
            int cost = cost(block, w);
            if (cost < least) {
                least = cost;
                width = w;
            }
        }
        int[] exceptions = wider(block, width);
        out.write(exceptions.length == 0 ? width : width | 0x80);
        if (exceptions.length != 0) {
            out.write(exceptions.length);
        }
        byte[] low = new byte[(block.length * width + 7) / 8];
        for (int bit = 0; bit < block.length * width; bit++) {
            low[bit / 8] |= (byte) ((block[bit / width] >>> bit % width & 1) << bit % 8);
        }
        out.writeBytes(low);
        for (int position : exceptions) {
            out.write(position);
        }
        for (int position : exceptions) {
            varint(block[position] >>> width, out);
        }
    }

    private static int cost(long[] block, int width) {
        int patches = 0;
        for (int position : wider(block, width)) {
            patches += 1 + (length(block[position]) - width + 6) / 7;
        }
        return (block.length * width + 7) / 8 + (patches == 0 ? 0 : 1 + patches);
    }

    private static int[] wider(long[] block, int width) {
        return IntStream.range(0, block.length).filter(i -> length(block[i]) > width).toArray();
    }

    private static int length(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    private static void varint(long value, ByteArrayOutputStream out) {
        long rest = value;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            out.write((int) rest & 0x7f | 0x80);
        }
        out.write((int) rest);
    }
}
