package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunStateTest {
    private final RunState state = new RunState();

    @BeforeEach
    void start() {
        state.thread(Thread.currentThread());
    }

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    void onlyAProgramIsInterrupted() {
        state.begin();
        assertFalse(Thread.currentThread().isInterrupted());
        state.interrupt();
        assertTrue(Thread.currentThread().isInterrupted());
        state.end();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void anInterruptThatCameWhileItsCallWasReadMeetsIt() {
        state.interrupt();
        assertFalse(Thread.currentThread().isInterrupted());
        state.begin();
        assertTrue(Thread.currentThread().isInterrupted());
        state.end();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void aCallWithinACallLeavesTheInterruptToTheOuterOne() {
        state.begin();
        state.leave();
        state.interrupt();
        state.begin();
        assertFalse(Thread.currentThread().isInterrupted());
        state.end();
        state.resume();
        assertTrue(Thread.interrupted());
        state.end();
    }

    @Test
    void anInterruptThatCameBeforeItsCallMeetsThatAlone() {
        state.interruptNext();
        assertFalse(Thread.currentThread().isInterrupted());
        state.begin();
        assertTrue(Thread.currentThread().isInterrupted());
        state.end();
        state.begin();
        assertFalse(Thread.currentThread().isInterrupted());
        state.end();
    }

    @Test
    void aProgramThatWaitsForThePeerIsInterruptedWhenItGoesOn() {
        state.begin();
        state.leave();
        state.interrupt();
        assertFalse(Thread.currentThread().isInterrupted());
        state.resume();
        assertTrue(Thread.currentThread().isInterrupted());
        state.leave();
        // It had not looked at it: it is there when it goes on.
        assertFalse(Thread.currentThread().isInterrupted());
        state.resume();
        assertTrue(Thread.interrupted());
        state.end();
        state.begin();
        assertFalse(Thread.currentThread().isInterrupted());
        state.end();
    }

    @Test
    void anInterruptAtAnyTimeOfACallMeetsIt() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        int times = 20_000;
        Thread interrupter = new Thread(() -> {
            for (int i = 1; i <= times; i++) {
                while (asked.get() < i) {
                    Thread.onSpinWait();
                }
                state.interrupt();
                done.set(i);
            }
        });
        interrupter.start();
        int lost = 0;
        for (int i = 1; i <= times; i++) {
            asked.set(i);
            state.begin();
            state.leave();
            state.resume();
            while (done.get() < i) {
                Thread.onSpinWait();
            }
            // The program goes on waiting for the peer, and comes back.
            state.leave();
            state.resume();
            lost += Thread.interrupted() ? 0 : 1;
            state.end();
        }
        interrupter.join();
        assertEquals(0, lost);
    }

    @Test
    void noInterruptOutlivesItsCall() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread interrupter = new Thread(() -> {
            while (!over.get()) {
                state.interrupt();
            }
        });
        interrupter.start();
        try {
            for (int i = 0; i < 100_000; i++) {
                state.begin();
                state.leave();
                assertFalse(Thread.currentThread().isInterrupted());
                state.resume();
                state.end();
                assertFalse(Thread.currentThread().isInterrupted());
            }
        } finally {
            over.set(true);
            interrupter.join();
        }
    }
}
