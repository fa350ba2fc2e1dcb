package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One connection for all callers that do not wait. Callers only put their call into a queue. What has gathered there is
 * encoded and written at once, by the caller itself if nothing is on its way, else by a thread of its own, which
 * gathers more the busier the connection is. Another thread reads, completes calls in the order in which they were
 * written, and makes the connection again when it is lost.
 */
final class SharedConnection implements AutoCloseable {
    /** Bytes that are encoded before they are written. */
    private static final int BATCH = 65_536;
    private static final long AFTER_FAILURE = 10_000_000L;
    /** For when there is none to say more. */
    private static final ConnectionException NO_MEMORY = ConnectionException.closed(true,
        "the connection was closed: out of memory", null);
    private static final Command<?> ASKING = Commands.of("ASKING");

    private final Dialer dialer;
    private final RedisOptions options;
    private final List<String[]> setup;
    private final Executor executor;
    private final ForkJoinPool readers;
    private final Thread writer;

    /** The call that was handed over last. */
    private final AtomicReference<Call<?>> tail;
    /** Whether somebody has taken it on to have the queue written. */
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();
    /** What waits for a reply. */
    private final QueueBounds bounds;
    /** Completes the calls whose time is over. */
    private final ConcurrentLinkedQueue<Runnable> late = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean completing = new AtomicBoolean();
    private final Watch watch = new Watch();
    private final Doubt doubt;

    /** Calls that are to be written once more, before all others. */
    private final ConcurrentLinkedDeque<Call<?>> again = new ConcurrentLinkedDeque<>();
    // Written to by the holder of `writing` alone.
    private final RequestWriter out = new RequestWriter();
    private final List<Runnable> unwritable = new ArrayList<>();
    /** The last call that was taken from the queue. */
    private volatile Call<?> taken;
    /** The last call that was written. */
    private volatile Call<?> sent;

    // Written to by the reader alone.
    /** Null before it runs. */
    private volatile Thread reader;
    /** The last call whose reply has come. */
    private volatile Call<?> replied;
    private int failures;
    /** A connection that was lost while what was on its way is judged. */
    private Connection settling;
    private volatile Connection connection;
    /** Why there is no connection, after a connect that failed. */
    private volatile ConnectionException unreached;
    private volatile long heard;
    /** When bytes came last, also those of a reply that is not whole. */
    private volatile long stirred;
    /** Whether the connection leads to the wrong server: nothing more is written to it. */
    private volatile boolean leaving;
    /**
     * Whether one call is written at a time: a server that reads its data into memory refuses calls until it is done,
     * and runs those that come later, which would overtake them. It ends with the first reply that is no such refusal.
     */
    private volatile boolean careful;
    /** Why nothing is written for a while: what the server has refused a call with. Null if calls are written. */
    private volatile RedisException refusal;
    /**
     * Whether callers no longer write themselves: one was interrupted in a write, which closes the connection of all.
     */
    private volatile boolean interrupted;
    private volatile boolean closed;
    private volatile Consumer<ReplyReader> pushes = push -> { };
    private volatile Runnable onLost = () -> { };
    /** Takes replies for which no caller waits any more. Null for nobody. */
    private volatile Unclaimed unclaimed;

    SharedConnection(Dialer dialer, List<String[]> setup, Executor executor) {
        this.dialer = dialer;
        this.options = dialer.options;
        this.setup = setup;
        this.executor = executor;
        this.bounds = new QueueBounds(options);
        this.doubt = new Doubt(dialer, () -> watch.next = expire(Deadlines.now()));
        Call<?> start = new Call<>(null, 0, false);
        tail = new AtomicReference<>(start);
        taken = start;
        sent = start;
        replied = start;
        readers = ReaderThread.pool("samewire-redis-reader");
        writer = new Thread(this::write, "samewire-redis-writer");
        writer.setDaemon(true);
        readers.execute(this::read);
        writer.start();
        dialer.deadlines().watch(watch);
    }

