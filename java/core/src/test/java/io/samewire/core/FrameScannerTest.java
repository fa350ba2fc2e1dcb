package io.samewire.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Misuse of a scanner and what it buffers, which the vectors of frames cannot show. */
class FrameScannerTest {
    @Test
    void rejectsRangesOutsideTheArray() {
        FrameScanner scanner = new FrameScanner();
        byte[] frame = Frames.frame(new byte[] {1, 2, 3});
        int[][] parts = {{-1, 2}, {3, 2}, {0, 5}, {5, 6}, {Integer.MIN_VALUE, Integer.MAX_VALUE}};
        for (int[] part : parts) {
            SamewireException error = assertThrows(SamewireException.class, () ->
                scanner.feed(frame, part[0], part[1]));
            assertEquals(Code.MISUSE, error.code());
        }
        scanner.feed(frame, 0, 2);
        scanner.feed(frame, 2, 4);
        assertArrayEquals(new byte[] {1, 2, 3}, scanner.next(), "unchanged by the misuse");
        assertNull(scanner.next());
    }

    @Test
    void releasesTheBufferOfALongFrame() {
        FrameScanner scanner = new FrameScanner();
        byte[] message = new byte[3 << 20];
        byte[] frame = Frames.frame(message);
        for (int round = 0; round < 2; round++) {
            scanner.feed(frame, 0, frame.length - 1);
            assertNull(scanner.next());
            scanner.feed(frame, frame.length - 1, frame.length);
            assertArrayEquals(message, scanner.next());
            assertTrue(scanner.buffer.length < 1 << 20, "the buffer is empty and still large");
        }
        scanner.feed(new byte[] {0});
        assertEquals(2L * frame.length, assertThrows(SamewireException.class, scanner::next).at());
    }

    @Test
    void rejectsBytesAfterTheEnd() {
        FrameScanner scanner = new FrameScanner();
        scanner.feed(Frames.frame(new byte[] {0x40}));
        SamewireException early = assertThrows(SamewireException.class, scanner::end);
        assertEquals(Code.MISUSE, early.code());
        assertArrayEquals(new byte[] {0x40}, scanner.next(), "unchanged by the misuse");
        scanner.end();
        for (byte[] bytes : new byte[][] {{1, 0x41}, {}}) {
            SamewireException error = assertThrows(SamewireException.class, () -> scanner.feed(bytes));
            assertEquals(Code.MISUSE, error.code());
            assertEquals(-1, error.at());
        }
        assertNull(scanner.next());
        scanner.end();
        FrameScanner failed = new FrameScanner();
        failed.feed(new byte[] {2, 0x40});
        SamewireException truncated = assertThrows(SamewireException.class, failed::end);
        assertEquals(Code.TRUNCATED, truncated.code());
        assertEquals(2, truncated.at());
        assertSame(truncated, assertThrows(SamewireException.class, failed::next));
        assertSame(truncated, assertThrows(SamewireException.class, () -> failed.feed(new byte[] {0})));
    }

    @Test
    void doesNotMoveAllMessagesForEachFeed() {
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
            byte before = scanner.buffer[0];
            scanner.buffer[0] = 99;
            scanner.feed(frame);
            moves += scanner.buffer[0] == 99 ? 0 : 1;
            scanner.buffer[0] = before;
        }
        assertTrue(moves < 3, moves + " moves");
    }

    @Test
    void returnsMessagesThatShareNoMemory() {
        FrameScanner scanner = new FrameScanner();
        byte[] frame = Frames.frame(new byte[] {7, 7});
        scanner.feed(frame);
        frame[1] = 0;
        byte[] message = scanner.next();
        scanner.feed(new byte[] {1, 0});
        assertArrayEquals(new byte[] {7, 7}, message);
    }
}
