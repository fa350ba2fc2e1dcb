package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many calls of a shared connection wait for a reply, and how many bytes their commands take. Both are in one
 * number, the calls in its upper bits, so that a call costs one addition on its way in.
 */
final class QueueBounds {
    /** The most calls that can be told apart. */
    static final int MOST = (1 << 22) - 1;
    private static final int SHIFT = 40;
    private static final long CALL = 1L << SHIFT;
    private static final long BYTES = CALL - 1;
    /** The bytes of a call besides its arguments, about. */
    private static final int OVERHEAD = 200;

    private final RedisOptions options;
    private final AtomicLong waiting = new AtomicLong();

    QueueBounds(RedisOptions options) {
        this.options = options;
    }

    /** Returns what a command counts for. */
    long size(Command<?> command) {
        return CALL + OVERHEAD + Math.min(command.argumentBytes(), Integer.MAX_VALUE);
    }

    /** Counts a call in. Returns why it is refused, or null; one that finds nobody waiting never is. */
    RuntimeException enter(long size, boolean always) {
        long before = waiting.getAndAdd(size);
        boolean many = before >> SHIFT >= options.queueCommands;
        if (always || before == 0 || !many && (before & BYTES) + (size & BYTES) <= options.queueBytes) {
            return null;
        }
        waiting.addAndGet(-size);
        String calls = (before >> SHIFT) + " calls with " + (before & BYTES) + " bytes";
        return new SamewireException(many ? Code.LIMIT_ITEMS : Code.LIMIT_SIZE, -1, null, calls
            + " wait for replies of " + options.address + ", and " + (many ? options.queueCommands + " calls"
            : options.queueBytes + " bytes")
            + " are the limit: expected callers to wait for replies. Give the client more, RedisOptions.withQueue");
    }

    /** Returns whether no call is counted. */
    boolean isEmpty() {
        return waiting.get() == 0;
    }

    /** Counts calls out. */
    void leave(long size) {
        if (size != 0) {
            waiting.addAndGet(-size);
        }
    }
}
