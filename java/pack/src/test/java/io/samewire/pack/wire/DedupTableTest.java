package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Where numbers begin again, after millions of messages, nothing is found that an earlier message wrote. */
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
            table.makeRoom(BLOCK, new byte[0]);
        }
        int found = table.findOrRecord(BLOCK, text * LENGTH, LENGTH, BLOCK, text * LENGTH, false, 0);
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
}
