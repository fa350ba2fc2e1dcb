package io.samewire.bridge.gateway;

import io.samewire.bridge.transport.Listener;

/**
 * Has a launched gateway listen after its first calls, which need not wait for that: the JDK loads tens of milliseconds
 * of classes for its first socket.
 */
final class FirstCalls implements Runnable {
    /** The description of a class, and a call of it. */
    static final int COUNT = 2;
    /** A first call may come and take as late as it likes: others do not wait for it. */
    private static final long MOST_MILLIS = 300;
    /** The client takes the last reply meanwhile. */
    private static final long PAUSE_MILLIS = 3;

    private final Listener listener;
    private boolean answered;

    FirstCalls(Listener listener) {
        this.listener = listener;
    }

    /** Called when the replies to the first calls have been sent. */
    synchronized void answered() {
        answered = true;
        notifyAll();
    }

    private synchronized void await() throws InterruptedException {
        long until = System.nanoTime() + MOST_MILLIS * 1_000_000;
        long left = MOST_MILLIS;
        while (!answered && left > 0) {
            wait(left);
            left = (until - System.nanoTime()) / 1_000_000;
        }
    }

    @Override
    public void run() {
        try {
            await();
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException early) {
            // Not expected: the thread is never interrupted. The gateway would listen earlier.
            return;
        } finally {
            listener.allow();
        }
    }
}
