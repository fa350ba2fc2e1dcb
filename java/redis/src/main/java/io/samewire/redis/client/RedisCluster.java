package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Parts;
import io.samewire.redis.command.ScanPage;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A client of a cluster. Thread-safe. A command goes to the node of its keys; callers write and read that node's
 * sockets themselves. {@code MGET}, {@code MSET}, {@code DEL}, {@code UNLINK}, {@code EXISTS} and {@code TOUCH} of keys
 * in several slots are split, and are not atomic then; other commands with keys in several slots are refused.
 *
 * <p>Slots that move, nodes that fail and replicas that take their places are followed. A command is sent again only if
 * it has not run, or may be repeated ({@code spec/redis.md} section 6).
 *
 * <p>A call has 60 seconds unless {@link RedisOptions#withCommandTimeout} says otherwise: a fail-over takes the
 * servers' {@code cluster-node-timeout}, 15 seconds by default, and the election. A node that does not reply has half
 * of the time that is left, and a second at least; then a command that has not run, or may be repeated, is sent where
 * the newest map says.
 */
public final class RedisCluster implements CommandClient {
    private final RedisOptions options;
    private final Topology topology;
    private final SearchCursors cursors = new SearchCursors();
    /** Sends again what callers that do not wait have sent: threads that read replies must not write. */
    private final ScheduledExecutorService again;
    private final Deadlines deadlines = new Deadlines();
    private final AsyncClient async = new ClusterAsyncClient(this);
    private final BlockingCalls blocking;
    private final Set<ClusterSubscriber> others = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private RedisCluster(RedisOptions options, List<Address> nodes, ReadFrom reads) {
        this.options = options;
        this.topology = new Topology(options, nodes, reads);
        this.blocking = new BlockingCalls(options, deadlines, new BlockingCalls.Runner() {
            @Override
            public <T> T run(BlockingCall<T> call) {
                return attempt(call.command, place(call.command), false, call.time, call);
            }
        });
        this.again = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "samewire-redis-cluster");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Finds a cluster by some of its nodes, given as for {@link RedisOptions#of(String)}; all options are those of the
     * first URI.
     *
     * @throws SamewireException {@code misuse} if a URI is wrong, or none is given
     * @throws ConnectionException if no node replies
     */
    public static RedisCluster connect(String... uris) {
        List<RedisOptions> given = Stream.of(uris).map(RedisOptions::of).toList();
        if (given.isEmpty()) {
            throw RedisOptions.misuse("expected the URI of at least one node of the cluster");
        }
        return connect(given.get(0), given.stream().map(RedisOptions::address).toList(), ReadFrom.PRIMARY);
    }

    /**
     * Finds a cluster by some of its nodes.
     *
     * @param options for the connections to all nodes; their own address does not matter
     * @param nodes some of the nodes
     * @param reads where commands that only read go
     * @throws SamewireException {@code misuse} if no node is given, one is a unix socket, or the options have a
     *     database
     * @throws ConnectionException if no node replies
     */
    public static RedisCluster connect(RedisOptions options, Collection<Address> nodes, ReadFrom reads) {
        if (nodes.isEmpty() || nodes.stream().anyMatch(one -> one.path() != null)) {
            throw RedisOptions.misuse("expected hosts and ports of at least one node of the cluster, found " + nodes);
        } else if (options.database != 0) {
            throw RedisOptions.misuse("a cluster has only database 0: leave the database out");
        }
        RedisOptions own = options.withAddress(nodes.iterator().next());
        own.readsReplica = reads != ReadFrom.PRIMARY;
        own.reserve = own.retry.attempts() == 0 ? 0 : own.commandTimeout - CallTime.part(own.commandTimeout);
        RedisCluster cluster = new RedisCluster(own, List.copyOf(nodes), reads);
        try {
            cluster.topology.initialize();
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    Topology topology() {
        return topology;
    }

    @Override
    public RedisOptions options() {
        return options;
    }

    Observer.Operation operation(String name, int commands) {
        return new Observer.Operation(name, commands, null, 0);
    }

    // --- one command

    /**
     * Sends a command to the node of its keys and returns its reply. A command without keys goes to any primary; to all
     * nodes that it concerns where their replies can be put together, like {@code DBSIZE}, {@code KEYS} and
     * {@code FLUSHALL}.
     *
     * @throws RedisException if the server replies with an error
     * @throws ConnectionException if the connection was lost and the command cannot be sent again, or attempts are over
     * @throws SamewireException {@code misuse} if its keys are in several slots, if each node has a reply of its own,
     *     or if it would change the connection; {@code type_mismatch} or {@code bad_utf8} if the reply cannot be read
     */
    @Override
    public <T> T execute(Command<T> command) {
        SharedCommands.check(command);
        return options.observers == null ? executeNow(command)
            : options.observers.call(operation(command.name(), 1), () -> executeNow(command));
    }

    private <T> T executeNow(Command<T> command) {
        Supplier<ClusterNode> place = place(command);
        boolean caches = options.cacheEntries > 0 && ReplyCache.isCacheable(command);
        return place == null ? joined(spread(command, 0, true)) : attempt(command, place, caches,
            CallTime.of(command, options), null);
    }

    /**
     * Sends a command and returns its reply, within a time of its own, as
     * {@link RedisClient#execute(Command, Duration)} does: attempts at other nodes are part of it.
     *
     * @throws RedisException as {@link #execute(Command)}
     * @throws ConnectionException as {@link #execute(Command)}; {@code timeout} if the time is over
     * @throws SamewireException as {@link #execute(Command)}; {@code misuse} if the time is not above 0
     */
    @Override
    public <T> T execute(Command<T> command, Duration timeout) {
        SharedCommands.check(command);
        long nanos = RedisOptions.positive(timeout);
        return options.observers == null ? executeNow(command, nanos)
            : options.observers.call(operation(command.name(), 1), () -> executeNow(command, nanos));
    }

    private <T> T executeNow(Command<T> command, long nanos) {
        Supplier<ClusterNode> place = place(command);
        return place == null ? joined(spread(command, nanos, true))
            : attempt(command, place, false, CallTime.within(nanos), null);
    }

    /** call: of a caller that does not wait, if the command makes the server wait; else null. */
    private <T> T attempt(Command<T> command, Supplier<ClusterNode> place, boolean caches, CallTime time,
            BlockingCall<T> call) {
        Attempts attempts = null;
        while (true) {
            int seen = topology.round();
            ClusterNode node = attempts == null ? null : attempts.node();
            RuntimeException failed;
            try {
                if (node == null) {
                    node = place.get();
                }
                if (caches) {
                    topology.keepFresh();
                }
                boolean asking = attempts != null && attempts.isAsking();
                CallTime part = part(time, attempts == null ? time.start() : Deadlines.now(), command.repeatable());
                return call == null ? node.execute(cursors.watched(command, node), asking, caches, part)
                    : node.client.execute(call, part, asking);
            } catch (ConnectionException | RedisException error) {
                failed = error;
            }
            if (attempts == null) {
                attempts = new Attempts(topology, command.name(), options.retry, command.repeatable(), time);
            }
            follow(attempts, attempts.after(failed, node), seen);
        }
    }

    /** The time of one attempt. */
    CallTime part(CallTime time, long from, boolean repeatable) {
        return options.retry.attempts() == 0 ? new CallTime(from, time.ready(), time.until())
            : time.part(from, repeatable);
    }

    /** The nanoseconds of one attempt of a caller that does not wait and has so many left; 0 for the usual time. */
    private long part(long nanos, boolean repeatable) {
        return nanos == 0 || !repeatable || options.retry.attempts() == 0 ? nanos
            : Math.max(1, CallTime.part(nanos));
    }

    /** Does what must be done before another attempt, or throws why there is none. */
    void follow(Attempts attempts, RuntimeException end, int seen) {
        if (end != null) {
            throw end;
        } else if (attempts.delay() > 0 && !Pool.sleep(attempts.delay())) {
            throw ConnectionException.last(Code.CLOSED, attempts.mayHaveRun(),
                "the thread was interrupted before another attempt", null);
        } else if (attempts.needsMap()) {
            try {
                topology.refresh(seen, attempts.time());
            } catch (ConnectionException stopped) {
                throw stopped.with(attempts.mayHaveRun());
            }
        }
    }

    /** Says where a command goes; null if it goes to several nodes. */
    private Supplier<ClusterNode> place(Command<?> command) {
        String name = command.name();
        switch (name) {
            case "DEL", "EXISTS", "TOUCH", "UNLINK", "MGET", "MSET" -> {
                if (Parts.bySlot(command) != null) {
                    return null;
                }
            }
            case "DBSIZE", "FLUSHALL", "FLUSHDB", "KEYS", "SCRIPT EXISTS", "SCRIPT FLUSH", "SCRIPT LOAD",
                "FUNCTION DELETE", "FUNCTION FLUSH", "FUNCTION LOAD", "FUNCTION RESTORE", "PUBSUB CHANNELS",
                "PUBSUB NUMPAT", "PUBSUB NUMSUB", "PUBSUB SHARDCHANNELS", "PUBSUB SHARDNUMSUB" -> {
                return null;
            }
            case "FT.CURSOR READ", "FT.CURSOR DEL" -> {
                ClusterNode made = cursors.node(command, topology.map().nodes());
                if (made != null) {
                    return () -> made;
                }
            }
            case "SCAN" -> throw RedisOptions.misuse("SCAN has a cursor of each node's own: use RedisCluster.scan");
            default -> { }
        }
        int slot = command.slot();
        boolean reads = command.readOnly();
        return slot < 0 ? topology::any : () -> topology.serving(slot, reads);
    }

    // --- several nodes

    /** A command that several nodes run, and where. */
    private record Spread<T>(Parts<T> parts, List<CompletableFuture<Reply>> replies) {}

    private <T> Spread<T> spread(Command<T> command, long nanos, boolean waits) {
        Parts<T> parts = Parts.bySlot(command);
        List<Supplier<ClusterNode>> places = new ArrayList<>();
        if (parts == null) {
            Collection<ClusterNode> nodes = command.name().startsWith("PUBSUB ") ? topology.map().nodes()
                : topology.map().of(NodeRole.PRIMARY);
            nodes.forEach(node -> places.add(() -> node));
            parts = Parts.everywhere(command, places.size());
        } else {
            parts.commands().forEach(part -> places.add(place(part)));
        }
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            replies.add(submit(parts.commands().get(i), places.get(i), nanos, waits));
        }
        return new Spread<>(parts, replies);
    }

    private <T> T joined(Spread<T> spread) {
        try {
            return spread.parts.join(spread.replies.stream().map(Call::await).toList(), options.limits);
        } catch (ConnectionException failed) {
            throw failed.with(spread.replies.stream().anyMatch(RedisCluster::mayHaveRun));
        }
    }

    private static boolean mayHaveRun(CompletableFuture<?> part) {
        return !part.isCompletedExceptionally()
            || Call.failure(part.handle((none, failed) -> failed).join()) instanceof ConnectionException lost
            && lost.mayHaveRun();
    }

    /**
     * Sends a command to each node of a role by itself, and returns the replies by the nodes' addresses. A node that
     * fails is not asked again.
     *
     * @throws RedisException the first error that a node replied
     * @throws ConnectionException if a node was lost
     */
    public <T> Map<Address, T> executeOn(NodeRole role, Command<T> command) {
        SharedCommands.check(command);
        return options.observers == null ? executeNow(role, command)
            : options.observers.call(operation(command.name(), 1), () -> executeNow(role, command));
    }

    private <T> Map<Address, T> executeNow(NodeRole role, Command<T> command) {
        Map<Address, T> found = new LinkedHashMap<>();
        CallTime time = CallTime.of(command, options);
        topology.map().of(role).forEach(node -> found.put(node.address, node.client.execute(command, time.rest())));
        return found;
    }

    @Override
    public CacheStatistics cacheStatistics() {
        return options.cacheEntries > 0 ? topology.cacheStatistics() : null;
    }

    @Override
    public PoolStatistics poolStatistics() {
        return topology.poolStatistics();
    }

    /** Returns where the nodes of a role are, as the client knows the cluster now. */
    public List<Address> addresses(NodeRole role) {
        return topology.map().of(role).stream().map(node -> node.address).toList();
    }

    /** Returns all that a scan finds on each primary, as {@link RedisClient#scan} does. */
    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page) {
        return scanned(page, null);
    }

    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout) {
        RedisOptions.positive(timeout);
        return scanned(page, timeout);
    }

    private <T> Stream<T> scanned(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout) {
        return topology.map().of(NodeRole.PRIMARY).stream().flatMap(node -> node.client.scanned(page, timeout));
    }

    // --- callers that do not wait

    /**
     * Sends a command as {@link #execute} does, without waiting, as {@link #async} does.
     *
     * @return a future of the reply. It fails with what {@link #execute} throws
     * @throws SamewireException {@code misuse} as {@link #execute}, and for {@code WAIT} and {@code WAITAOF}
     */
    public <T> CompletableFuture<T> submit(Command<T> command) {
        return submit(command, 0);
    }

    private <T> CompletableFuture<T> submit(Command<T> command, long nanos) {
        SharedCommands.check(command);
        return options.observers == null ? submitNow(command, nanos)
            : options.observers.submit(operation(command.name(), 1), () -> submitNow(command, nanos));
    }

    private <T> CompletableFuture<T> submitNow(Command<T> command, long nanos) {
        if (!BlockingCalls.takes(command)) {
            return submit(command, nanos, false);
        }
        place(command);
        return blocking.execute(command, nanos == 0 ? CallTime.of(command, options) : CallTime.within(nanos));
    }

    /**
     * Sends a command, whose call has a time of its own instead of {@link RedisOptions#withCommandTimeout}: attempts at
     * other nodes are part of it.
     *
     * @return a future of the reply. It fails with what {@link #execute} throws
     * @throws SamewireException {@code misuse} as {@link #submit(Command)}, and if the time is not above 0
     */
    public <T> CompletableFuture<T> submit(Command<T> command, Duration timeout) {
        return submit(command, RedisOptions.positive(timeout));
    }

    /** waits: whether the caller waits for it. Then it is not refused although many calls wait. */
    <T> CompletableFuture<T> submit(Command<T> command, long nanos, boolean waits) {
        check(command);
        Supplier<ClusterNode> place = place(command);
        if (place != null) {
            return submit(command, place, nanos, waits);
        }
        Spread<T> spread = spread(command, nanos, waits);
        return CompletableFuture.allOf(spread.replies.toArray(CompletableFuture[]::new))
            .handle((none, failed) -> joined(spread));
    }

    /** Refuses what cannot go over connections that callers share. */
    void check(Command<?> command) {
        SharedCommands.check(command);
        if (command.blockingMillis() >= 0) {
            throw RedisOptions.misuse(command.name() + " would hold up all callers: use"
                + " RedisCluster.execute or async()");
        }
        place(command);
    }

    /** A call, and what is sent for it to one node after the other. */
    private static final class Sent<T> extends CompletableFuture<T> {
        private volatile Call<T> latest;

        /** Also of what is sent: it is not written any more, or its reply is unclaimed there. */
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            Call<T> sent = latest;
            if (cancelled && sent != null) {
                sent.cancel(mayInterruptIfRunning);
            }
            return cancelled;
        }

        void send(Call<T> call) {
            latest = call;
            if (isCancelled()) {
                call.cancel(false);
            }
        }
    }

    private <T> CompletableFuture<T> submit(Command<T> command, Supplier<ClusterNode> place, long nanos,
            boolean waits) {
        Sent<T> reply = new Sent<>();
        submit(command, place, reply, null, nanos, waits);
        return reply;
    }

    /** nanos: the time of this attempt, or 0 for the usual one. */
    private <T> void submit(Command<T> command, Supplier<ClusterNode> place, Sent<T> reply, Attempts attempts,
            long nanos, boolean waits) {
        int seen = topology.round();
        ClusterNode node = attempts == null ? null : attempts.node();
        try {
            ClusterNode to = node == null ? place.get() : node;
            long until = nanos == 0 ? 0 : Deadlines.now() + nanos;
            Call<T> call = to.submit(cursors.watched(command, to), attempts != null && attempts.isAsking(),
                part(nanos, command.repeatable()), waits);
            reply.send(call);
            call.whenComplete((value, failed) -> {
                if (failed == null) {
                    if (!reply.complete(value)) {
                        unclaimed().reply(command, value);
                    }
                } else if (!call.isCancelled()) {
                    follow(command, place, reply, attempts != null ? attempts
                        : attempts(command, until == 0 ? call.deadline : until), to, Call.failure(failed), seen);
                }
            });
        } catch (ConnectionException unplaced) {
            follow(command, place, reply, attempts != null ? attempts : attempts(command,
                Deadlines.now() + (nanos > 0 ? nanos : options.commandTimeout)), null, unplaced, seen);
        } catch (RuntimeException wrong) {
            reply.completeExceptionally(wrong);
        }
    }

    private Attempts attempts(Command<?> command, long until) {
        return new Attempts(topology, command.name(), options.retry, command.repeatable(),
            new CallTime(Deadlines.now(), until, until));
    }

    private <T> void follow(Command<T> command, Supplier<ClusterNode> place, Sent<T> reply, Attempts attempts,
            ClusterNode node, RuntimeException failed, int seen) {
        RuntimeException end = attempts.after(failed, node);
        if (end == null && attempts.time().left() <= 0) {
            end = attempts.late(failed);
        }
        if (end != null || reply.isDone()) {
            if (!reply.completeExceptionally(end == null ? failed : end) && attempts.mayHaveRun()) {
                unclaimed().inDoubt(command, reply, failed);
            }
            return;
        }
        // An attempt ends in its time by itself: only then is it known whether it may have run.
        if (attempts.rest()) {
            deadlines.at(attempts.time().until(), reply, () -> {
                if (attempts.leave()) {
                    later(0, () -> reply.completeExceptionally(attempts.late(null)), reply, attempts);
                }
            });
        }
        CompletableFuture<Void> ready = attempts.needsMap() ? topology.newer(seen)
            : CompletableFuture.completedFuture(null);
        // Also without a delay on that thread: commands that fail in a row are sent again in a row.
        ready.thenRun(() -> later(attempts.delay(), () -> {
            if (attempts.leave()) {
                submit(command, place, reply, attempts, Math.max(1, attempts.time().left()), true);
            }
        }, reply, attempts));
    }

    private void later(long nanos, Runnable work, CompletableFuture<?> reply, Attempts attempts) {
        try {
            if (nanos > 0) {
                again.schedule(work, nanos, java.util.concurrent.TimeUnit.NANOSECONDS);
            } else {
                again.execute(work);
            }
        } catch (java.util.concurrent.RejectedExecutionException over) {
            reply.completeExceptionally(ConnectionException.clientClosed().with(attempts.mayHaveRun()));
        }
    }

    // --- more than commands

    @Override
    public AsyncClient async() {
        return async;
    }

    Unclaimed unclaimed() {
        return blocking.unclaimed();
    }

    @Override
    public ReactiveClient reactive() {
        return new ReactiveClient(this, () -> topology.map().of(NodeRole.PRIMARY).stream()
            .map(node -> node.client.async()).toList());
    }

    @Override
    public ClusterPipeline pipeline() {
        return new ClusterPipeline(this);
    }

    @Override
    public ClusterTransaction transaction() {
        return new ClusterTransaction(this);
    }

    /** Returns a subscriber, which connects when it first subscribes. */
    @Override
    public ClusterSubscriber subscriber(MessageListener listener) {
        ClusterSubscriber made = new ClusterSubscriber(this, listener);
        opened(made);
        return made;
    }

    @Override
    public ClusterSubscriber subscriber(MessageListener listener, Duration timeout) {
        RedisOptions.positive(timeout);
        return subscriber(listener);
    }

    private void opened(ClusterSubscriber other) {
        others.add(other);
        if (closed) {
            close();
            throw ConnectionException.clientClosed();
        }
    }

    void forget(ClusterSubscriber other) {
        others.remove(other);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Returns the slot of a channel or key. */
    static int slot(CharSequence name) {
        return KeySlot.of(name instanceof Bytes ? name : name.toString());
    }

    /** Where the primaries are, as the client knows the cluster now. */
    @Override
    public String toString() {
        return "a client of the cluster of " + addresses(NodeRole.PRIMARY);
    }

    @Override
    public void close() {
        closed = true;
        others.forEach(ClusterSubscriber::close);
        again.shutdown();
        blocking.close();
        topology.close();
        deadlines.close();
    }
}
