package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.CheckReturnValue;
import io.samewire.redis.command.Command;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/**
 * How a client connects, and what it may take. Immutable; {@link #of} reads a URI, and the {@code with} methods return
 * changed copies.
 */
@CheckReturnValue
public final class RedisOptions implements Cloneable {
    /** What a reply may be: any text that a server keeps (512 MB), and 33 million elements. */
    public static final Limits REPLY_LIMITS = Limits.DEFAULT.withFrameBytes(1 << 30).withItems(1 << 25)
        .withCells(1 << 26).withDepth(1024).withBufferedBytes(Integer.MAX_VALUE);

    Address address;
    boolean tls;
    String user;
    String password;
    /** Null for the two above. */
    Supplier<Credentials> credentials;
    int database;
    String clientName;
    int protocol = 3;
    long connectTimeout = Duration.ofSeconds(5).toNanos();
    /** Nanoseconds of {@link RedisClient#connect}, subscribers and monitors at a server that says nothing. */
    long reachTimeout = Duration.ofSeconds(10).toNanos();
    long commandTimeout = Duration.ofSeconds(60).toNanos();
    /** Whether the program has chosen that time. */
    boolean timed;
    /** Nanoseconds before the end of a call's time at which another node may be tried; 0 for a single server. */
    long reserve;
    /** Nanoseconds of {@link SharedConnection}'s patience with a silent connection; 0 for half of the usual time. */
    long doubtAfter;
    int connections = 16;
    int blockingConnections = 16;
    /** Null for nobody. */
    BiConsumer<? super Command<?>, Object> unclaimed;
    /** Null for nobody. */
    BiConsumer<? super Command<?>, ? super Throwable> inDoubt;
    long idleTimeout = 60_000_000_000L;
    Retry retry = Retry.DEFAULT;
    /** Nanoseconds; 0 for no breaker. */
    long breakerAfter;
    Limits limits = REPLY_LIMITS;
    SSLContext sslContext;
    boolean verifyHost = true;
    Executor executor;
    int queueCommands = 1 << 20;
    long queueBytes = Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4);
    int cacheEntries;
    long cacheBytes;
    /** Null for none. */
    Observers observers;
    /** Whether replicas of a cluster are asked to run commands that only read. */
    boolean readsReplica;
    /** What each new channel becomes. Tests have theirs fail at a certain place. */
    UnaryOperator<SocketChannel> channels = UnaryOperator.identity();

    RedisOptions() { }

    /**
     * Returns the options of a URI: {@code redis://user:password@host:port/db}, {@code rediss://} with TLS, or
     * {@code unix:///path?db=1}; {@code valkey://} and {@code valkeys://} mean the same as the first two. Its query may
     * have {@code db}, {@code protocol}, {@code client_name}, {@code max_connections}, {@code timeout},
     * {@code connect_timeout} and {@code breaker} ({@link #withBreaker}; all three in seconds).
     *
     * @throws SamewireException {@code misuse} if it is none of these
     */
    public static RedisOptions of(String uri) {
        return new RedisUri(uri).options();
    }

    /** Returns options for a server, without credentials. */
    public static RedisOptions of(Address server) {
        RedisOptions made = new RedisOptions();
        made.address = server;
        return made;
    }

    private RedisOptions copy() {
        try {
            return (RedisOptions) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    /** Returns the nanoseconds of a time that is neither 0 nor endless. */
    static long positive(Duration time) {
        if (time.isZero() || time.isNegative() || time.compareTo(Duration.ofDays(365)) > 0) {
            throw misuse("expected a time above 0 and below a year, found " + time);
        }
        return time.toNanos();
    }

    /** Returns where the server is. */
    public Address address() {
        return address;
    }

    /** Returns these options for another server. */
    public RedisOptions withAddress(Address server) {
        RedisOptions made = copy();
        made.address = java.util.Objects.requireNonNull(server);
        return made;
    }

    /** Returns these options with a user of the server's ACL; null for the default user. */
    public RedisOptions withCredentials(String name, String secret) {
        RedisOptions made = copy();
        made.user = name;
        made.password = secret;
        made.credentials = null;
        return made;
    }

    /**
     * Returns these options with credentials that change, like tokens that expire: they are asked for each time that a
     * connection is made, by the thread that makes it. What the source throws, the caller gets who needs the
     * connection; connections that are there keep the credentials that they were made with.
     */
    public RedisOptions withCredentials(Supplier<Credentials> source) {
        RedisOptions made = copy();
        made.credentials = java.util.Objects.requireNonNull(source);
        return made;
    }

    /** Returns these options with the number of a database. */
    public RedisOptions withDatabase(int number) {
        if (number < 0) {
            throw misuse("expected the number of a database, found " + number);
        }
        RedisOptions made = copy();
        made.database = number;
        return made;
    }

    /** Returns the number of the database. */
    public int database() {
        return database;
    }

    /** Returns these options with the name under which {@code CLIENT LIST} shows the connections. */
    public RedisOptions withClientName(String name) {
        RedisOptions made = copy();
        made.clientName = name;
        return made;
    }

    /** Returns these options with the protocol to speak: 3, which falls back to 2, or 2. */
    public RedisOptions withProtocol(int version) {
        if (version != 2 && version != 3) {
            throw misuse("expected protocol 2 or 3, found " + version);
        }
        RedisOptions made = copy();
        made.protocol = version;
        return made;
    }

    /**
     * Returns these options with another time for making a connection, 5 seconds by default: with its TLS and the
     * greeting. A command waits for it as long as its own time allows; {@link RedisClient#connect}, subscribers and
     * monitors have this time in all; by default twice that if the server says nothing.
     */
    public RedisOptions withConnectTimeout(Duration time) {
        RedisOptions made = copy();
        made.connectTimeout = positive(time);
        made.reachTimeout = made.connectTimeout;
        return made;
    }

    /**
     * Returns these options with another time for a command. It covers all that a call does: the wait for a connection,
     * making one, attempts and the pauses between them, and the reply. By default it is 60 seconds: a server that says
     * nothing for a while, or refuses, as one does that is started again, is waited for. A command that may be repeated
     * waits half of that for its reply, and is sent again on another connection then; in a time of the program's own it
     * is not, except on a cluster. A command that waits, like {@code BLPOP}, may take its own time besides. A
     * pipeline's first reply has this time, and each later one as long again.
     */
    public RedisOptions withCommandTimeout(Duration time) {
        RedisOptions made = copy();
        made.commandTimeout = positive(time);
        made.timed = true;
        return made;
    }

    /** Returns these options with another number of connections, 16 by default; callers beyond it wait for one. */
    public RedisOptions withConnections(int most) {
        if (most < 1) {
            throw misuse("expected at least 1 connection, found " + most);
        }
        RedisOptions made = copy();
        made.connections = most;
        return made;
    }

    /** Returns how many connections blocking callers have at most. */
    public int connections() {
        return connections;
    }

    /**
     * Returns these options with another number of connections for commands of {@link CommandClient#async} that make
     * the server wait, like {@code BLPOP}, 16 by default; calls beyond it wait for one. Each has a thread. On a cluster
     * it is the number for all nodes.
     */
    public RedisOptions withBlockingConnections(int most) {
        if (most < 1) {
            throw misuse("expected at least 1 connection, found " + most);
        }
        RedisOptions made = copy();
        made.blockingConnections = most;
        return made;
    }

    /**
     * Returns these options with what takes replies of {@link CommandClient#async} whose future was done before: it was
     * cancelled, or its time was over, when the server had popped an element already. These are all replies of blocking
     * commands that are not empty, and those of others that take what they return ({@link Command#takes}: {@code LPOP},
     * {@code SPOP}, {@code GETDEL}, {@code GETSET}, {@code SET} with {@code GET}). It is called on a thread that may
     * wait. Without it what is nowhere else is reported to the thread's handler of uncaught exceptions, and dropped.
     *
     * @param taker takes the command and its reply, as the future would have had it; null for none
     */
    public RedisOptions withUnclaimed(BiConsumer<? super Command<?>, Object> taker) {
        RedisOptions made = copy();
        made.unclaimed = taker;
        return made;
    }

    /**
     * Returns these options with what hears of commands of {@link CommandClient#async} that take what they return
     * ({@link Command#takes}), whose future was cancelled, and of which no reply tells whether they did: their
     * connection was lost, or had to be closed since the server does not let the client end the wait, or the reply
     * cannot be read. It is called on a thread that may wait. Without it they are reported to the thread's handler of
     * uncaught exceptions.
     *
     * <p>A call whose future is not cancelled tells its caller itself: {@link ConnectionException#mayHaveRun}.
     *
     * @param taker takes the command and why there is no reply; null for none
     */
    public RedisOptions withInDoubt(BiConsumer<? super Command<?>, ? super Throwable> taker) {
        RedisOptions made = copy();
        made.inDoubt = taker;
        return made;
    }

    /**
     * Returns these options with another time after which an unused connection is closed, 60 seconds by
     * default. It is noticed when another one is given back; the one used last stays.
     */
    public RedisOptions withIdleTimeout(Duration time) {
        RedisOptions made = copy();
        made.idleTimeout = positive(time);
        return made;
    }

    /** Returns these options with other attempts after a failure. */
    public RedisOptions withRetry(Retry policy) {
        RedisOptions made = copy();
        made.retry = java.util.Objects.requireNonNull(policy);
        return made;
    }

    /**
     * Returns these options with a circuit breaker, or without one, as they are by default. Once the server could not
     * be reached for that long, one caller tries about once a second until it can. Others wait for that as long as
     * their retry policy and their time allow another attempt, and fail at once if it does not.
     *
     * @param unreachable for how long; null for no breaker
     */
    public RedisOptions withBreaker(Duration unreachable) {
        RedisOptions made = copy();
        made.breakerAfter = unreachable == null ? 0 : positive(unreachable);
        return made;
    }

    /** Returns these options with other bounds for one reply. */
    public RedisOptions withLimits(Limits bounds) {
        RedisOptions made = copy();
        made.limits = java.util.Objects.requireNonNull(bounds);
        return made;
    }

    /** Returns these options with TLS: by a context of the program's, or null for the JVM's default. */
    public RedisOptions withTls(SSLContext context) {
        RedisOptions made = copy();
        made.tls = true;
        made.sslContext = context;
        return made;
    }

    /** Returns these options with TLS that does, or does not, compare the host's name with the certificate's. */
    public RedisOptions withHostVerified(boolean verified) {
        RedisOptions made = copy();
        made.verifyHost = verified;
        return made;
    }

    /**
     * Returns these options with what completes the futures of {@link RedisClient#async}; null for the thread that
     * reads replies, which is quicker, and must not be made to wait.
     */
    public RedisOptions withExecutor(Executor completing) {
        RedisOptions made = copy();
        made.executor = completing;
        return made;
    }

    /**
     * Returns these options with other bounds for the calls of {@link RedisClient#async} and
     * {@link RedisCluster#submit} that wait for a reply, on each connection. A call beyond them fails with
     * {@code limit_items} or {@code limit_size} and has not run; one call alone never does.
     *
     * @param commands how many, 1,048,576 by default
     * @param bytes how much their commands may take, about; a quarter of the JVM's memory by default
     */
    public RedisOptions withQueue(int commands, long bytes) {
        if (commands < 1 || bytes < 1) {
            throw misuse("expected at least 1 command and 1 byte, found " + commands + " and " + bytes);
        }
        RedisOptions made = copy();
        made.queueCommands = Math.min(commands, QueueBounds.MOST);
        made.queueBytes = bytes;
        return made;
    }

    /**
     * Returns these options with client-side caching: replies of commands that only read are kept until the server says
     * that their keys have changed. It needs RESP3. What was used least recently goes first. A cluster's client keeps
     * them for each node by itself.
     *
     * @param entries replies that are kept at most; 0 for no caching
     * @param bytes how much they and their commands may take, about
     */
    public RedisOptions withCache(int entries, long bytes) {
        if (entries < 0 || bytes < 0) {
            throw misuse("expected no negative numbers, found " + entries + " entries, " + bytes + " bytes");
        }
        RedisOptions made = copy();
        made.cacheEntries = entries;
        made.cacheBytes = bytes;
        return made;
    }

    /** Returns these options with one more observer, which receives the client's calls and connections. */
    public RedisOptions withObserver(Observer observer) {
        RedisOptions made = copy();
        made.observers = Observers.and(observers, java.util.Objects.requireNonNull(observer));
        return made;
    }

    /** Returns these options for a client within another one: its calls are not a program's. */
    RedisOptions withoutCalls() {
        if (observers == null) {
            return this;
        }
        RedisOptions made = copy();
        made.observers = observers.withoutCalls();
        return made;
    }

    /** The address, and whether there is TLS; no secrets. */
    @Override
    public String toString() {
        return (tls ? "rediss://" : address.path() == null ? "redis://" : "unix://") + address + "/" + database;
    }
}
