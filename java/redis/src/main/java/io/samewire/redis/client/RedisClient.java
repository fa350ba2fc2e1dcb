package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.ScanPage;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A client of one Redis or Valkey server. Thread-safe: callers that execute commands write and read their own sockets,
 * of a few connections that they take in turn; there is no thread in between. Virtual threads may call it.
 *
 * <pre>{@code
 * try (RedisClient client = RedisClient.connect("redis://localhost:6379")) {
 *     client.execute(Strings.set("greeting", "hello"));
 *     Optional<String> greeting = client.execute(Strings.get("greeting"));
 * }
 * }</pre>
 */
public final class RedisClient implements CommandClient {
    private final RedisOptions options;
    /** Null for a service that sentinels know: it moves. */
    private final Address server;
    private final Deadlines deadlines;
    private final Dialer dialer;
    private final Pool pool;
    /** For blocking commands of callers that do not wait. */
    private final Pool blockingPool;
    private final BlockingCalls blocking;
    private final WriterPool writers = new WriterPool();
    private final ReentrantLock lock = new ReentrantLock();
    /** Null without client-side caching. */
    private final Tracking tracking;
    /** Is notified of each command that may have changed a key once it is over. Null without client-side caching. */
    private final Consumer<Command<?>> written;
    private volatile SharedConnection shared;
    // Guarded by `lock`.
    private final Set<AutoCloseable> others = new HashSet<>();
    private boolean closed;

    private RedisClient(RedisOptions options, Locator locator, Consumer<Command<?>> written) {
        this.options = options;
        this.server = locator == null ? options.address : null;
        this.deadlines = new Deadlines();
        this.dialer = new Dialer(options, deadlines, locator);
        this.pool = new Pool(dialer, options.connections);
        this.blockingPool = new Pool(dialer, options.blockingConnections);
        this.blocking = new BlockingCalls(options, deadlines, new BlockingCalls.Runner() {
            @Override
            public <T> T run(BlockingCall<T> call) {
                return execute(call, call.time, false);
            }
        });
        this.tracking = options.cacheEntries > 0 ? new Tracking(dialer) : null;
        dialer.onChange(this::leave);
        this.written = tracking != null && written == null ? tracking::wrote : written;
    }

    /**
     * Connects to a server, given as for {@link RedisOptions#of(String)}.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if the URI is none of those
     * @throws ConnectionException if the server cannot be reached
     * @throws RedisException if it refuses the credentials or the database
     */
    public static RedisClient connect(String uri) {
        return connect(RedisOptions.of(uri));
    }

    /**
     * Connects to a server.
     *
     * @throws ConnectionException if the server cannot be reached
     * @throws RedisException if it refuses the credentials or the database
     */
    public static RedisClient connect(RedisOptions options) {
        RedisClient client = create(options);
        try {
            client.release(client.reach(client.pool::borrow));
            return client;
        } catch (RuntimeException failed) {
            client.close();
            throw failed;
        }
    }

    /** Returns a client that connects when it is first used. */
    public static RedisClient create(RedisOptions options) {
        return create(options, null);
    }

    /** Returns a client of the server that a locator finds each time. */
    static RedisClient create(RedisOptions options, Locator locator) {
        return new RedisClient(options, locator, null);
    }

    /** Returns the client of one node of a cluster, in which written drops what any node's client has kept. */
    static RedisClient ofNode(RedisOptions options, Consumer<Command<?>> written) {
        return new RedisClient(options, null, written);
    }

    @Override
    public <T> T execute(Command<T> command) {
        SharedCommands.check(command);
        return options.observers == null ? executeOrCached(command)
            : options.observers.call(operation(command.name(), 1), () -> executeOrCached(command));
    }

    private <T> T executeOrCached(Command<T> command) {
        if (tracking != null && ReplyCache.isCacheable(command)) {
            return executeCached(command, null);
        }
        return execute(command, CallTime.of(command, options));
    }

    /**
     * Sends a command and returns its reply, within a time of its own instead of
     * {@link RedisOptions#withCommandTimeout}: all that the call does, and for a command that makes the server wait,
     * that wait too. The reply is not taken from the cache.
     *
     * @throws ConnectionException {@code timeout} if the reply did not come in time; otherwise as {@link #execute}
     * @throws RedisException as {@link #execute}
     * @throws io.samewire.core.SamewireException as {@link #execute}; {@code misuse} if the time is not above 0
     */
    @Override
    public <T> T execute(Command<T> command, Duration timeout) {
        SharedCommands.check(command);
        CallTime time = CallTime.within(RedisOptions.positive(timeout));
        return options.observers == null ? execute(command, time)
            : options.observers.call(operation(command.name(), 1), () -> execute(command, time));
    }

