package io.samewire.bridge.session;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tracks whether a channel's thread runs the program's code, so that only that code is interrupted: an interrupt during
 * a read or a write of the channel would close it. An interrupt that arrives while the program waits for the peer, or
 * that it had not handled when it called the peer, is kept until the program continues.
 */
final class RunState {
    private static final int BRIDGE = 0;
    private static final int PROGRAM = 1;
    private static final int INTERRUPTING = 2;

    private final AtomicInteger state = new AtomicInteger(BRIDGE);
    /**
     * An interrupt is kept until the program continues, or begins: the peer may send one while its call is still being
     * read. It cannot hit another call, since the peer makes no other on this channel afterwards.
     */
    private final AtomicBoolean kept = new AtomicBoolean();
    /** The thread that works on the channel. */
    private volatile Thread thread;
    /** The number of the peer's nested calls. Used only by the channel's thread. */
    private int calls;
    /** Whether a thread of the program, which calls the peer outside of any call of it, was interrupted before. */
    private boolean own;

    /** Sets the thread that works on the channel from now on; null if none does. */
    void thread(Thread worker) {
        thread = worker;
    }

    /** A call of the peer's begins. */
    void begin() {
        if (calls++ == 0) {
            resume();
        } else {
            state.set(PROGRAM);
        }
    }

    /** Keeps an interrupt for the call that begins next. Called by the thread that works on the channel. */
    void interruptNext() {
        kept.set(true);
    }

    /** A call of the peer's has ended; an unseen interrupt is cleared at the end of the last one. */
    void end() {
        leave();
        if (--calls == 0) {
            kept.set(false);
        }
    }

    /** The program calls the peer, or waits for what the peer sends. */
    void leave() {
        while (!state.compareAndSet(PROGRAM, BRIDGE) && state.get() != BRIDGE) {
            Thread.onSpinWait();
        }
        if (Thread.interrupted()) {
            if (calls == 0) {
                own = true;
            } else {
                kept.set(true);
            }
        }
    }

    /** The program continues, if one runs on this channel at all. */
    void resume() {
        if (calls == 0) {
            if (own) {
                own = false;
                Thread.currentThread().interrupt();
            }
            return;
        }
        // Stored before the check for a kept interrupt, just as an interrupt is stored before the second check of the
        // state: one of the two threads sees the other's store.
        state.set(PROGRAM);
        if (kept.get() && kept.compareAndSet(true, false)) {
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts the running program; otherwise the interrupt is kept until it runs. Called by any thread. */
    void interrupt() {
        for (;;) {
            if (state.compareAndSet(PROGRAM, INTERRUPTING)) {
                thread.interrupt();
                state.set(PROGRAM);
                return;
            }
            if (state.get() == BRIDGE) {
                kept.set(true);
                if (state.get() == BRIDGE || !kept.compareAndSet(true, false)) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }
}
