package io.samewire.redis.client;

import java.util.List;

/**
 * Finds out whether a shared connection on which nothing comes is dead, while its server is there: reads are sent again
 * then, and later calls are not held up. The server is asked on another connection. One that is stopped greets nobody,
 * and is waited for. Used by the thread of the deadlines alone.
 */
final class Doubt {
    /** How long replies may still come once the server has greeted another connection: it may just have gone on. */
    private static final long GRACE = 1_000_000_000L;
    /** Before it is looked again whether a call whose time is over has been told so. */
    private static final long SOON = 10_000_000L;

    private final Dialer dialer;
    private final Runnable look;
    /** So long without a byte while a call waits, and the server is asked. */
    private final long patience;
    /** The connection about which the server is asked, or was; null if it may be asked. */
    private Connection about;
    /** When bytes came last on it. */
    private long since;
    /** Whether the server has greeted another connection, and its time of grace is over. */
    private boolean dead;

    /** look: has {@link #check} called at once. */
    Doubt(Dialer dialer, Runnable look) {
        RedisOptions options = dialer.options;
        this.dialer = dialer;
        this.look = look;
        this.patience = options.doubtAfter > 0 ? options.doubtAfter : options.timed ? Deadlines.NEVER
            : CallTime.part(options.commandTimeout);
    }

    /**
     * Closes the connection if it is dead. Returns when to look next.
     *
     * @param from null if there is none
     * @param first the call that has waited longest for a reply; null if none does
     * @param last when bytes came last
     */
    long check(Connection from, Call<?> first, long last, long now) {
        if (patience == Deadlines.NEVER) {
            return Deadlines.NEVER;
        } else if (from == null || first == null) {
            return now + patience;
        }
        long start = first.timed ? first.deadline : first.deadline - dialer.options.commandTimeout;
        long silent = now - Math.max(last, start);
        if (silent < patience) {
            return now - silent + patience;
        } else if (about != from || since != last) {
            about = from;
            since = last;
            dead = false;
            Dial.start(dialer, List.of()).whenComplete((fresh, failed) -> asked(from, last, fresh));
        } else if (dead && (first.command.repeatable() || first.isDone())) {
            // Not while a write or a command of a module is the first: the server may pause it, or be long about it.
            from.abandon("no reply has come for " + silent / 1_000_000_000 + " s, while the server replies on another"
                + " connection");
        }
        return first.isDone() ? now + patience : Math.max(first.deadline, now + SOON);
    }

    /** The server has greeted another connection, unless fresh is null. */
    private void asked(Connection from, long last, Connection fresh) {
        if (fresh != null) {
            fresh.close();
        }
        dialer.deadlines().after(GRACE, () -> {
            if (about == from && since == last) {
                dead = fresh != null;
                about = dead ? from : null;
                look.run();
            }
        });
    }
}