    /** Sets what takes pushes, on the thread that reads, and what is told that the connection was lost. */
    void listen(Consumer<ReplyReader> taker, Runnable lost) {
        pushes = taker;
        onLost = lost;
    }

    /** Sets what takes replies for which no caller waits any more. */
    void drop(Unclaimed taker) {
        unclaimed = taker;
    }

    /**
     * Hands a command over.
     *
     * @param keeper takes the bytes of the reply, unless it is an error; null for none
     * @param nanos its time, or 0 for the usual one
     * @param waits whether the caller waits for it: such calls are as few as callers, and are not refused
     */
    <T> Call<T> execute(Command<T> command, Consumer<byte[]> keeper, long nanos, boolean waits) {
        return enqueue(command, keeper, false, nanos, waits);
    }

    /** Hands over a command with ASKING in front, for the node that imports its slot. */
    <T> Call<T> ask(Command<T> command, Consumer<byte[]> keeper, long nanos, boolean waits) {
        return enqueue(command, keeper, true, nanos, waits);
    }

    private <T> Call<T> enqueue(Command<T> command, Consumer<byte[]> keeper, boolean asking, long nanos,
            boolean waits) {
        boolean timed = nanos > 0;
        Call<T> call = new Call<>(command, Deadlines.now() + (timed ? nanos : options.commandTimeout), timed);
        call.size = bounds.size(command);
        RuntimeException full = bounds.enter(call.size, waits);
        if (full != null) {
            call.completeExceptionally(full);
            return call;
        }
        call.keeper = keeper;
        call.asking = asking;
        if (timed) {
            dialer.deadlines().at(call.deadline, call, () -> expire(call));
        }
        Call<?> before = tail.getAndSet(call);
        before.next = call;
        if (Thread.currentThread() != reader) {
            schedule();
        }
        if (closed) {
            // The reader may have looked for the last time.
            failQueued(ConnectionException.clientClosed());
        }
        return call;
    }

    /** Returns whether no call waits for its reply. */
    boolean isUnused() {
        return bounds.isEmpty();
    }

    /** It is no longer among those that wait. */
    private void left(Call<?> call) {
        bounds.leave(call.size);
        call.size = 0;
    }

    /** Sees to it that the queue is written. */
    private void schedule() {
        if (scheduled.get() || !scheduled.compareAndSet(false, true)) {
            return;
        }
        if (connection != null && sent == replied && mayWrite() && writing.tryLock()) {
            // Nothing is on its way: the caller's own write is the quickest, and finds room in the socket.
            boolean more;
            List<Runnable> failed;
            try {
                more = drain(true);
                failed = takeUnwritable();
            } finally {
                writing.unlock();
            }
            failed.forEach(this::finish);
            if (!more) {
                return;
            }
            scheduled.set(true);
        }
        wake();
    }

    /** Returns whether this thread, a caller's, may write: an interrupt would close the connection. */
    private boolean mayWrite() {
        return !interrupted && !Thread.currentThread().isInterrupted();
    }

    private void wake() {
        LockSupport.unpark(connection == null ? reader : writer);
    }

    // --- writing

    private void write() {
        while (!closed) {
            clearInterrupt();
            if (!scheduled.get() || connection == null) {
                LockSupport.park(this);
                continue;
            }
            List<Runnable> failed;
            writing.lock();
            try {
                drain(false);
                failed = takeUnwritable();
            } finally {
                writing.unlock();
            }
            failed.forEach(this::finish);
        }
    }

    /**
     * Returns what completes the calls that could not be encoded. It is to be run without the lock: what is chained to
     * them may call again, and be written at once.
     */
    private List<Runnable> takeUnwritable() {
        if (unwritable.isEmpty()) {
            return List.of();
        }
        List<Runnable> failed = List.copyOf(unwritable);
        unwritable.clear();
        return failed;
    }

