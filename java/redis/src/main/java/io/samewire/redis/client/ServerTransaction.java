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

/** A transaction of one server: commands are encoded as they are added. */
final class ServerTransaction extends Transaction {
    private static final byte[] MULTI = encoded("MULTI");
    private static final byte[] EXEC = encoded("EXEC");

    private static final String ABORTED = "EXECABORT Transaction discarded because of: ";

    private RedisClient client;
    private final Queue queue;
    /** What keys are watched on; null if none are. */
    private Connection watching;
    /** Whether keys were watched on a connection that was lost. */
    private boolean unwatched;

    ServerTransaction(RedisClient client) {
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

    @Override
    public void watch(CharSequence... keys) {
        watch(CallTime.ofBatch(client.options()), keys);
    }

    @Override
    public void watch(Duration timeout, CharSequence... keys) {
        watch(CallTime.within(RedisOptions.positive(timeout)), keys);
    }

    /** Watches keys within a call's time. */
    void watch(CallTime time, CharSequence... keys) {
        if (keys.length == 0 || queue.replies() > 0) {
            throw RedisOptions.misuse("expected at least one key, before commands are added");
        }
        boolean first = watching == null;
        if (first) {
            watching = client.borrow(time);
        }
        // Before keys are watched: what tries MULTI forgets them.
        onConnection(Commands.of("WATCH", keys), new CallTime(time.start(), time.ready(), time.ready()), first);
        // Not before: what was watched and lost stays lost while no other keys are watched.
        unwatched = false;
    }

    @Override
    public <T> T execute(Command<T> command) {
        return execute(command, CallTime.of(command, client.options()));
    }

    @Override
    public <T> T execute(Command<T> command, Duration timeout) {
        return execute(command, CallTime.within(RedisOptions.positive(timeout)));
    }

    private <T> T execute(Command<T> command, CallTime time) {
        SharedCommands.check(command);
        if (watching == null) {
            throw RedisOptions.misuse("nothing is watched: expected watch() before, or the client's execute()");
        }
        return onConnection(command, time, false);
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
                client.followLoading(command.name(), refused, failures, time);
            }
        }
    }

    @Override
    public <T> Result<T> add(Command<T> command) {
        return queue.add(command);
    }

    @Override
    public Optional<List<Result<?>>> exec() {
        return exec(CallTime.ofBatch(client.options()));
    }

    @Override
    public Optional<List<Result<?>>> exec(Duration timeout) {
        return exec(CallTime.within(RedisOptions.positive(timeout)));
    }

    private Optional<List<Result<?>>> exec(CallTime time) {
        Observers observers = client.options().observers;
        return observers == null ? execNow(time)
            : observers.transaction(client.operation("MULTI", size()), () -> execNow(time));
    }

    private Optional<List<Result<?>>> execNow(CallTime time) {
        try {
            return attempt(time);
        } finally {
            end();
        }
    }

    /** Directs the next attempt, and watching from now on, to another node of a cluster. Nothing is watched. */
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
            client.run("MULTI", exchange, false, nanos(time), time);
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

    @Override
    public boolean isWatching() {
        return watching != null;
    }

    @Override
    public int size() {
        return queue.replies();
    }

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
        public RuntimeException refusal() {
            return refused;
        }

        @Override
        public boolean mayHaveRun() {
            return mayHaveRun;
        }
    }
}
