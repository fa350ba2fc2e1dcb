package io.samewire.bridge.gateway;

import io.samewire.bridge.transport.Listener;

/**
 * Makes a launched gateway listen only after its first calls, so that they do not wait for it: for its first socket the
 * JDK loads classes for tens of milliseconds.
 */
final class FirstCalls implements Runnable {
    /** The description of a class, and a call of it. */
    static final int COUNT = 2;
    /** The longest wait for the first calls, so that a late or slow one does not delay other clients. */
    private static final long MOST_MILLIS = 300;
    /** Lets the client read the last reply first. */
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
