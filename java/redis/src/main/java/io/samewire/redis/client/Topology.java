package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Cluster;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The nodes of a cluster and its map of slots, and who asks for the map again: of many callers that need a newer one at
 * the same time one question goes out. Questions in a row are apart by a jittered time that doubles.
 *
 * <p>A caller takes {@link #round} when it chooses a node. If that fails and the round is another by then, somebody has
 * asked since.
 */
final class Topology implements AutoCloseable {
    /** The time that one node may take to tell the map: then the next is asked. */
    private static final Duration ASK = Duration.ofSeconds(1);
    private static final long JITTER = 10_000_000L;
    private static final long SPACING = 100_000_000L;
    private static final long LONGEST = 2_000_000_000L;
    /**
     * So long without a question is quiet; so long a node that failed is asked last; so old the map may be when a
     * reply is taken from a cache.
     */
    private static final long QUIET = 5_000_000_000L;
    /** So long a node has been out of the map before its client is closed: callers chose it by an older map. */
    private static final long LEFT = 60_000_000_000L;

    private final RedisOptions options;
    private final List<ClusterNode> startup;
    private final ReadFrom reads;
    private final Map<Address, ClusterNode> nodes = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    // Written under `lock`.
    private volatile SlotMap map = SlotMap.EMPTY;
    private volatile int round;
    private CompletableFuture<Void> asking;
    private RuntimeException failure;
    private int inRow;
    private volatile long ended;
    private volatile boolean closed;
    /** {@link #LEFT}; tests have less. */
    volatile long closesAfter = LEFT;
    // What the nodes did that have left. Written by the thread that reads the map.
    private volatile PoolStatistics leftPools = PoolStatistics.NONE;
    private volatile CacheStatistics leftCaches = CacheStatistics.NONE;

    /** Tells observers that a command is sent again after so many failures. */
    void repeated(String name, int failures, RuntimeException error) {
        if (options.observers != null) {
            options.observers.repeated(name, failures, error);
        }
    }

    Topology(RedisOptions options, List<Address> startup, ReadFrom reads) {
        this.options = options.withoutCalls();
        this.reads = reads;
        this.startup = startup.stream().map(this::node).toList();
    }

    /** Returns the node at an address, which is made if there is none. */
    ClusterNode node(Address address) {
        ClusterNode found = nodes.compute(address, (at, known) -> {
            ClusterNode node = known == null ? new ClusterNode(at, options, this::wrote) : known;
            node.leftAt = 0;
            return node;
        });
        if (closed) {
            found.client.close();
        }
        return found;
    }

    SlotMap map() {
        return map;
    }

    int round() {
        return round;
    }

    /**
     * Returns the node for a command on a slot.
     *
     * @throws ConnectionException if no node serves it: nothing has run, and a newer map may know
     */
    ClusterNode serving(int slot, boolean readOnly) {
        List<ClusterNode> shard = map.shard(slot);
        if (shard == null) {
            throw ConnectionException.closed(false, "no node of the cluster serves slot " + slot, null);
        }
        int first = reads == ReadFrom.REPLICAS ? 1 : 0;
        if (!readOnly || reads == ReadFrom.PRIMARY || shard.size() <= first) {
            return shard.get(0);
        }
        return shard.get(first + Math.floorMod(turn.getAndIncrement(), shard.size() - first));
    }

    /** Returns any primary, those that did not reply of late last. */
    ClusterNode any() {
        List<ClusterNode> primaries = order(map.of(NodeRole.PRIMARY));
        if (primaries.isEmpty()) {
            throw ConnectionException.closed(false, "no node of the cluster is known to be a primary", null);
        }
        return primaries.get(0);
    }

    /** Notes that a node serves a slot now. */
    void moved(int slot, ClusterNode to) {
        boolean old;
        lock.lock();
        try {
            SlotMap before = map;
            old = !before.nodes().contains(to) || before.shard(slot) != null && before.shard(slot).contains(to)
                && before.shard(slot).get(0) != to;
            replace(before.moved(slot, to));
        } finally {
            lock.unlock();
        }
        if (old) {
            refreshLater();
        }
    }

    /**
     * Takes another map. What was read of a slot from nodes that no longer serve it, or had not served it, is dropped:
     * they were not told, or the client not by them, of all changes of its keys.
     */
    private void replace(SlotMap found) {
        SlotMap before = map;
        map = found;
        if (options.cacheEntries > 0 && !before.isEmpty()) {
            before.changed(found).forEach(node -> node.client.tracking().flush());
        }
    }

    /** Drops from all caches what a command may have changed: replicas may have been read, too. */
    private void wrote(Command<?> command) {
        nodes.values().forEach(node -> node.client.tracking().wrote(command));
    }

    /**
     * Sees to it that the map is not old while replies come from caches: a key that was absent when its slot moved
     * leaves no trace on the node that had it, which therefore invalidates nothing when the key is made elsewhere.
     */
    void keepFresh() {
        if (Deadlines.now() - ended > QUIET) {
            refreshLater();
        }
    }

    /** Returns what the caches of all nodes have done. */
    CacheStatistics cacheStatistics() {
        return nodes.values().stream().map(node -> node.client.cacheStatistics()).reduce(leftCaches,
            CacheStatistics::plus);
    }

    PoolStatistics poolStatistics() {
        return nodes.values().stream().map(node -> node.client.poolStatistics()).reduce(leftPools,
            PoolStatistics::plus);
    }

    /** A node did not reply: others are asked before it. */
    void failed(ClusterNode node) {
        node.failedAt = Deadlines.now();
    }

    /** Nodes in random order, those that did not reply of late last. */
    List<ClusterNode> order(Collection<ClusterNode> among) {
        List<ClusterNode> found = new ArrayList<>(among);
        Collections.shuffle(found, ThreadLocalRandom.current());
        long now = Deadlines.now();
        found.sort(Comparator.comparing(node -> node.failedAt != 0 && now - node.failedAt < QUIET));
        return found;
    }

    /** Starts a refresh of the map. Returns at once. */
    void refreshLater() {
        newer(round);
    }

    /** Waits for a map newer than round `seen`; a question that fails leaves the map as it is. */
    void refresh(int seen) {
        newer(seen).join();
    }

    /** Waits for a map newer than round {@code seen}, until the call's time is over. */
    void refresh(int seen, CallTime time) {
        try {
            newer(seen).get(Math.max(1, time.left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            // The attempt that follows says so.
            return;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ConnectionException.last(Code.CLOSED, false, "the thread was interrupted while it waited for the map"
                + " of the cluster", stopped);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns what is complete when a round newer than `seen` has ended. It never fails. */
    CompletableFuture<Void> newer(int seen) {
        lock.lock();
        try {
            if (round != seen || closed) {
                return CompletableFuture.completedFuture(null);
            } else if (asking != null) {
                return asking;
            }
            CompletableFuture<Void> next = new CompletableFuture<>();
            Thread asker = new Thread(this::ask, "samewire-redis-topology");
            asker.setDaemon(true);
            asker.start();
            asking = next;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void ask() {
        RuntimeException failed = null;
        try {
            Pool.sleep(delay());
            readMap();
            closeLeft();
        } catch (RuntimeException error) {
            failed = error;
        } catch (Error broken) {
            // Callers wait for the end of this round in any case.
            failed = new IllegalStateException(broken);
        }
        CompletableFuture<Void> done;
        lock.lock();
        try {
            failure = failed;
            ended = Deadlines.now();
            round++;
            done = asking;
            asking = null;
        } finally {
            lock.unlock();
        }
        done.complete(null);
    }

    private long delay() {
        long now = Deadlines.now();
        boolean quiet = ended == 0 || now - ended > QUIET;
        inRow = quiet ? 0 : inRow + 1;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (quiet) {
            return ended == 0 ? 0 : random.nextLong(JITTER);
        }
        long spacing = Math.min(SPACING << Math.min(inRow - 1, 10), LONGEST);
        return Math.max(0, ended + random.nextLong(spacing / 2, spacing) - now);
    }

    /** Takes the map of the first node that knows all slots, or else of the last that replied. */
    private void readMap() {
        RuntimeException failed = null;
        boolean read = false;
        List<ClusterNode> asked = order(map.nodes());
        order(startup).stream().filter(node -> !asked.contains(node)).forEach(asked::add);
        for (ClusterNode node : asked) {
            if (closed) {
                return;
            }
            SlotMap found;
            try {
                found = SlotMap.of(slots(node), node.address.host(), this::node);
            } catch (SamewireException error) {
                failed = error;
                failed(node);
                continue;
            }
            read = true;
            lock.lock();
            try {
                replace(found);
            } finally {
                lock.unlock();
            }
            if (found.isCovered()) {
                return;
            }
        }
        if (!read && failed != null) {
            throw failed;
        }
    }

    /**
     * Closes the clients of nodes that left the cluster, each of which has threads: in containers a node that starts
     * again has another address. A map with slots that nobody serves may lack nodes that are there.
     */
    private void closeLeft() {
        SlotMap now = map;
        if (!now.isCovered()) {
            return;
        }
        long time = Deadlines.now();
        for (ClusterNode node : nodes.values()) {
            if (now.nodes().contains(node) || startup.contains(node)) {
                node.leftAt = 0;
            } else if (node.leftAt == 0) {
                node.leftAt = time;
            } else if (time - node.leftAt >= closesAfter && node.client.isUnused()) {
                // Whoever asks for the address from now on gets another node.
                nodes.computeIfPresent(node.address, (at, known) -> {
                    known.left = known.leftAt != 0;
                    return known.left ? null : known;
                });
                if (node.left) {
                    node.client.close();
                    PoolStatistics pool = node.client.poolStatistics();
                    leftPools = leftPools.plus(new PoolStatistics(0, 0, 0, pool.opened(), pool.lost()));
                    if (options.cacheEntries > 0) {
                        leftCaches = leftCaches.plus(node.client.cacheStatistics());
                    }
                }
            }
        }
    }

    /** Returns how many nodes have a client. */
    int size() {
        return nodes.size();
    }

    /** Asks on a connection of its own: those of callers may all be in use, or stalled. */
    private List<Reply> slots(ClusterNode node) {
        RedisOptions quick = options.withAddress(node.address).withRetry(Retry.NONE).withConnections(1)
            .withCache(0, 0);
        quick.connectTimeout = Math.min(quick.connectTimeout, ASK.toNanos());
        // Each time it connects, too.
        quick.commandTimeout = Math.min(quick.connectTimeout + quick.commandTimeout, ASK.toNanos());
        try (RedisClient asker = RedisClient.create(quick)) {
            return asker.execute(Cluster.clusterSlots());
        }
    }

    /**
     * Asks for the first map.
     *
     * @throws ConnectionException if no node replies, or none serves a slot
     */
    void initialize() {
        refresh(round);
        if (map.isEmpty()) {
            String why = failure == null ? "those that replied serve no slots" : failure.getMessage();
            throw ConnectionException.last(Code.CLOSED, false, "no node of the cluster tells who serves its slots, of "
                + startup + ": " + why, failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        nodes.values().forEach(node -> node.client.close());
    }
}