    /**
     * Writes what has been handed over, or as much as goes at once. Returns whether there is more. A failure closes the
     * connection, which the reader finds out.
     */
    private boolean drain(boolean once) {
        Connection to = connection;
        if (to == null) {
            return true;
        }
        Transport transport = to.transport();
        scheduled.set(false);
        if (leaving) {
            if (sent == replied) {
                to.close("another server is meant now");
            }
            return true;
        }
        try {
            while (gather(transport.written())) {
                transport.arm(options.commandTimeout);
                transport.write(out.array(), 0, out.length());
                transport.disarm();
                if (once) {
                    return (taken.next != null || !again.isEmpty()) && !careful;
                }
            }
        } catch (java.io.IOException lost) {
            boolean here = Thread.currentThread().isInterrupted();
            interrupted |= here;
            to.abandon(here ? "a thread was interrupted while it wrote" : "a write failed: " + lost);
        } catch (RuntimeException | Error broken) {
            // What was taken and not written is written again on the next connection.
            to.close();
        }
        return false;
    }

    /** Encodes calls until there is enough for one write. Returns whether there is anything. */
    private boolean gather(long written) {
        out.reset();
        boolean alone = careful;
        if (refusal != null || alone && sent != replied) {
            return false;
        }
        while (out.length() < BATCH && !(alone && out.length() > 0)) {
            Call<?> call = again.pollFirst();
            if (call == null) {
                call = taken.next;
                if (call == null) {
                    break;
                }
                taken = call;
            }
            if (call.take()) {
                call.alone = alone;
                encode(call, written);
            } else {
                left(call);
            }
        }
        return out.length() > 0;
    }

    private void encode(Call<?> call, long written) {
        int start = out.length();
        int before = start;
        try {
            if (call.asking) {
                ASKING.write(out);
                before = out.length();
            }
            call.command.write(out);
        } catch (RuntimeException | Error failed) {
            out.truncate(start);
            left(call);
            unwritable.add(() -> call.completeExceptionally(failed));
            return;
        }
        if (call.asking) {
            // Its reply has a place of its own, and no caller waits for it.
            Call<?> asked = new Call<>(ASKING, call.deadline, call.timed);
            asked.cancel(false);
            asked.begin = written + start;
            sent.nextSent = asked;
            sent = asked;
        }
        call.begin = written + before;
        call.nextSent = null;
        sent.nextSent = call;
        sent = call;
    }

    /** An interrupt of this thread, by what callers chained to their calls for instance, is nobody's wish to close. */
    private static void clearInterrupt() {
        Thread.interrupted();
    }

    // --- reading

    private void read() {
        reader = Thread.currentThread();
        ConnectionException why = null;
        while (!closed || why != null) {
            try {
                if (why != null) {
                    lost(why);
                    why = null;
                } else if (connect()) {
                    receive();
                }
            } catch (ConnectionException failed) {
                why = failed;
            } catch (RuntimeException | Error failed) {
                // Also while it settled what was lost: it begins with that again.
                why = why == null ? unreadable(failed) : why;
                if (failed instanceof OutOfMemoryError) {
                    Pool.sleep(AFTER_FAILURE);
                }
            }
        }
        failQueued(ConnectionException.clientClosed());
    }

    private ConnectionException unreadable(Throwable failed) {
        try {
            return ConnectionException.unreadable(failed, true, options.address);
        } catch (RuntimeException | Error again) {
            return NO_MEMORY;
        }
    }

    /** Connects once somebody needs the connection. Returns false if that failed, or it is closed. */
    private boolean connect() {
        // Nobody schedules what callers hand over on this thread, while their other calls fail.
        clearInterrupt();
        while (!closed && !scheduled.get() && taken.next == null) {
            LockSupport.park(this);
            clearInterrupt();
        }
        if (closed) {
            return false;
        }
        try {
            Connection made = dialer.dial(setup);
            if (!setup.isEmpty() && made.protocol() < 3) {
                made.close();
                throw new SamewireException(Code.UNSUPPORTED, -1, null, "client-side caching needs RESP3, and "
                    + options.address + " speaks RESP2");
            }
            made.onPush(pushes);
            heard = Deadlines.now();
            stirred = heard;
            unreached = null;
            careful = true;
            refusal = null;
            connection = made;
            leave();
        } catch (ConnectionException unreachable) {
            if (unreachable.isLast() || ++failures > options.retry.attempts()) {
                failures = 0;
                failQueued(unreachable);
            } else {
                unreached = unreachable;
                LockSupport.parkNanos(this, unreachable.pause(options.retry.pause(failures)));
            }
            return false;
        } catch (RuntimeException refused) {
            failQueued(refused);
            return false;
        }
        if (closed) {
            connection.close();
        }
        scheduled.set(true);
        LockSupport.unpark(writer);
        return true;
    }

