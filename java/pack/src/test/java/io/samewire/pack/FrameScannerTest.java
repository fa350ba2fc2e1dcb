package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What the vectors of frames do not show: how a scanner is called, and what it keeps. */
class FrameScannerTest {
    @Test
    void partsThatAreNone() {
        FrameScanner scanner = new FrameScanner();
        byte[] frame = Frames.frame(new byte[] {1, 2, 3});
        int[][] parts = {{-1, 2}, {3, 2}, {0, 5}, {5, 6}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] part : parts) {
            PackException error = assertThrows(PackException.class, () -> scanner.feed(frame, part[0], part[1]));
            assertEquals(Code.MISUSE, error.code());
        }
        scanner.feed(frame, 0, 2);
        scanner.feed(frame, 2, 4);
        assertArrayEquals(new byte[] {1, 2, 3}, scanner.next(), "as if nothing had been");
        assertNull(scanner.next());
    }

    @Test
    void aLongFrameLeavesNoLongBuffer() {
        FrameScanner scanner = new FrameScanner();
        byte[] message = new byte[3 << 20];
        byte[] frame = Frames.frame(message);
        for (int round = 0; round < 2; round++) {
            scanner.feed(frame, 0, frame.length - 1);
            assertNull(scanner.next());
            scanner.feed(frame, frame.length - 1, frame.length);
            assertArrayEquals(message, scanner.next());
            assertTrue(scanner.held.length < 1 << 20, "bytes that nobody waits for");
        }
        scanner.feed(new byte[] {0});
        assertEquals(2L * frame.length, assertThrows(PackException.class, scanner::next).at());
    }

    @Test
    void bytesAfterTheEnd() {
        FrameScanner scanner = new FrameScanner();
        scanner.feed(Frames.frame(new byte[] {0x40}));
        PackException early = assertThrows(PackException.class, scanner::end);
        assertEquals(Code.MISUSE, early.code());
        assertArrayEquals(new byte[] {0x40}, scanner.next(), "as it was");
        scanner.end();
        for (byte[] bytes : new byte[][] {{1, 0x41}, {}}) {
            PackException error = assertThrows(PackException.class, () -> scanner.feed(bytes));
            assertEquals(Code.MISUSE, error.code());
            assertEquals(-1, error.at());
        }
        assertNull(scanner.next());
        scanner.end();
        FrameScanner dead = new FrameScanner();
        dead.feed(new byte[] {2, 0x40});
        PackException truncated = assertThrows(PackException.class, dead::end);
        assertEquals(Code.TRUNCATED, truncated.code());
        assertEquals(2, truncated.at());
        assertSame(truncated, assertThrows(PackException.class, dead::next));
        assertSame(truncated, assertThrows(PackException.class, () -> dead.feed(new byte[] {0})));
    }

    @Test
    void manyMessagesThatAreLeftAreNotMovedForEachThatIsTaken() {
        FrameScanner scanner = new FrameScanner();
        byte[] frame = Frames.frame(new byte[] {7});
        byte[] many = new byte[1 << 22];
        for (int i = 0; i < many.length; i += frame.length) {
            System.arraycopy(frame, 0, many, i, frame.length);
        }
        scanner.feed(many);
        int moves = 0;
        for (int i = 0; i < 10_000; i++) {
            assertArrayEquals(new byte[] {7}, scanner.next());
            byte before = scanner.held[0];
            scanner.held[0] = 99;
            scanner.feed(frame);
            moves += scanner.held[0] == 99 ? 0 : 1;
            scanner.held[0] = before;
        }
        assertTrue(moves < 3, moves + " moves");
    }

    @Test
    void messagesAreTheirOwnersAlone() {
        FrameScanner scanner = new FrameScanner();
        byte[] frame = Frames.frame(new byte[] {7, 7});
        scanner.feed(frame);
        frame[1] = 0;
        byte[] message = scanner.next();
        scanner.feed(new byte[] {1, 0});
        assertArrayEquals(new byte[] {7, 7}, message);
    }
}
