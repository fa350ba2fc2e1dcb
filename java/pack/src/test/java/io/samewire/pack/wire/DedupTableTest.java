package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Earlier texts are found, whichever table has them, and nothing that an earlier message wrote. */
class DedupTableTest {
    private static final int MANY = 600;
    private static final int MOST_BASE = 1 << 24;
    private static final int LENGTH = 8;
    private static final byte[] BLOCK = block();

    /** Texts one after another, all of them different. */
    private static byte[] block() {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < 2 * MANY; i++) {
            texts.append(String.format("text%04d", i));
        }
        return texts.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** As the writer does: the number of an earlier text, or -1, and then this one has the next. */
    private static int number(DedupTable table, int text) {
        if (table.isFull()) {
            table.makeRoom(BLOCK, new byte[0], new byte[0]);
        }
        int found = table.findOrRecord(BLOCK, text * LENGTH, LENGTH, DedupTable.LATIN, BLOCK, text * LENGTH, 0);
        table.next += found < 0 ? 1 : 0;
        return found;
    }

    @Test
    void nothingOfASmallTableIsLeft() {
        DedupTable table = new DedupTable();
        table.enableAll(1);
        assertEquals(-1, number(table, 0));
        assertEquals(0, number(table, 0));
        table.next = MOST_BASE + 1;
        table.clear();
        assertEquals(-1, number(table, 0));
        assertEquals(0, number(table, 0));
    }

    @Test
    void nothingOfATableThatHadGrownIsLeft() {
        DedupTable table = new DedupTable();
        table.enableAll(1);
        for (int text = 0; text < MANY; text++) {
            assertEquals(-1, number(table, text));
        }
        table.next = MOST_BASE + 1;
        table.clear();
        for (int text = MANY; text < 2 * MANY; text++) {
            assertEquals(-1, number(table, text));
        }
        for (int text = 0; text < 2 * MANY; text++) {
            assertEquals(text < MANY ? -1 : text - MANY, number(table, text));
        }
    }

    /** Texts of 24 bytes that are equal at both ends: the quick hash is the same for all of them. */
    @Test
    void textsThatCollideAreFoundAndMoveToTheLargeTable() {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            texts.append(String.format("web-server%04d.intranet", i)).append('!');
        }
        byte[] block = texts.toString().getBytes(StandardCharsets.ISO_8859_1);
        DedupTable table = new DedupTable();
        table.enableAll(1);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < MANY; i++) {
                if (table.isFull()) {
                    table.makeRoom(block, block, block);
                }
                int found = table.findOrRecord(block, 24 * i, 24, DedupTable.LATIN, block, 24 * i, 0);
                assertEquals(round == 0 ? -1 : i, found);
                table.next += found < 0 ? 1 : 0;
            }
            assertFalse(table.isQuick());
        }
        assertEquals(-1, table.findOrRecord(block, 0, 24, DedupTable.WIDE, block, 0, 0), "the same bytes as UTF-16");
        assertEquals(-1, table.findOrRecord(block, 0, 24, DedupTable.UTF8, block, 0, 0), "the same bytes as UTF-8");
        table.clear();
        assertTrue(table.isQuick());
    }

    @Test
    void theLargeTableComparesEveryByte() {
        byte[] block = new byte[95];
        for (int i = 0; i < block.length; i++) {
            block[i] = (byte) i;
        }
        for (int length = 2; length <= 95; length++) {
            LargeDedupTable table = new LargeDedupTable();
            assertEquals(-1, table.findOrRecord(block, 0, length, 0, block, 0, 7));
            for (int i = 0; i < length; i++) {
                byte[] other = Arrays.copyOf(block, length);
                other[i] ^= 1;
                assertFalse(LargeDedupTable.same(other, 0, block, 0, length), "byte " + i + " of " + length);
                assertEquals(-1, table.findOrRecord(other, 0, length, 0, block, 0, 8), "byte " + i + " of " + length);
            }
            assertEquals(7, table.findOrRecord(block, 0, length, 0, block, 0, 9));
        }
    }

    /** As many texts as make it grow, a few in the table that has grown, and again a few. */
    @Test
    void nothingOfALargeTableIsLeft() {
        LargeDedupTable table = new LargeDedupTable();
        for (int texts : new int[] {20_000, 1_500, 100, 100}) {
            byte[] block = new byte[Integer.BYTES * texts];
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < texts; i++) {
                    int at = Integer.BYTES * i;
                    Memory.MEMORY.putInt(block, at, i);
                    int found = table.findOrRecord(block, at, Integer.BYTES, DedupTable.LATIN, block, at, i);
                    assertEquals(round == 0 ? -1 : i, found);
                }
            }
            table.clear();
        }
    }
}
