package io.samewire.bridge.process;

/**
 * Calls of the client's within one another, all on the stack of one thread. Java's limit of a main thread's stack is
 * that of its own threads ({@code -Xss}), of which a call takes 9 KB. An overflow in the midst of the bridge's
 * frames would end the channel, so a call is refused before.
 */
final class NestedCalls {
    /** Fewer are never too many: nothing is asked. */
    private static final int FEW = 32;
    /** Frames of {@link #descend} that have to fit: 60 to 150 KB, where a nested call takes 9. */
    private static final int FRAMES = 1500;
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private NestedCalls() {}

    /** Lets the client serve a link's call. Returns what that returns. */
    static int within(ProcessLink link) {
        int[] depth = DEPTH.get();
        depth[0]++;
        try {
            return link.serve();
        } finally {
            depth[0]--;
        }
    }

    /** Returns whether the thread's stack has room for one more, and for the way back. */
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
