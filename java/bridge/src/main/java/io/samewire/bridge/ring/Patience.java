package io.samewire.bridge.ring;

/**
 * How one side of a channel waits, and its state. Queried before each wait, updated after it.
 *
 * <p>An adaptive side keeps a credit. With credit left it spins; without, it blocks, and probes now and then: after 2
 * blocking waits, then after twice as many each time that a probe was in vain: a machine without a free core for the
 * other side rarely gets one. On one core it never spins.
 */
final class Patience {
    /** The longest that an adaptive wait spins, if the peer is awake. */
    static final int MOST_SPIN_NANOS = 20_000;
    /**
     * The longest if the peer has to wake first. It exceeds the time of a wake-up, also on a machine whose idle cores
     * sleep deeply. A shorter spin would always be in vain, and the two sides would never be awake at the same time
     * again.
     */
    static final int MOST_WAKE_NANOS = 60_000;
    /** How many waits of a fresh channel block before the first probe. */
    private static final int FIRST_PROBE = 2;
    /** The most waits between two probes: with this many, probes in vain cost a hundredth of the blocking waits. */
    private static final int MOST_BETWEEN = 1024;
    /** How many waits a probe spins: the first may be in vain because the other side sleeps, and wakes too late. */
    private static final int PROBE = 3;
    /** What a reward adds to the credit, and what a spin in vain takes: it costs as much as two wake-ups. */
    private static final int REWARD = 1;
    private static final int VAIN = 2;
    /** The most credit. */
    private static final int MOST_CREDIT = 8;

    private final Waiting waiting;
    private final boolean alone;
    private int credit;
    private int between = FIRST_PROBE;
    private int blocks = FIRST_PROBE;

    /** Creates the patience of a fresh channel, on so many cores. */
    Patience(Waiting waiting, int cores) {
        this.waiting = waiting;
        alone = cores < 2;
    }

    /**
     * Returns for how many nanoseconds the next wait spins: 0 if it blocks at once.
     *
     * @param wakes whether the peer slept, and was just woken
     */
    int nanos(boolean wakes) {
        if (!waiting.isAdaptive()) {
            return waiting.nanos();
        }
        if (credit <= 0 && !probes()) {
            return 0;
        }
        return wakes ? MOST_WAKE_NANOS : MOST_SPIN_NANOS;
    }

    private boolean probes() {
        if (alone) {
            return false;
        }
        if (blocks > 0) {
            blocks--;
            return false;
        }
        credit = VAIN * (PROBE - 1) + 1;
        return true;
    }

    /** Reports whether a wait ended while it spun, before it had to block. */
    void spun(boolean rewarded) {
        if (rewarded) {
            credit = Math.min(credit + REWARD, MOST_CREDIT);
            between = FIRST_PROBE;
            return;
        }
        credit -= VAIN;
        if (credit <= 0) {
            blocks = between;
            between = Math.min(between * 2, MOST_BETWEEN);
        }
    }
}