    Observer.Operation operation(String name, int commands) {
        return new Observer.Operation(name, commands, server, options.database);
    }

    private void repeated(String name, int failures, Throwable error) {
        if (options.observers != null) {
            options.observers.repeated(name, failures, error);
        }
    }

    /** Returns the reply that is kept, or the server's. time: null for the usual one. */
    <T> T executeCached(Command<T> command, CallTime time) {
        return tracking.execute(command, time == null ? 0 : Math.max(1, time.left()));
    }

    /** Sends a command within a time; the reply is not taken from the cache. */
    <T> T execute(Command<T> command, CallTime time) {
        if (tracking == null || ReplyCache.isCacheable(command)) {
            return executeNow(command, time);
        }
        try {
            return executeNow(command, time);
        } finally {
            written.accept(command);
        }
    }

    /** Carries out a blocking command of a caller that does not wait. asking: although its slot is another node's. */
    <T> T execute(BlockingCall<T> call, CallTime time, boolean asking) {
        try {
            // It may have waited for its turn.
            return executeNow(call.command, time.rest(), blockingPool,
                connection -> call.run(this, connection, asking));
        } finally {
            if (written != null && !call.command.readOnly()) {
                written.accept(call.command);
            }
        }
    }

    /** Returns a future of how many connections the server has unblocked: one, or none. */
    CompletableFuture<Long> unblock(long id) {
        return shared().execute(Commands.of(Reading.LONG, "CLIENT UNBLOCK", String.valueOf(id)), null,
            options.connectTimeout, true);
    }

    private <T> T executeNow(Command<T> command, CallTime time) {
        return executeNow(command, time, pool, null);
    }

    /** use: what is done on the connection; null for a call of the command within the time. */
    private <T> T executeNow(Command<T> command, CallTime time, Pool from, Function<Connection, T> use) {
        boolean ran = false;
        long now = time.start();
        for (int failures = 1;; failures++) {
            Connection connection = null;
            RuntimeException failed;
            try {
                connection = from.borrow(now, time.ready());
                return use == null ? connection.callAtOnce(command, time.until(command, connection.usedAt))
                    : use.apply(connection);
            } catch (ConnectionException lost) {
                ran |= lost.mayHaveRun();
                follow(lost, !lost.mayHaveRun() || command.repeatable(), ran, failures);
                if (time.asksAgain() && lost.code() == Code.TIMEOUT && connection != null) {
                    from.leaveUnheard(connection);
                }
                failed = lost;
            } catch (RedisException error) {
                followRefusal(error, connection, failures);
                failed = error;
            } finally {
                if (connection != null) {
                    from.release(connection);
                }
            }
            pause(failures, failed, ran, time);
            repeated(command.name(), failures, failed);
            now = Deadlines.now();
        }
    }

    /**
     * Throws an error after which no attempt follows. ran: whether this attempt, or one before it that was repeated,
     * may have run.
     */
    private void follow(ConnectionException lost, boolean safe, boolean ran, int failures) {
        if (!safe || lost.isLast() || failures > options.retry.attempts()) {
            throw lost.with(ran);
        }
    }

    /**
     * Throws an error, except if nothing has run: the server is reading its data into memory, or it is no longer the
     * one that is meant.
     */
    private void followRefusal(RedisException error, Connection from, int failures) {
        boolean elsewhere = dialer.isElsewhere(error);
        if (elsewhere && from != null) {
            from.close();
        }
        if (!elsewhere && !Result.isLoading(error) || failures > options.retry.attempts()) {
            throw error;
        }
    }

    /** Waits before another attempt; throws if there is no time for one. */
    private void pause(int failures, RuntimeException failed, boolean ran, CallTime time) {
        long pause = options.retry.pause(failures);
        if (!time.pause(failed instanceof ConnectionException lost ? lost.pause(pause) : pause, ran)) {
            throw time.over(failed, ran);
        }
    }

    /**
     * Waits before another attempt on the same connection while the server reads its data into memory; else throws.
     */
    void followLoading(String name, RedisException error, int failures, CallTime time) {
        if (!Result.isLoading(error) || failures > options.retry.attempts()) {
            throw error;
        }
        pause(failures, error, false, time);
        repeated(name, failures, error);
    }