    private void receive() {
        Connection from = connection;
        while (true) {
            clearInterrupt();
            ReplyBuffer in = from.awaitAny();
            stirred = Deadlines.now();
            while (in.next()) {
                // Whole replies count: a peer that sends one byte now and then would keep all callers waiting.
                heard = Deadlines.now();
                if (in.isPush()) {
                    pushes.accept(in.reader());
                } else {
                    boolean waiting = careful;
                    reply(in);
                    failures = 0;
                    if (leaving || waiting) {
                        scheduled.set(true);
                        LockSupport.unpark(writer);
                    }
                }
                in.consume();
            }
            if (taken.next != null) {
                // What callers handed over while their calls were completed on this thread.
                schedule();
            }
        }
    }

    private void reply(ReplyBuffer in) {
        Call<?> last = replied;
        Call<?> call = last.nextSent;
        if (call == null) {
            throw new SamewireException(Code.MALFORMED, -1, null, "the server sent a reply that nobody asked for");
        }
        boolean isError = in.isError();
        boolean follows = isError && !call.isGivenUp() && mayFollowRefusal(call, in);
        // Not before: a caller who sees that nothing is on its way writes at once, and would overtake a refused call.
        replied = call;
        // An old entry must not keep all later ones from being collected.
        last.nextSent = null;
        if (follows) {
            return;
        }
        // Before its caller knows: there is room for the next one then.
        left(call);
        if (call.isGivenUp()) {
            careful &= isError;
            drop(call, in, isError);
            return;
        }
        careful = false;
        if (call.keeper != null && !isError) {
            call.keeper.accept(in.copy());
        }
        if (executor == null) {
            if (!call.readNow(in.reader(), isError)) {
                drop(call, in, isError);
            }
        } else {
            finish(call.read(in.reader(), isError, unclaimed));
        }
    }

    /** Hands over what a command has taken for which no caller waits any more. */
    private void drop(Call<?> call, ReplyBuffer in, boolean isError) {
        Unclaimed taker = unclaimed;
        if (taker != null && !isError && call.command.takes()) {
            try {
                taker.reply(call.command, call.command.read(in.reader()));
            } catch (RuntimeException | Error unreadable) {
                taker.inDoubt(call.command, call, unreadable);
            }
        }
    }

    /** Sends a command later that the server refused while it was reading its data, or since another one is meant. */
    private boolean mayFollowRefusal(Call<?> call, ReplyBuffer in) {
        RedisException error = in.reader().readError();
        boolean elsewhere = dialer.isElsewhere(error);
        leaving |= elsewhere;
        if (!elsewhere && !Result.isLoading(error) || ++call.failures > options.retry.attempts()) {
            return false;
        }
        repeated(call, error);
        call.refusal = error;
        careful = true;
        refusal = error;
        // In the order of the callers: what was written with others comes behind those that were refused before it.
        if (call.alone) {
            again.addFirst(call.again(unclaimed));
        } else {
            again.addLast(call.again(unclaimed));
        }
        dialer.deadlines().after(options.retry.pause(call.failures), () -> {
            // This thread must not write, nor wait for one that does.
            refusal = null;
            scheduled.set(true);
            wake();
        });
        return true;
    }

    private void repeated(Call<?> call, RuntimeException why) {
        if (options.observers != null) {
            options.observers.repeated(call.command.name(), call.failures, why);
        }
    }

