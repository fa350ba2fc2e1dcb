package io.samewire.bridge.ring;

/** A policy of waiting: how long a wait spins before it blocks. One for each side of a channel. */
public final class Waiting {
    private static final int ADAPTIVE = -1;
    private static final int MOST_MICROS = 1_000_000;

    private final int micros;

    private Waiting(int micros) {
        this.micros = micros;
    }

    /** Returns the policy that blocks at once: the least CPU, and a wake-up for each message. */
    public static Waiting block() {
        return new Waiting(0);
    }

    /**
     * Returns the policy that spins for so many microseconds each time, then blocks.
     *
     * @param micros from 0 to 1,000,000
     * @throws IllegalArgumentException for another number
     */
    public static Waiting spin(int micros) {
        if (micros < 0 || micros > MOST_MICROS) {
            throw new IllegalArgumentException("a wait spins for 0 to 1000000 microseconds, not " + micros);
        }
        return new Waiting(micros);
    }

    /**
     * Returns the default policy: it starts blocking, and spins only while spinning has lately been rewarded, for at
     * most 20 microseconds, or 60 if the peer has to wake, and never on a machine with one core.
     */
    public static Waiting adaptive() {
        return new Waiting(ADAPTIVE);
    }

    /** Returns whether this is the adaptive policy. */
    boolean isAdaptive() {
        return micros == ADAPTIVE;
    }

    /** Returns for how many nanoseconds a wait spins, if that is fixed. */
    int nanos() {
        return micros * 1000;
    }

    @Override
    public String toString() {
        return micros == ADAPTIVE ? "adaptive" : micros == 0 ? "block" : "spin(" + micros + ")";
    }
}
