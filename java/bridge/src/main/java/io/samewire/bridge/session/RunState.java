package io.samewire.bridge.session;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the thread of a channel runs the program's code, so that an interrupt meets that code alone: one that met a
 * read or a write of the channel would close it. An interrupt that comes while the program waits for the peer, or that
 * it had not looked at when it called the peer, is kept until the program goes on.
 */
final class RunState {
    private static final int BRIDGE = 0;
    private static final int PROGRAM = 1;
    private static final int INTERRUPTING = 2;

    private final AtomicInteger state = new AtomicInteger(BRIDGE);
    /**
     * An interrupt waits until the program goes on, or begins: the peer may send one while the call that it is for is
     * still being read. It cannot meet another call, as the peer makes none on this channel afterwards.
     */
    private final AtomicBoolean kept = new AtomicBoolean();
    /** The thread that works on the channel. */
    private volatile Thread thread;
    /** Calls of the peer's that have begun and not ended, one within the other. Used by the channel's thread alone. */
    private int calls;
    /** Whether a thread of the program's own, which calls the peer for no call of it, was interrupted before. */
    private boolean own;

    /** Says which thread works on the channel from now on; null if none does. */
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

    /** The program goes on, if one runs on this channel at all. */
    void resume() {
        if (calls == 0) {
            if (own) {
                own = false;
                Thread.currentThread().interrupt();
            }
            return;
        }
        // Before the look at what is kept, as an interrupt is kept before the second look at the state: one of them
        // sees the other.
        state.set(PROGRAM);
        if (kept.get() && kept.compareAndSet(true, false)) {
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts the program that runs; one that does not finds the interrupt when it does. Called by any thread. */
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
