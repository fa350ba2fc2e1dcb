package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Limits;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Varints of all lengths, wherever the message ends behind them. */
class VarintsTest {
    private static final int MOST = 10;

    @Test
    void bytesAreThoseOfLeb128() {
        SplittableRandom random = new SplittableRandom(6);
        for (int bits = 0; bits <= Long.SIZE; bits++) {
            for (int i = 0; i < 20; i++) {
                long value = bits == 0 ? 0 : (i == 0 ? -1 : random.nextLong() | Long.MIN_VALUE) >>> Long.SIZE - bits;
                byte[] bytes = byTheLetter(value);
                Writer out = new Writer();
                out.u64(value);
                assertArrayEquals(bytes, Arrays.copyOf(out.buf, out.pos), Long.toHexString(value));
                for (int behind = 0; behind < MOST; behind++) {
                    Reader in = reader(Arrays.copyOf(bytes, bytes.length + behind));
                    assertEquals(value, in.u64());
                    assertEquals(bytes.length, in.pos);
                }
                if (bits <= Integer.SIZE) {
                    Writer narrow = new Writer();
                    narrow.u32((int) value);
                    assertArrayEquals(bytes, Arrays.copyOf(narrow.buf, narrow.pos));
                    for (int behind = 0; behind < MOST; behind++) {
                        assertEquals((int) value, reader(Arrays.copyOf(bytes, bytes.length + behind)).u32());
                    }
                }
            }
        }
    }

    @Test
    void whatIsTooLongOrTooLargeIsRefused() {
        for (int behind = 0; behind < MOST; behind++) {
            for (int length = 2; length <= MOST; length++) {
                byte[] longer = new byte[length + behind];
                Arrays.fill(longer, 0, length - 1, (byte) 0x80);
                assertThrows(Fault.class, () -> reader(longer).u64(), "the last byte is 0");
                assertThrows(Fault.class, () -> reader(longer).u32(), "the last byte is 0");
                byte[] endless = longer.clone();
                Arrays.fill(endless, (byte) 0x80);
                assertThrows(Fault.class, () -> reader(endless).u64());
            }
            byte[] large = Arrays.copyOf(byTheLetter(1L << Integer.SIZE), 5 + behind);
            assertThrows(Fault.class, () -> reader(large).u32(), "33 bits");
            byte[] larger = Arrays.copyOf(byTheLetter(1L << Short.SIZE), 3 + behind);
            assertThrows(Fault.class, () -> reader(larger).u16(), "17 bits");
            byte[] largest = Arrays.copyOf(byTheLetter(-1), MOST + behind);
            largest[MOST - 1] = 2;
            assertThrows(Fault.class, () -> reader(largest).u64(), "65 bits");
        }
    }

    private static Reader reader(byte[] bytes) {
        return new Reader(bytes, 0, bytes.length, Limits.DEFAULT);
    }

    private static byte[] byTheLetter(long value) {
        byte[] bytes = new byte[MOST];
        int n = 0;
        long rest = value;
        while (rest >>> 7 != 0) {
            bytes[n++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[n++] = (byte) rest;
        return Arrays.copyOf(bytes, n);
    }
}
