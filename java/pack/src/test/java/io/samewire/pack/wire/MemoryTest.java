package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The quick way into memory and the plain one do the same at every place in a word. */
class MemoryTest {
    private static final Memory QUICK = Memory.MEMORY;
    private static final Memory PLAIN = new MemoryViews();

    @Test
    void theQuickWayIsTakenWhereItMayBe() {
        boolean known = List.of("amd64", "x86_64", "aarch64").contains(System.getProperty("os.arch"));
        boolean quiet = Runtime.version().feature() <= 23
            || "allow".equals(System.getProperty("sun.misc.unsafe.memory.access"));
        boolean may = known && quiet && !"false".equals(System.getProperty("samewire.unsafe"));
        assertEquals(may, Memory.SEES_STRINGS, "else the other tests compare a thing with itself");
    }

    static IntStream places() {
        return IntStream.range(0, 9);
    }

    @ParameterizedTest
    @MethodSource("places")
    void wordsAreTheSame(int at) {
        byte[] bytes = random(32);
        assertEquals(PLAIN.getLong(bytes, at), QUICK.getLong(bytes, at));
        assertEquals(PLAIN.getInt(bytes, at), QUICK.getInt(bytes, at));
        assertEquals(PLAIN.getChar(bytes, at), QUICK.getChar(bytes, at));
        byte[] left = new byte[32];
        byte[] right = new byte[32];
        for (Memory memory : new Memory[] {QUICK, PLAIN}) {
            byte[] into = memory == QUICK ? left : right;
            memory.putLong(into, at, 0x0102030405060708L);
            memory.putInt(into, at + 8, 0x090a0b0c);
            memory.putChar(into, at + 12, '\u0d0e');
        }
        assertArrayEquals(right, left);
    }

    @ParameterizedTest
    @MethodSource("places")
    void rowsAreTheSame(int at) {
        for (int n : new int[] {0, 1, 2, 3, 17, 300}) {
            byte[] bytes = random(at + 8 * n + 3);
            short[] shorts = new short[n];
            int[] ints = new int[n];
            long[] longs = new long[n];
            float[] floats = new float[n];
            double[] doubles = new double[n];
            QUICK.getRow(bytes, at, shorts, n);
            QUICK.getRow(bytes, at, ints, n);
            QUICK.getRow(bytes, at, longs, n);
            QUICK.getRow(bytes, at, floats, n);
            QUICK.getRow(bytes, at, doubles, n);
            short[] plainShorts = new short[n];
            int[] plainInts = new int[n];
            long[] plainLongs = new long[n];
            float[] plainFloats = new float[n];
            double[] plainDoubles = new double[n];
            PLAIN.getRow(bytes, at, plainShorts, n);
            PLAIN.getRow(bytes, at, plainInts, n);
            PLAIN.getRow(bytes, at, plainLongs, n);
            PLAIN.getRow(bytes, at, plainFloats, n);
            PLAIN.getRow(bytes, at, plainDoubles, n);
            assertArrayEquals(plainShorts, shorts);
            assertArrayEquals(plainInts, ints);
            assertArrayEquals(plainLongs, longs);
            assertArrayEquals(plainFloats, floats);
            assertArrayEquals(plainDoubles, doubles);
            for (int width : new int[] {2, 4, 8}) {
                byte[] left = new byte[at + width * n + 3];
                byte[] right = left.clone();
                put(QUICK, left, at, width, shorts, ints, longs);
                put(PLAIN, right, at, width, shorts, ints, longs);
                assertArrayEquals(right, left);
            }
            byte[] left = new byte[at + 12 * n + 3];
            byte[] right = left.clone();
            QUICK.putRow(left, at, floats);
            QUICK.putRow(left, at + 4 * n, doubles);
            PLAIN.putRow(right, at, floats);
            PLAIN.putRow(right, at + 4 * n, doubles);
            assertArrayEquals(right, left);
        }
    }

    @Test
    void wideTextsAreThoseOfTheJdk() {
        Random random = new Random(5);
        for (int length = 1; length < 100; length++) {
            char[] units = new char[length];
            for (int i = 0; i < length; i++) {
                units[i] = (char) random.nextInt(random.nextBoolean() ? 0x100 : 0xd800);
            }
            String text = new String(units);
            for (Memory memory : new Memory[] {QUICK, PLAIN}) {
                String made = memory.wideText(text.getBytes(StandardCharsets.UTF_16LE));
                assertEquals(text, made);
                assertEquals(text.hashCode(), made.hashCode());
                assertEquals(text + "x", made + "x");
                assertEquals(text.toUpperCase(Locale.ROOT), made.toUpperCase(Locale.ROOT));
            }
        }
    }

    @Test
    void latin1InWideTextIsKeptAsLatin1() {
        String made = QUICK.wideText("caf\u00e9".getBytes(StandardCharsets.UTF_16LE));
        assertEquals("caf\u00e9", made);
        assertEquals(made, "caf\u00e9");
    }

    private static void put(Memory memory, byte[] into, int at, int width, short[] shorts, int[] ints, long[] longs) {
        switch (width) {
            case 2 -> memory.putRow(into, at, shorts);
            case 4 -> memory.putRow(into, at, ints);
            default -> memory.putRow(into, at, longs);
        }
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
