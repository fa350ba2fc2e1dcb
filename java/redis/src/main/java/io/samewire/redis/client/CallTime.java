package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.command.Command;

/**
 * The time of one call, which bounds all that the call does: the wait for a connection, making one, attempts, the waits
 * between them and the reply. All by {@link Deadlines#now}.
 *
 * @param start when the call began
 * @param ready when attempts end: a command that makes the server wait has that wait besides, for its reply alone
 * @param until when the reply must be there
 * @param usual nanoseconds that an attempt has after the server refused the one before it ({@link #renewed})
 * @param patient when attempts end even so
 */
record CallTime(long start, long ready, long until, long usual, long patient) {
    /** What is left is no time for another attempt. */
    private static final long SHORTEST = 1_000_000L;
    /** The part of an attempt's usual time that the last one has at least. */
    private static final int LEAST_OF_USUAL = 8;
    /** Less would repeat at a node that is only slow; no fail-over is over so soon. */
    private static final long LEAST_PART = 1_000_000_000L;

    CallTime(long start, long ready, long until) {
        this(start, ready, until, ready - start, ready);
    }

    /** The usual time for a command. */
    static CallTime of(Command<?> command, RedisOptions options) {
        return of(command.blockingMillis(), options);
    }

    /** The usual time, where the server may wait for so long, as in {@link Command#blockingMillis}. */
    private static CallTime of(long blockingMillis, RedisOptions options) {
        long now = Deadlines.now();
        long ready = now + options.commandTimeout;
        return new CallTime(now, ready, blockingMillis == 0 ? Deadlines.NEVER
            : ready + Math.max(blockingMillis, 0) * 1_000_000, options.commandTimeout, now + options.patience);
    }

    /** The usual time for many commands, of which there may be any number: each reply has a time of its own. */
    static CallTime ofBatch(RedisOptions options) {
        long now = Deadlines.now();
        return new CallTime(now, now + options.commandTimeout, Deadlines.NEVER, options.commandTimeout,
            now + options.patience);
    }

    /** So many nanoseconds for everything. */
    static CallTime within(long nanos) {
        long now = Deadlines.now();
        return new CallTime(now, now + nanos, now + nanos);
    }

    /** The rest of this time. */
    CallTime rest() {
        return new CallTime(Deadlines.now(), ready, until);
    }

    /**
     * The time of an attempt after one that the server refused: as long again, while there is patience. A server that
     * is started says so, and is waited for; of one that says nothing nobody knows, and its time is not renewed.
     */
    CallTime renewed(long now) {
        long end = Math.max(ready, Math.min(patient, now + usual));
        return end == ready ? this
            : new CallTime(start, end, until == Deadlines.NEVER ? until : until + end - ready, usual, patient);
    }

    /** The same after a failure. */
    CallTime after(RuntimeException failed) {
        return failed instanceof ConnectionException lost && lost.code() == Code.TIMEOUT ? this
            : renewed(Deadlines.now());
    }

    /** When the attempt began that has this time, or the call if it is the first one. */
    long from() {
        return ready - usual;
    }

    /**
     * The part of this time that an attempt at one node of a cluster has: half of what is left, and no less than
     * {@link #LEAST_PART} of it. What is left then is for another node, which may have taken over.
     *
     * @param from when the attempt begins
     * @param repeatable whether that holds for the reply, too: the command may be sent again although it may have run
     */
    CallTime part(long from, boolean repeatable) {
        long end = from + part(ready - from);
        return new CallTime(from, end, repeatable && until == ready ? end : until);
    }

    /** The part of so many nanoseconds that an attempt at one node has. */
    static long part(long nanos) {
        return Math.max(nanos / 2, Math.min(nanos, LEAST_PART));
    }

    long left() {
        return ready - Deadlines.now();
    }

    /**
     * Waits before another attempt: at most half of what is left, so that there is time for it. Returns false if
     * too little is left: an attempt that ends before the server can reply hides what it has said before.
     *
     * @param ran whether an attempt may have run
     * @throws ConnectionException {@code closed} if the thread is interrupted
     */
    boolean pause(long nanos, boolean ran) {
        long left = left();
        if (left < Math.max(SHORTEST, usual / LEAST_OF_USUAL)) {
            return false;
        } else if (!Pool.sleep(Math.min(nanos, left / 2))) {
            throw ConnectionException.last(Code.CLOSED, ran, "the thread was interrupted before another attempt", null);
        }
        return true;
    }

    boolean isOver() {
        return left() < SHORTEST;
    }

    /** Returns what a call fails with whose attempts have not succeeded in time. */
    RuntimeException over(RuntimeException failed, boolean ran) {
        if (failed instanceof ConnectionException lost) {
            return lost.code() == Code.TIMEOUT ? lost.with(ran) : ConnectionException.timeout(ran, "no attempt has"
                + " succeeded within " + (ready - start) / 1_000_000 + " ms; the last one: " + lost.getMessage(), lost);
        }
        return failed;
    }
}
