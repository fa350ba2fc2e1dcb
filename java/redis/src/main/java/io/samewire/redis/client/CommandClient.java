package io.samewire.redis.client;

import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Pack;
import io.samewire.pack.TypeRef;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.store.Store;
import io.samewire.redis.store.TypedValues;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A client of one server, of the master or the replicas that sentinels know ({@link RedisSentinel}), or of a cluster. A
 * program that takes this runs with each of them: blocking calls, {@link #async}, pipelines, transactions and
 * subscriptions, and each call may have a time of its own. Thread-safe.
 *
 * <p>On a cluster the keys of one command, and of one transaction, must be in one slot: give them a hash tag, like
 * {@code {user:1}.name}. A program that does so does not depend on which of them it has, with two exceptions: a
 * pipeline of a cluster refuses commands that make the server wait ({@code BLPOP}, {@code WAIT}), and pages of
 * {@code SCAN} are asked for by {@link #scan} alone.
 */
public sealed interface CommandClient extends AutoCloseable permits RedisClient, RedisCluster {
    /**
     * Sends a command and returns its reply.
     *
     * @throws RedisException if the server replies with an error
     * @throws ConnectionException if the connection was lost and the command cannot be sent again, or attempts are over
     * @throws SamewireException {@code type_mismatch} or {@code bad_utf8} if the reply cannot be read so; {@code
     *     misuse} if the command would change the connection for other callers
     */
    <T> T execute(Command<T> command);

    /**
     * Sends a command and returns its reply, within a time of its own instead of
     * {@link RedisOptions#withCommandTimeout}. It covers all that the call does.
     *
     * @throws SamewireException as {@link #execute(Command)}; {@code timeout} if the time is over, {@code misuse} if it
     *     is not above 0
     */
    <T> T execute(Command<T> command, Duration timeout);

    /**
     * Returns the same servers for callers that do not wait. They share one connection to each, made when it is first
     * used.
     */
    AsyncClient async();

    /** Returns the same servers as publishers of {@link java.util.concurrent.Flow}, for reactive programs. */
    ReactiveClient reactive();

    /** Returns an empty pipeline: commands that are sent together. */
    Pipeline pipeline();

    /** Returns an empty transaction; on a cluster all its keys must be in one slot. */
    Transaction transaction();

    /**
     * Returns a subscriber, with connections of its own, that is subscribed to nothing yet. That of a cluster connects
     * when it first subscribes.
     *
     * @throws ConnectionException if the server cannot be reached
     */
    Subscriber subscriber(MessageListener listener);

    /**
     * Does the same within a time.
     *
     * @throws ConnectionException {@code timeout} if the server was not reached in it
     * @throws SamewireException {@code misuse} if it is not above 0
     */
    Subscriber subscriber(MessageListener listener, Duration timeout);

    /**
     * Returns a lock that processes and machines share, under a key of this name. Nothing is sent yet, and it has no
     * time: {@link RedisLock#withTimeout}.
     */
    default RedisLock lock(String name) {
        return new RedisLock(this, name);
    }

    /**
     * Returns all that a scan finds, page after page, each asked for when it is needed:
     * {@code client.scan(cursor -> Keys.scan(cursor).match("user:*"))}. An element that is there during the whole scan
     * comes at least once; it may come twice. The stream throws what {@link #execute} throws.
     *
     * @param page makes the command for the page at a cursor
     */
    <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page);

    /**
     * Does the same, with a time of its own for each page. The stream throws what {@link #execute(Command, Duration)}
     * throws.
     *
     * @throws SamewireException {@code misuse} if it is not above 0
     */
    <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout);

    /**
     * Returns a store of typed values: each under a key of its own, the prefix and its name, in the bytes that every
     * language of Samewire reads.
     *
     * @throws SamewireException {@code unsupported} or {@code misuse} if the type has no schema
     */
    default <T> Store<T> store(Class<T> type, CharSequence prefix) {
        return typed(type).store(prefix);
    }

    /** Returns typed values of a class: a store, hashes, lists, streams and channels. Throws as {@link #store}. */
    default <T> TypedValues<T> typed(Class<T> type) {
        return typed(Pack.codec(type));
    }

    /** Returns typed values of a type with type arguments or annotations. Throws as {@link #store}. */
    default <T> TypedValues<T> typed(TypeRef<T> type) {
        return typed(Pack.codec(type));
    }

    /** Returns typed values of a codec: for a profile and for limits. */
    default <T> TypedValues<T> typed(Codec<T> codec) {
        return TypedValues.of(new StoreExecutor(this), codec);
    }

    /**
     * Returns what the connections of blocking callers do, or those to all nodes that the cluster has now: too few if
     * callers wait, unsteady if many are lost.
     */
    PoolStatistics poolStatistics();

    /** Returns what this client was made with; the address is that of one node of a cluster. */
    RedisOptions options();

    /** Returns what the cache has done, or those of all nodes; null without {@link RedisOptions#withCache}. */
    CacheStatistics cacheStatistics();

    /** Closes all connections. Calls that wait get {@code closed}, and so do later ones. */
    @Override
    void close();
}
