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
 * @param asksAgain whether a command that may be repeated waits for its reply for a part of this time only, and is sent
 *     again on another connection then. A time that was chosen is all for one reply: the server may need it
 */
record CallTime(long start, long ready, long until, boolean asksAgain) {
    /** What is left is no time for another attempt. */
    private static final long SHORTEST = 1_000_000L;
    /** The part of the call's time that its last attempt has at least, and what is enough for any. */
    private static final int LEAST_OF_ALL = 8;
    private static final long ENOUGH = 500_000_000L;
    /** Less would repeat at a node that is only slow; no fail-over is over so soon. */
    private static final long LEAST_PART = 1_000_000_000L;

    CallTime(long start, long ready, long until) {
        this(start, ready, until, false);
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
            : ready + Math.max(blockingMillis, 0) * 1_000_000, !options.timed && options.retry.attempts() > 0);
    }

    /** The usual time for many commands, of which there may be any number: each reply has a time of its own. */
    static CallTime ofBatch(RedisOptions options) {
        long now = Deadlines.now();
        return new CallTime(now, now + options.commandTimeout, Deadlines.NEVER);
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

    /**
     * Until when an attempt waits for its reply. A server that was stopped replies once it goes on; on a connection
     * that is dead nothing comes any more, and another one is tried while there is time.
     *
     * @param from when the attempt began
     */
    long until(Command<?> command, long from) {
        return asksAgain && until == ready && command.repeatable() ? from + part(ready - from) : until;
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
        if (left < Math.max(SHORTEST, Math.min(ENOUGH, (ready - start) / LEAST_OF_ALL))) {
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