    /** Decides what becomes of the calls that were on their way. */
    private void lost(ConnectionException why) {
        Connection from = settling == null ? connection : settling;
        settling = from;
        connection = null;
        if (from == null) {
            failQueued(why);
            return;
        }
        from.close();
        onLost.run();
        List<Runnable> failed = new ArrayList<>();
        writing.lock();
        try {
            long written = from.transport().written();
            List<Call<?>> kept = new ArrayList<>();
            ConnectionException cause = why;
            for (Call<?> call = replied.nextSent; call != null; call = call.nextSent) {
                judge(call, cause, call.begin < written, kept, failed);
                if (cause.isLast() && !closed) {
                    // What cannot be read is one caller's: the others only lost their connection.
                    cause = ConnectionException.closed(true, "the connection to " + dialer.name()
                        + " was closed after a reply that cannot be read: " + why.getMessage(), why);
                }
            }
            for (int i = kept.size() - 1; i >= 0; i--) {
                again.addFirst(kept.get(i));
            }
            Call<?> start = new Call<>(null, 0, false);
            sent = start;
            replied = start;
            leaving = false;
            scheduled.set(!again.isEmpty() || taken.next != null);
            settling = null;
        } finally {
            writing.unlock();
        }
        failed.forEach(this::finishAnyway);
        if (++failures > 1) {
            LockSupport.parkNanos(this, options.retry.pause(failures));
        }
    }

    /** Keeps a call that was on its way, to be written again, or fails it. */
    private void judge(Call<?> call, ConnectionException why, boolean ran, List<Call<?>> kept, List<Runnable> failed) {
        if (call.isGivenUp()) {
            left(call);
            Unclaimed taker = unclaimed;
            if (ran && taker != null) {
                failed.add(() -> taker.inDoubt(call.command, call.caller(), why));
            }
            return;
        } else if (closed || why.isLast() || ran && !call.command.repeatable()
            || ++call.failures > options.retry.attempts()) {
            left(call);
            failed.add(() -> call.completeExceptionally(why.with(ran || call.ran)));
        } else {
            call.ran |= ran;
            call.putBack();
            kept.add(call);
            repeated(call, why);
        }
    }

    /** Fails all that was not written. */
    private void failQueued(RuntimeException why) {
        List<Call<?>> failed = new ArrayList<>();
        writing.lock();
        try {
            scheduled.set(false);
            for (Call<?> call = again.pollFirst(); call != null; call = again.pollFirst()) {
                failed.add(call);
            }
            for (Call<?> call = taken.next; call != null; call = call.next) {
                taken = call;
                failed.add(call);
            }
        } finally {
            writing.unlock();
        }
        failed.forEach(call -> {
            left(call);
            if (call.leave()) {
                finishAnyway(() -> call.completeExceptionally(call.ran && why instanceof ConnectionException lost
                    ? lost.with(true) : why));
            }
        });
    }

    private void finish(Runnable completion) {
        if (executor != null) {
            try {
                executor.execute(completion);
                return;
            } catch (RuntimeException | Error refused) {
                // A call must end in any case.
                completion.run();
                return;
            }
        }
        completion.run();
    }

    /** Completes one of many calls, each of which must end whatever becomes of the others. */
    private void finishAnyway(Runnable completion) {
        try {
            finish(completion);
        } catch (RuntimeException | Error thrown) {
            // There may be memory for it once what this thread holds is free.
            later(completion);
        }
    }

    // --- time

    /** Schedules a check of the calls for when the earliest default time is over. */
    private final class Watch implements Watched {
        private long next;

        @Override
        public long check(long now, long most) {
            if (next <= now) {
                next = expire(now);
            }
            return Math.min(next - now, most);
        }
    }

