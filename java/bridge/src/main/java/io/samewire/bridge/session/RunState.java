package io.samewire.bridge.session;

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
    private static final int NONE = -1;
    private static final int NEXT = -2;

    private final AtomicInteger state = new AtomicInteger(BRIDGE);
    /** The thread that works on the channel. */
    private volatile Thread thread;
    /** Calls of the peer's that have begun and not ended, one within the other; others see it a little later. */
    private int calls;
    /** Which of the outermost calls runs, or ran last: each has another number, so that no interrupt outlives it. */
    private int outermost;
    /** The call for which an interrupt is kept, {@link #NEXT} for one that has not begun, or {@link #NONE}. */
    private volatile int keptFor = NONE;

    /** Says which thread works on the channel from now on; null if none does. */
    void thread(Thread worker) {
        thread = worker;
    }

    /** A call of the peer's begins. */
    void begin() {
        if (calls++ == 0) {
            outermost = outermost + 1 & Integer.MAX_VALUE;
        }
        state.lazySet(PROGRAM);
        if (keptFor == NEXT) {
            keptFor = NONE;
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps an interrupt for the call that begins next. Called by the thread that works on the channel. */
    void interruptNext() {
        keptFor = NEXT;
    }

    /** A call of the peer's has ended; an interrupt that nobody looked at ends with the last one. */
    void end() {
        leave();
        calls--;
    }

    /** The program calls the peer, or waits for what the peer sends. */
    void leave() {
        while (!state.compareAndSet(PROGRAM, BRIDGE) && state.get() != BRIDGE) {
            Thread.onSpinWait();
        }
        if (Thread.interrupted()) {
            keptFor = outermost;
        }
    }

    /** The program goes on, if one runs on this channel at all. */
    void resume() {
        if (calls > 0) {
            state.set(PROGRAM);
        }
        if (keptFor == outermost) {
            keptFor = NONE;
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts the program that runs; does nothing if none does. Called by any thread. */
    void interrupt() {
        for (;;) {
            if (state.compareAndSet(PROGRAM, INTERRUPTING)) {
                thread.interrupt();
                state.set(PROGRAM);
                return;
            }
            if (state.get() == BRIDGE) {
                if (calls > 0) {
                    keptFor = outermost;
                }
                return;
            }
            Thread.onSpinWait();
        }
    }
}
