package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.resp.RedisException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The attempts at one command of a cluster: what is done after one that failed. Blocking callers and others share it;
 * it does not wait itself. Not thread-safe but for {@link #leave}, {@link #late} and {@link #time}.
 */
final class Attempts {
    /** MOVED, ASK and TRYAGAIN that one command follows. */
    private static final int REDIRECTIONS = 16;
    /** Nanoseconds before a command is sent again whose keys are on two nodes: their slot is on its way. */
    private static final long TRY_AGAIN = 10_000_000L;

    private final Topology topology;
    /** The command's, or what stands for several. */
    private final String name;
    private final Retry retry;
    private final boolean repeatable;
    private final CallTime time;
    private int failures;
    private int redirections;
    /** Whether one of the attempts may have run. */
    private volatile boolean ran;
    /** Whether there have been attempts between which the command rests. */
    private boolean rested;
    /** Whether it rests: whoever takes that away makes the next attempt, or ends the command. */
    private final AtomicBoolean resting = new AtomicBoolean();

    /** Where the next attempt goes; null for where the map says. */
    private ClusterNode node;
    private boolean asking;
    /** Nanoseconds to wait before it. */
    private long delay;
    /** Whether a newer map is needed before it. */
    private boolean needsMap;

    Attempts(Topology topology, String name, Retry retry, boolean repeatable, CallTime time) {
        this.topology = topology;
        this.name = name;
        this.retry = retry;
        this.repeatable = repeatable;
        this.time = time;
    }

    ClusterNode node() {
        return node;
    }

    boolean mayHaveRun() {
        return ran;
    }

    CallTime time() {
        return time;
    }

    boolean isAsking() {
        return asking;
    }

    /** No attempt is under way. Returns whether it is the first time. */
    boolean rest() {
        boolean first = !rested;
        rested = true;
        resting.set(true);
        return first;
    }

    /** Returns whether the command has rested until now, so that the caller may go on with it or end it. */
    boolean leave() {
        return resting.compareAndSet(true, false);
    }

    /** Returns what the command ends with whose time is over. last: how its last attempt ended, or null. */
    ConnectionException late(RuntimeException last) {
        return ConnectionException.timeout(ran, name + ": no attempt has succeeded in time, on any node of the cluster",
            last);
    }

    /** At most half of what is left, so that there is time for the attempt. */
    long delay() {
        return Math.max(0, Math.min(delay, time.left() / 2));
    }

    boolean needsMap() {
        return needsMap;
    }

    /**
     * Decides what comes after an error of a node, which is null if none could be chosen.
     *
     * @return the error that the command ends with, or null for another attempt
     */
    RuntimeException after(RuntimeException error, ClusterNode from) {
        node = null;
        asking = false;
        delay = 0;
        needsMap = false;
        if (error instanceof RedisException refused) {
            return switch (refused.word()) {
                case "MOVED", "ASK", "TRYAGAIN" -> redirected(refused, from);
                // Nothing has run.
                case "CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN" -> again(error);
                default -> error;
            };
        } else if (error instanceof ConnectionException lost) {
            if (from != null) {
                topology.failed(from);
            }
            ran |= lost.mayHaveRun();
            ConnectionException known = lost.with(ran);
            if (lost.isLast() && (from == null || !from.left || lost.mayHaveRun())) {
                return known;
            } else if (lost.mayHaveRun() && !repeatable) {
                topology.refreshLater();
                return known;
            }
            return again(known);
        }
        return error;
    }

    /** Judges a transaction's error. ASK is retried as TRYAGAIN: a transaction waits for the end of the slot's move. */
    RuntimeException afterTransaction(RuntimeException error, ClusterNode from) {
        return error instanceof RedisException refused && refused.word().equals("ASK")
            ? after(new RedisException("TRYAGAIN " + refused.text()), from) : after(error, from);
    }

    private RuntimeException redirected(RedisException error, ClusterNode from) {
        if (++redirections > REDIRECTIONS) {
            topology.refreshLater();
            return ConnectionException.last(Code.CLOSED, ran, "the command was redirected " + REDIRECTIONS
                + " times, at last with: " + error.text(), error);
        } else if (error.word().equals("TRYAGAIN")) {
            delay = TRY_AGAIN * redirections;
            return null;
        }
        // MOVED 3999 127.0.0.1:6381; a server that does not know its own address leaves the host out.
        try {
            String[] words = error.text().split(" ");
            int slot = Integer.parseInt(words[1]);
            int colon = words[2].lastIndexOf(':');
            String host = colon > 0 ? words[2].substring(0, colon) : from.address.host();
            ClusterNode to = topology.node(Address.tcp(host, Integer.parseInt(words[2].substring(colon + 1))));
            if (error.word().equals("MOVED")) {
                java.util.Objects.checkIndex(slot, KeySlot.COUNT);
                topology.moved(slot, to);
            } else {
                asking = true;
            }
            node = to;
            return null;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | SamewireException malformed) {
            return error;
        }
    }

    private RuntimeException again(RuntimeException error) {
        if (++failures > retry.attempts()) {
            topology.refreshLater();
            return error;
        } else if (time.isOver()) {
            topology.refreshLater();
            return time.over(error, ran);
        }
        needsMap = true;
        topology.repeated(name, failures, error);
        // The first time no wait: only this node may have failed, and its replica may be in its place already.
        delay = failures > 1 ? retry.pause(failures - 1) : 0;
        return null;
    }
}