    /** Fails the calls whose time is over; those that were written keep their places. Returns when to look next. */
    private long expire(long now) {
        // Those of the usual time were written in the order of their deadlines.
        long reserve = options.reserve;
        long silence = Math.min(options.commandTimeout, options.connectTimeout);
        long next = Math.min(now + options.commandTimeout - reserve,
            doubt.check(connection, replied.nextSent, stirred, now));
        for (Call<?> call = replied.nextSent; call != null; call = call.nextSent) {
            long end = call.deadline;
            if (end > now && call.timed) {
                continue;
            } else if (end - reserve > now) {
                next = Math.min(next, end - reserve);
                break;
            } else if (end > now && !call.command.repeatable()) {
                next = Math.min(next, end);
                continue;
            }
            Call<?> one = call;
            if (!one.isDone()) {
                later(() -> one.completeExceptionally(over(one, true)));
            }
            Connection from = connection;
            if (from != null && Math.max(heard, end) + silence < now) {
                // Nothing has come for so long that nothing will.
                from.abandon("no reply has come for too long");
            }
        }
        // Without the lock: a thread that writes to a stalled server holds it.
        for (Call<?> call : again) {
            next = Math.min(next, expireQueued(call, now));
        }
        for (Call<?> call = taken.next; call != null; call = call.next) {
            long left = expireQueued(call, now);
            if (left < Deadlines.NEVER && !call.timed) {
                next = Math.min(next, left);
                break;
            }
        }
        return next;
    }

    /** Fails a call that was not written if its time is over. Returns when that is, or never if it has ended. */
    private long expireQueued(Call<?> call, long now) {
        long end = call.deadline - (call.timed ? 0 : options.reserve);
        if (end > now) {
            return end;
        } else if (!call.isDone() && call.leave()) {
            later(() -> call.completeExceptionally(over(call, call.ran)));
        }
        return Deadlines.NEVER;
    }

    /** Fails a call with a time of its own, which is over. */
    private void expire(Call<?> call) {
        boolean ran = call.leaveLatest();
        later(() -> call.completeExceptionally(over(call, ran)));
    }

    /** Completes a call on another thread: what callers chained to it must not hold up the watch over all others. */
    private void later(Runnable completion) {
        late.add(completion);
        if (completing.compareAndSet(false, true)) {
            try {
                Thread thread = new Thread(this::completeLate, "samewire-redis-timeouts");
                thread.setDaemon(true);
                thread.start();
            } catch (Error noThread) {
                completeLate();
            }
        }
    }

    private void completeLate() {
        do {
            for (Runnable one = late.poll(); one != null; one = late.poll()) {
                try {
                    finish(one);
                } catch (RuntimeException | Error thrown) {
                    // By what is chained to this call; the others have nothing to do with it.
                    continue;
                }
            }
            completing.set(false);
        } while (!late.isEmpty() && completing.compareAndSet(false, true));
    }

    /** Returns what a call fails with whose time is over: what the server has refused it with, if it did. */
    private RuntimeException over(Call<?> call, boolean ran) {
        RuntimeException own = call.latestRefusal();
        RuntimeException why = own == null ? refusal : own;
        if (!ran && why != null) {
            return why;
        }
        String in = call.timed ? " in the time that the call was given" : " within "
            + (options.commandTimeout - (ran && !call.command.repeatable() ? 0 : options.reserve)) / 1_000_000
            + " ms (RedisOptions.withCommandTimeout)";
        ConnectionException last = ran ? null : unreached;
        return ConnectionException.timeout(ran, call.command.name() + (ran ? ": no reply of " + dialer.name() + in
            : ": could not be sent to " + dialer.name() + in) + (last == null ? "" : ": " + last.getMessage()), last);
    }

    /** Directs the next calls to a new connection if this one leads to another server than the right one. */
    void leave() {
        Connection from = connection;
        if (from != null && !dialer.isCurrent(from)) {
            leaving = true;
            scheduled.set(true);
            LockSupport.unpark(writer);
            dialer.deadlines().after(options.connectTimeout, () -> {
                if (connection == from && !dialer.isCurrent(from)) {
                    from.close("another server is meant now");
                }
            });
        }
    }

    /** Closes the connection, fails all calls, and ends both threads. */
    @Override
    public void close() {
        closed = true;
        Connection from = connection;
        if (from != null) {
            from.close("the client was closed");
        }
        LockSupport.unpark(reader);
        LockSupport.unpark(writer);
        readers.shutdown();
        dialer.deadlines().forget(watch);
        failQueued(ConnectionException.clientClosed());
    }
}
