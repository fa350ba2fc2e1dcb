package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * A command on a shared connection, and its caller's future. It is an entry of two lists besides: of what callers have
 * handed over, and of what was written and has no reply yet. A call that is cancelled before it is taken is never sent;
 * afterwards it keeps its place, so that no reply comes to another call.
 */
final class Call<T> extends CompletableFuture<T> {
    private static final int QUEUED = 0;
    private static final int TAKEN = 1;
    private static final int DEAD = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Call.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final Command<T> command;
    /** When its time is over. */
    final long deadline;
    /** Whether that is not the usual time: others that were handed over before it may have more. */
    final boolean timed;
    /** What it counts for in the queue, as {@link SharedConnection} has it; 0 once it has left it. */
    long size;
    /** The call that was handed over after this one. */
    volatile Call<?> next;
    /** The call that was written after this one. */
    volatile Call<?> nextSent;
    /** Where in the bytes that were written on the connection it begins. */
    long begin;
    int failures;
    /** Whether it may have run in an attempt that was repeated. */
    volatile boolean ran;
    /** What the server has refused it with, so that it is to be sent again; or null. */
    volatile RuntimeException refusal;
    /** Whether ASKING goes before it. */
    boolean asking;
    /** Takes the bytes of the reply, unless it is an error, before the future is completed. May be null. */
    Consumer<byte[]> keeper;
    private volatile int state;
    /** The call that this entry is sent for once more, or null. */
    private Call<T> origin;
    /** The entry that is sent for this call once more, or null. */
    private volatile Call<T> latest;
    /** Whether it was written while nothing else was on its way. */
    boolean alone;

    Call(Command<T> command, long deadline, boolean timed) {
        this.command = command;
        this.deadline = deadline;
        this.timed = timed;
    }

    /** Returns whether it is to be sent: nobody has given it up. */
    boolean take() {
        return !isDone() && (origin == null || !origin.isDone()) && STATE.compareAndSet(this, QUEUED, TAKEN);
    }

    /** Gives it up. Returns whether it was not taken, and so will not be sent. */
    boolean leave() {
        return STATE.compareAndSet(this, QUEUED, DEAD);
    }

    /** Gives up whatever entry is sent for it. Returns whether it, or that entry, may have run. */
    boolean leaveLatest() {
        Call<T> entry = latest == null ? this : latest;
        return !entry.leave() || entry.ran;
    }

    /** Returns what the server has refused whatever entry is sent for it with, or null. */
    RuntimeException latestRefusal() {
        Call<T> entry = latest;
        return entry == null ? refusal : entry.refusal;
    }

    /** It was taken, and is to be sent again. */
    void putBack() {
        state = QUEUED;
    }

    /** Returns whether no caller waits for it any more. */
    boolean isGivenUp() {
        return isDone() || origin != null && origin.isDone();
    }

    /** Returns the future that the caller has. */
    CompletableFuture<T> caller() {
        return origin == null ? this : origin;
    }

    /**
     * Returns an entry that is sent for this call once more. This one stays the entry whose reply came last: later ones
     * are linked to it.
     */
    Call<T> again(Unclaimed unclaimed) {
        Call<T> entry = new Call<>(command, deadline, timed);
        Call<T> first = origin == null ? this : origin;
        entry.origin = first;
        entry.size = size;
        size = 0;
        entry.failures = failures;
        entry.ran = ran;
        entry.refusal = refusal;
        entry.asking = asking;
        entry.keeper = keeper;
        // Last: whoever ends the call in time asks the latest entry whether it may have run.
        first.latest = entry;
        entry.whenComplete((value, failure) -> {
            if (failure == null) {
                if (!first.complete(value) && unclaimed != null) {
                    unclaimed.reply(command, value);
                }
            } else {
                first.completeExceptionally(failure);
            }
        });
        return entry;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        leave();
        return super.cancel(mayInterruptIfRunning);
    }

    /**
     * Waits for a reply and returns it, or throws what it failed with: an error of the server with the stack of this
     * caller. A thread that is interrupted gives the call up.
     */
    static <T> T await(CompletableFuture<T> reply) {
        try {
            return reply.get();
        } catch (InterruptedException stopped) {
            reply.cancel(false);
            Thread.currentThread().interrupt();
            throw ConnectionException.last(Code.CLOSED, true, "the thread was interrupted while it waited for a reply",
                stopped);
        } catch (ExecutionException failed) {
            RuntimeException cause = failure(failed);
            throw cause instanceof RedisException error ? error.located() : cause;
        }
    }

    /** Returns why a future failed, without what {@link CompletableFuture} puts around it. */
    static RuntimeException failure(Throwable failed) {
        Throwable cause = (failed instanceof CompletionException || failed instanceof ExecutionException)
            && failed.getCause() != null ? failed.getCause() : failed;
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    /** Reads the reply, and returns what completes the future, or hands the value over if it is done. */
    Runnable read(ReplyReader reply, boolean isError, Unclaimed unclaimed) {
        try {
            if (isError) {
                RuntimeException error = reply.readError().to(command.name());
                return () -> completeExceptionally(error);
            }
            T value = command.read(reply);
            return () -> {
                if (!complete(value) && unclaimed != null) {
                    unclaimed.reply(command, value);
                }
            };
        } catch (RuntimeException | Error unreadable) {
            return () -> {
                if (!completeExceptionally(unreadable) && unclaimed != null && Unclaimed.mayHaveRun(unreadable)) {
                    unclaimed.inDoubt(command, this, unreadable);
                }
            };
        }
    }

    /** Reads the reply and completes the future with it. Returns false if it was done, and the reply is unclaimed. */
    boolean readNow(ReplyReader reply, boolean isError) {
        if (isError) {
            completeExceptionally(reply.readError().to(command.name()));
            return true;
        }
        T value;
        try {
            value = command.read(reply);
        } catch (RuntimeException | Error unreadable) {
            return completeExceptionally(unreadable);
        }
        return complete(value);
    }
}
