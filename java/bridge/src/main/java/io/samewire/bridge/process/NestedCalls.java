package io.samewire.bridge.process;

/**
 * Nested calls of the client, all on the stack of one thread. Java limits the main thread's stack like that of its own
 * threads ({@code -Xss}); a call takes 9 KB. An overflow inside the bridge's frames would end the channel, so a call is
 * refused before.
 */
final class NestedCalls {
    /** Up to this depth the stack is not checked. */
    private static final int FEW = 32;
    /** Frames of {@link #descend} that must fit: 60 to 150 KB; a nested call takes 9 KB. */
    private static final int FRAMES = 1500;
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private NestedCalls() {}

    /** Lets the client serve a link's call. Returns the result of {@link ProcessLink#serve()}. */
    static int within(ProcessLink link) {
        int[] depth = DEPTH.get();
        depth[0]++;
        try {
            return link.serve();
        } finally {
            depth[0]--;
        }
    }

    /** Returns whether the thread's stack has room for one more call, and for its return. */
    static boolean hasRoom() {
        if (DEPTH.get()[0] < FEW) {
            return true;
        }
        try {
            return descend(FRAMES, 1) != 0;
        } catch (StackOverflowError full) {
            return false;
        }
    }

    private static long descend(int frames, long before) {
        return frames == 0 ? before : 1 + Math.max(before, descend(frames - 1, before + frames));
    }
}