    /** Leaves the connections that lead to another server than the right one. */
    private void leave() {
        pool.leave();
        blockingPool.leave();
        SharedConnection used = shared;
        if (used != null) {
            used.leave();
        }
        if (tracking != null) {
            tracking.leave();
        }
        List<AutoCloseable> open;
        lock.lock();
        try {
            open = List.copyOf(others);
        } finally {
            lock.unlock();
        }
        for (AutoCloseable other : open) {
            if (other instanceof ServerSubscriber subscriber) {
                subscriber.leave();
            }
        }
    }

    /** Returns whether a connection still leads to the right server. */
    boolean isCurrent(Connection made) {
        return dialer.isCurrent(made);
    }

    /** Returns whether an error says that another server is meant. */
    boolean isElsewhere(RuntimeException error) {
        return dialer.isElsewhere(error);
    }

    /**
     * Sends a batch, again if it cannot have run, or may be repeated.
     *
     * @param name what observers know it by
     * @param nanos time for each reply after the first, which has the call's; 0 for no limit
     */
    void run(String name, Batch batch, boolean repeatable, long nanos, CallTime time) {
        boolean everRan = false;
        long now = time.start();
        for (int failures = 1;; failures++) {
            Connection connection = null;
            ConnectionException failed = null;
            if (failures > 1) {
                batch.begin();
            }
            try {
                connection = pool.borrow(now, time.ready());
                if (batch.prepare(connection, time.ready())) {
                    connection.run(batch, time.start(), nanos, time.until());
                }
                boolean elsewhere = batch.isRefused(dialer::isElsewhere);
                if (elsewhere) {
                    connection.close();
                }
                if (!elsewhere && !batch.isRefused(Result::isLoading) || failures > options.retry.attempts()) {
                    return;
                }
            } catch (ConnectionException lost) {
                boolean ran = lost.mayHaveRun() && batch.mayHaveRun();
                everRan |= ran;
                failed = lost.with(ran);
                follow(lost.with(ran), !ran || repeatable, everRan, failures);
            } finally {
                if (connection != null) {
                    pool.release(connection);
                }
            }
            RuntimeException why = failed == null ? batch.refusal() : failed;
            if (failed != null) {
                pause(failures, failed, everRan, time);
            } else if (!time.pause(options.retry.pause(failures), everRan)) {
                // Each result says why.
                return;
            }
            repeated(name, failures, failed == null ? batch.refusal() : failed);
            now = Deadlines.now();
        }
    }

    /** The time for a reply if the server may wait so long, as in {@link Command#blockingMillis}; 0 for no limit. */
    long nanos(long blockingMillis) {
        return blockingMillis == 0 ? 0 : options.commandTimeout + Math.max(blockingMillis, 0) * 1_000_000;
    }

    /** Takes a connection of the pool. */
    Connection borrow(CallTime time) {
        return attempt(time, pool::borrow);
    }

    /** Makes a connection that is not of the pool. */
    private Connection dialed() {
        return reach((now, until) -> Dial.await(dialer, until));
    }

    /** Makes or takes a connection in the time of a connect, and once more if nothing has come in it. */
    private Connection reach(Maker maker) {
        long again = options.reachTimeout - options.connectTimeout;
        try {
            return attempt(CallTime.within(options.connectTimeout), maker);
        } catch (ConnectionException late) {
            // If attempts failed in time, the cause is what the last one failed with: but for one whose own time, which
            // is the same, ended first.
            boolean failed = late.getCause() instanceof ConnectionException cause && cause.code() != Code.TIMEOUT;
            if (again <= 0 || late.code() != Code.TIMEOUT || failed) {
                throw late;
            }
            return attempt(CallTime.within(again), maker);
        }
    }

    /** Makes or takes a connection within a time. */
    private interface Maker {
        Connection apply(long now, long until);
    }

    private Connection attempt(CallTime time, Maker maker) {
        long now = time.start();
        for (int failures = 1;; failures++) {
            ConnectionException failed;
            try {
                return maker.apply(now, time.ready());
            } catch (ConnectionException unreachable) {
                follow(unreachable, true, false, failures);
                failed = unreachable;
            }
            pause(failures, failed, false, time);
            now = Deadlines.now();
        }
    }

    void release(Connection connection) {
        pool.release(connection);
    }

