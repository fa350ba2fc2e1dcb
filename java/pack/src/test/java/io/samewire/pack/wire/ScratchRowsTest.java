package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows are what the bytes say, whichever way they are made, and belong to the caller alone. */
class ScratchRowsTest {
    private static final int AT = 8;

    /** Bytes of rows on both sides of the bounds between which an array is kept. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, (1 << 15) - 8, 1 << 15, 40_000, 1 << 17, (1 << 17) + 8})
    void rowsAreAsTheBytesSay(int bytes) {
        byte[] from = new byte[AT + bytes + 3];
        new Random(bytes).nextBytes(from);
        int[] ints = new int[bytes / Integer.BYTES];
        long[] longs = new long[bytes / Long.BYTES];
        float[] floats = new float[ints.length];
        double[] doubles = new double[longs.length];
        Memory.MEMORY.getRow(from, AT, ints, ints.length);
        Memory.MEMORY.getRow(from, AT, longs, longs.length);
        Memory.MEMORY.getRow(from, AT, floats, floats.length);
        Memory.MEMORY.getRow(from, AT, doubles, doubles.length);
        for (int time = 0; time < 2; time++) {
            assertArrayEquals(ints, ScratchRows.INTS.row(from, AT, ints.length));
            assertArrayEquals(longs, ScratchRows.LONGS.row(from, AT, longs.length));
            assertArrayEquals(floats, ScratchRows.FLOATS.row(from, AT, floats.length));
            assertArrayEquals(doubles, ScratchRows.DOUBLES.row(from, AT, doubles.length));
        }
    }

    @Test
    void aRowIsNotTheOneThatIsKept() {
        int n = 10_000;
        byte[] zeroes = new byte[n * Integer.BYTES];
        byte[] ones = zeroes.clone();
        Arrays.fill(ones, (byte) -1);
        int[] first = ScratchRows.INTS.row(zeroes, 0, n);
        int[] second = ScratchRows.INTS.row(ones, 0, n);
        Arrays.fill(second, 7);
        assertEquals(0, Arrays.stream(first).filter(value -> value != 0).count());
        assertArrayEquals(first, ScratchRows.INTS.row(zeroes, 0, n));
    }
}
