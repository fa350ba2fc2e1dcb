package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
