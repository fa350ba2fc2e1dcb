package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import io.samewire.redis.resp.Utf8;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Commands that run one after the other, without others between them, or not at all if a watched key was changed. After
 * {@link #watch} commands may be executed at once, to read what the transaction depends on. Close it: until then it may
 * hold a connection. Not thread-safe.
 *
 * <pre>{@code
 * try (Transaction work = client.transaction()) {
 *     work.watch("balance");
 *     long balance = Long.parseLong(work.execute(Strings.get("balance")).orElse("0"));
 *     Result<Long> left = work.add(Strings.decrby("balance", 10));
 *     if (balance < 10 || work.exec().isEmpty()) { ... }
 * }
 * }</pre>
 */
public final class Transaction implements AutoCloseable {
    private static final byte[] MULTI = encoded("MULTI");
    private static final byte[] EXEC = encoded("EXEC");

    private static final String ABORTED = "EXECABORT Transaction discarded because of: ";

    private RedisClient client;
    private final Queue queue;
    /** What keys are watched on; null if none are. */
    private Connection watching;
    /** Whether keys were watched on a connection that was lost. */
    private boolean unwatched;

    Transaction(RedisClient client) {
        this.client = client;
        this.queue = new Queue(client.writers());
    }

    private static byte[] encoded(String... words) {
        RequestWriter out = new RequestWriter();
        out.begin(words.length);
        for (String word : words) {
            out.word(word);
        }
        return out.toByteArray();
    }

    /**
     * Has {@link #exec} run nothing if one of these keys is changed before it. Together with earlier ones.
     *
     * @throws SamewireException {@code misuse} if commands were added, or no key is given
     * @throws ConnectionException if the connection was lost; nothing is watched then
     */
    public void watch(CharSequence... keys) {
        watch(CallTime.ofBatch(client.options()), keys);
    }

    /** The same within a time. */
    void watch(CallTime time, CharSequence... keys) {
        if (keys.length == 0 || queue.replies() > 0) {
            throw RedisOptions.misuse("expected at least one key, before commands are added");
        }
        boolean first = watching == null;
        if (first) {
            unwatched = false;
            watching = client.borrow(time);
        }
        // Before keys are watched: what tries MULTI forgets them.
        onConnection(Commands.of("WATCH", keys), new CallTime(time.start(), time.ready(), time.ready()), first);
    }

    /**
     * Executes a command now, on the connection that watches; it is no part of the transaction.
     *
     * @throws SamewireException {@code misuse} if nothing is watched: the client itself executes then
     * @throws ConnectionException if the connection was lost; nothing is watched then
     */
    public <T> T execute(Command<T> command) {
        SharedCommands.check(command);
        if (watching == null) {
            throw RedisOptions.misuse("nothing is watched: expected watch() before, or the client's execute()");
        }
        return onConnection(command, CallTime.of(command, client.options()), false);
    }

    private <T> T onConnection(Command<T> command, CallTime time, boolean triesMulti) {
        for (int failures = 1;; failures++) {
            try {
                if (triesMulti) {
                    watching.tryMulti(time.until());
                }
                return watching.callUntil(command, time.until());
            } catch (ConnectionException lost) {
                release();
                unwatched = true;
                throw lost;
            } catch (RedisException refused) {
                if (client.isElsewhere(refused)) {
                    watching.close();
                    release();
                    unwatched = true;
                    throw refused;
                }
                client.followLoading(refused, failures, time);
            }
        }
    }

    /**
     * Adds a command to the transaction, which is encoded now.
     *
     * @return where its reply will be
     * @throws SamewireException {@code misuse} if it changes the connection, and what is wrong with its arguments; the
     *     transaction stays as it was
     */
    public <T> Result<T> add(Command<T> command) {
        return queue.add(command);
    }

    /**
     * Runs the transaction; it is empty then, and nothing is watched.
     *
     * @return the results in the order of the commands, or empty if a watched key was changed, or the connection that
     *     watched was lost before: nothing has run then
     * @throws RedisException if the server refused one of the commands when it was queued: nothing has run
     * @throws ConnectionException if the connection was lost: it may have run if {@link
     *     ConnectionException#mayHaveRun()}
     */
    public Optional<List<Result<?>>> exec() {
        try {
            return attempt(CallTime.ofBatch(client.options()));
        } finally {
            end();
        }
    }

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws SamewireException as {@link #exec()}; {@code timeout} if the time is over, {@code misuse} if it is not
     *     above 0: the commands stay then
     */
    public Optional<List<Result<?>>> exec(Duration timeout) {
        CallTime time = CallTime.within(RedisOptions.positive(timeout));
        try {
            return attempt(time);
        } finally {
            end();
        }
    }

    /** Has the next attempt, and watching from now on, go to another node of a cluster. Nothing is watched. */
    void moveTo(RedisClient other) {
        client = other;
    }

    /** Watches nothing any more; the commands stay. */
    void unwatch() {
        if (watching != null) {
            watching.close();
            release();
        }
        unwatched = false;
    }

    /** Forgets the commands. */
    void end() {
        client.wrote(queue);
        queue.clear();
        unwatched = false;
    }

    /** Runs the transaction, and keeps the commands. */
    Optional<List<Result<?>>> attempt(CallTime time) {
        List<Result<?>> results = Collections.unmodifiableList(queue.results());
        Exchange exchange = new Exchange();
        exchange.begin();
        if (unwatched) {
            return Optional.empty();
        } else if (watching == null) {
            if (results.isEmpty()) {
                return Optional.of(results);
            }
            client.run(exchange, false, nanos(time), time);
        } else {
            runWatched(exchange, time);
        }
        return exchange.ran() ? Optional.of(results) : Optional.empty();
    }

    /** The time for each reply after the first; 0 if there is one for all. */
    private long nanos(CallTime time) {
        return time.until() == Deadlines.NEVER ? client.nanos(-1) : 0;
    }

    private void runWatched(Exchange exchange, CallTime time) {
        if (!client.isCurrent(watching)) {
            // What it would write is lost.
            unwatch();
            exchange.unchanged = false;
            return;
        }
        try {
            watching.run(exchange, time.start(), nanos(time), time.until());
            if (client.isElsewhere(exchange.refused)) {
                watching.close();
            }
        } catch (ConnectionException lost) {
            if (exchange.mayHaveRun) {
                throw lost.with(true);
            }
            // The server has forgotten the watch and what was queued.
            exchange.unchanged = false;
        } finally {
            release();
        }
    }

    private void release() {
        Connection used = watching;
        watching = null;
        if (used != null) {
            client.release(used);
        }
    }

    /** Drops what was added, and watches nothing any more. */
    @Override
    public void close() {
        queue.clear();
        unwatched = false;
        if (watching != null) {
            try {
                watching.call(Commands.of("UNWATCH"), client.nanos(-1));
            } catch (ConnectionException | RedisException lost) {
                watching.close();
            } finally {
                release();
            }
        }
    }

    /** MULTI, the commands, EXEC; and their replies. */
    private final class Exchange implements Batch {
        private final RequestWriter out = new RequestWriter();
        private final List<Result<?>> results = queue.results();
        private boolean unchanged;
        private boolean mayHaveRun;
        private RedisException refused;
        private boolean withoutMulti;
        /** Whether a command has run, or failed, although MULTI was refused. */
        private boolean bare;
        private RuntimeException failed;

        Exchange() {
            out.raw(MULTI);
            out.raw(queue.bytes(), 0, queue.length());
            out.raw(EXEC);
        }

        /** Returns whether it ran; throws what the server refused. */
        boolean ran() {
            if (bare) {
                throw ConnectionException.last(Code.UNSUPPORTED, true, "MULTI was refused (" + refused.text()
                    + "), and commands behind it were not: they have run, or failed, each by itself and not as a"
                    + " transaction; look at what they have done before they are sent again", refused);
            } else if (refused != null) {
                throw refused.located();
            } else if (failed != null) {
                throw failed;
            }
            return unchanged;
        }

        @Override
        public String name() {
            return "a transaction of " + results.size() + " commands";
        }

        @Override
        public byte[] bytes() {
            return out.array();
        }

        @Override
        public int length() {
            return out.length();
        }

        @Override
        public int replies() {
            return results.size() + 2;
        }

        @Override
        public int end(int index) {
            return index == 0 ? MULTI.length : index > results.size() ? out.length()
                : MULTI.length + results.get(index - 1).end;
        }

        @Override
        public void begin() {
            queue.begin();
            refused = null;
            withoutMulti = false;
            failed = null;
            unchanged = false;
        }

        @Override
        public boolean prepare(Connection connection, long until) {
            try {
                connection.tryMulti(until);
                return true;
            } catch (RedisException error) {
                refused = error;
                return false;
            }
        }

        @Override
        public void take(int index, ReplyBuffer in) {
            if (index <= results.size()) {
                RedisException error = in.isError() ? in.reader().readError() : null;
                withoutMulti |= index == 0 && error != null;
                bare |= withoutMulti && index > 0 && (error == null || !Result.isLoading(error));
                refused = refused == null ? error : refused;
            } else if (in.isError()) {
                RedisException aborted = in.reader().readError();
                refused = refused == null ? reason(aborted) : refused;
            } else {
                elements(in);
            }
        }

        /** A server that has changed its role since the commands were queued says at EXEC why it refuses them. */
        private RedisException reason(RedisException aborted) {
            return aborted.text().startsWith(ABORTED) ? new RedisException(aborted.text().substring(ABORTED.length()))
                : aborted;
        }

        private void elements(ReplyBuffer in) {
            ReplyReader all = in.reader();
            try {
                int count = all.beginArray();
                if (count >= 0 && count != results.size()) {
                    throw new SamewireException(Code.MALFORMED, -1, null, "EXEC replied with " + count + " replies to "
                        + results.size() + " commands");
                }
                ReplyReader one = new ReplyReader(client.options().limits, Utf8.STRICT);
                for (int i = 0; i < count; i++) {
                    int start = all.position();
                    boolean isError = all.type() == io.samewire.redis.resp.ReplyType.ERROR;
                    all.skip();
                    results.get(i).take(one.reset(in.array(), start, all.position()), isError);
                }
                unchanged = count >= 0;
            } catch (SamewireException odd) {
                failed = odd;
            }
        }

        @Override
        public void lost(int replied, long written) {
            // Without EXEC the server drops what it queued.
            mayHaveRun = written >= out.length();
        }

        @Override
        public boolean isRefused(Predicate<RuntimeException> reason) {
            return !bare && reason.test(refused);
        }

        @Override
        public boolean mayHaveRun() {
            return mayHaveRun;
        }
    }
}