    WriterPool writers() {
        return writers;
    }

    /** Drops from the cache what commands may have changed. */
    void wrote(Queue commands) {
        if (written != null) {
            commands.results().forEach(result -> written.accept(result.command()));
        }
    }

    /** Returns what is kept of replies; null without client-side caching. */
    Tracking tracking() {
        return tracking;
    }

    @Override
    public Pipeline pipeline() {
        return new ServerPipeline(this);
    }

    @Override
    public Transaction transaction() {
        return new ServerTransaction(this);
    }

    @Override
    public AsyncClient async() {
        return nodeAsync();
    }

    @Override
    public ReactiveClient reactive() {
        return new ReactiveClient(this, () -> List.of(async()));
    }

    /** Returns the asynchronous client with the methods of a cluster's nodes. */
    ServerAsyncClient nodeAsync() {
        return new ServerAsyncClient(shared(), blocking, this, written);
    }

    private SharedConnection shared() {
        SharedConnection found = shared;
        if (found == null) {
            lock.lock();
            try {
                found = shared;
                if (found == null) {
                    found = new SharedConnection(dialer, List.of(), options.executor);
                    found.drop(blocking.unclaimed());
                    shared = found;
                    if (closed) {
                        found.close();
                    }
                }
            } finally {
                lock.unlock();
            }
        }
        return found;
    }

    @Override
    public Subscriber subscriber(MessageListener listener) {
        return opened(new ServerSubscriber(dialer, dialed(), listener, this::forget));
    }

    @Override
    public Subscriber subscriber(MessageListener listener, Duration timeout) {
        CallTime time = CallTime.within(RedisOptions.positive(timeout));
        Connection made = attempt(time, (now, until) -> Dial.await(dialer, until));
        return opened(new ServerSubscriber(dialer, made, listener, this::forget));
    }

    /** Subscribes to a channel once the server can be reached, however often it is lost. Does not wait. */
    void subscribeLater(MessageListener listener, String channel) {
        opened(new ServerSubscriber(dialer, null, listener, this::forget, channel));
    }

    /**
     * Starts to see every command that the server runs, on a connection of its own.
     *
     * @throws ConnectionException if the server cannot be reached
     * @throws RedisException if it refuses
     */
    public Monitor monitor() {
        return opened(new Monitor(dialed(), this::forget));
    }

    private <T extends AutoCloseable> T opened(T other) {
        boolean late;
        lock.lock();
        try {
            late = closed;
            others.add(other);
        } finally {
            lock.unlock();
        }
        if (late) {
            close();
            throw ConnectionException.clientClosed();
        }
        return other;
    }

    private void forget(AutoCloseable other) {
        lock.lock();
        try {
            others.remove(other);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page) {
        return scanned(page, null);
    }

    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout) {
        RedisOptions.positive(timeout);
        return scanned(page, timeout);
    }

    /** timeout: of each page; null for the usual one. */
    <T> Stream<T> scanned(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Scan<>(this, page, timeout),
            Spliterator.ORDERED), false);
    }

    @Override
    public CacheStatistics cacheStatistics() {
        return tracking == null ? null : tracking.statistics();
    }

    @Override
    public PoolStatistics poolStatistics() {
        return pool.statistics();
    }

    /** Returns whether no call is on its way, and nothing else is open. */
    boolean isUnused() {
        SharedConnection other = shared;
        lock.lock();
        try {
            if (!others.isEmpty()) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        return pool.isUnused() && blockingPool.isUnused() && (other == null || other.isUnused())
            && (tracking == null || tracking.isUnused());
    }

    @Override
    public RedisOptions options() {
        return options;
    }

    /** Where the server is. */
    @Override
    public String toString() {
        return "a client of " + dialer.name();
    }

    @Override
    public void close() {
        List<AutoCloseable> open;
        dialer.close();
        lock.lock();
        try {
            closed = true;
            open = List.copyOf(others);
        } finally {
            lock.unlock();
        }
        for (AutoCloseable other : open) {
            close(other);
        }
        if (tracking != null) {
            tracking.close();
        }
        if (shared != null) {
            shared.close();
        }
        blocking.close();
        blockingPool.close();
        pool.close();
        deadlines.close();
    }

    private static void close(AutoCloseable other) {
        if (other instanceof ServerSubscriber subscriber) {
            subscriber.close();
        } else if (other instanceof Monitor monitor) {
            monitor.close();
        }
    }
}
