package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hears what is published in a cluster: channels and patterns from any node, the channels of a shard from the primary
 * of their slot, with a connection and two threads for each slot that has some. When a node is lost or a slot moves,
 * its channels are subscribed to elsewhere; messages of the time between are lost. Listeners of several slots may be
 * called at the same time. Thread-safe; close it.
 */
public final class ClusterSubscriber extends Subscriber {
    private final RedisCluster cluster;
    private final MessageListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by `lock`.
    private final Map<Integer, ServerSubscriber> shards = new HashMap<>();
    /** Without subscriptions, whose listeners have not taken all that had come. */
    private final Set<ServerSubscriber> retired = new HashSet<>();
    private ServerSubscriber channels;
    private boolean closed;

    ClusterSubscriber(RedisCluster cluster, MessageListener listener) {
        this.cluster = cluster;
        this.listener = listener;
    }

    /** Where a slot's channels are heard; any node for slot -1. */
    private static final class Place implements Locator {
        private final Topology topology;
        private final int slot;
        private volatile int seen;

        Place(Topology topology, int slot) {
            this.topology = topology;
            this.slot = slot;
            this.seen = topology.round() - 1;
        }

        @Override
        public Address find() {
            // After a failure the map may be old.
            topology.refresh(seen);
            ClusterNode found = slot < 0 ? topology.order(topology.map().nodes()).get(0)
                : topology.serving(slot, false);
            return found.address;
        }

        @Override
        public void lost(Address server) {
            topology.failed(topology.node(server));
            seen = topology.round();
        }

        @Override
        public boolean isElsewhere(RedisException error) {
            if (!error.word().equals("MOVED") && !error.word().equals("CLUSTERDOWN")) {
                return false;
            }
            seen = topology.round();
            return true;
        }
    }

    private ServerSubscriber channels() {
        lock.lock();
        try {
            if (channels == null) {
                channels = opened(-1);
            }
            return channels;
        } finally {
            lock.unlock();
        }
    }

    private ServerSubscriber shard(int slot) {
        lock.lock();
        try {
            ServerSubscriber found = shards.get(slot);
            if (found == null) {
                found = opened(slot);
                shards.put(slot, found);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    private ServerSubscriber opened(int slot) {
        if (closed) {
            throw ConnectionException.last(Code.CLOSED, false, "the subscriber is closed", null);
        }
        Dialer dialer = new Dialer(cluster.options().withBreaker(null), cluster.deadlines(),
            new Place(cluster.topology(), slot));
        return new ServerSubscriber(dialer, null, listener, none -> { });
    }

    @Override
    void change(SubscriptionKind kind, boolean subscribes, long nanos, CharSequence... names) {
        if (kind != SubscriptionKind.SHARD) {
            channels().change(kind, subscribes, nanos, names);
            return;
        } else if (subscribes && names.length == 0) {
            throw RedisOptions.misuse("expected at least one name");
        }
        CallTime time = CallTime.within(nanos == 0 ? cluster.options().commandTimeout : nanos);
        Map<Integer, List<CharSequence>> wanted = bySlot(names);
        if (subscribes) {
            wanted.forEach((slot, own) -> subscribe(slot, rest(time, nanos), array(own)));
            return;
        }
        shards().forEach((slot, subscriber) -> {
            if (names.length == 0 || wanted.containsKey(slot)) {
                subscriber.change(kind, false, rest(time, nanos), array(wanted.getOrDefault(slot, List.of())));
            }
            retire(slot, subscriber);
        });
    }

    private Map<Integer, ServerSubscriber> shards() {
        lock.lock();
        try {
            return new HashMap<>(shards);
        } finally {
            lock.unlock();
        }
    }

    private void subscribe(int slot, long nanos, CharSequence... channels) {
        while (true) {
            ServerSubscriber subscriber = shard(slot);
            try {
                subscriber.change(SubscriptionKind.SHARD, true, nanos, channels);
                return;
            } catch (ConnectionException failed) {
                // Another thread has ended the slot's last subscription meanwhile: there is a new subscriber now.
                if (failed.code() != Code.CLOSED || !subscriber.isClosed() || Thread.currentThread().isInterrupted()) {
                    throw failed;
                }
            }
        }
    }

    /** What is left for the next slot; each has the usual time. */
    private static long rest(CallTime time, long nanos) {
        return nanos == 0 ? 0 : Math.max(1, time.left());
    }

    private static CharSequence[] array(List<CharSequence> names) {
        return names.toArray(CharSequence[]::new);
    }

    /** Ends a slot's subscriber if it has no subscriptions; its listener takes what has come. */
    private void retire(int slot, ServerSubscriber subscriber) {
        lock.lock();
        try {
            if (!subscriber.retire()) {
                return;
            }
            shards.remove(slot, subscriber);
            retired.add(subscriber);
        } finally {
            lock.unlock();
        }
        subscriber.ended().whenComplete((none, dropped) -> taken(subscriber));
    }

    private void taken(ServerSubscriber subscriber) {
        lock.lock();
        try {
            retired.remove(subscriber);
        } finally {
            lock.unlock();
        }
    }

    private List<ServerSubscriber> all() {
        lock.lock();
        try {
            List<ServerSubscriber> found = new ArrayList<>(shards.values());
            found.addAll(retired);
            if (channels != null) {
                found.add(channels);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    void drain(CallTime time) {
        all().forEach(ServerSubscriber::checkNotListening);
        try {
            change(SubscriptionKind.SHARD, false, Math.max(1, time.left()));
            List<ServerSubscriber> left = all();
            for (ServerSubscriber subscriber : left) {
                if (!subscriber.isClosed()) {
                    subscriber.drain(time);
                }
            }
            for (ServerSubscriber subscriber : left) {
                subscriber.awaitTaken(time);
            }
        } finally {
            close();
        }
    }

    private static Map<Integer, List<CharSequence>> bySlot(CharSequence... names) {
        Map<Integer, List<CharSequence>> found = new LinkedHashMap<>();
        for (CharSequence name : names) {
            found.computeIfAbsent(RedisCluster.slot(name), none -> new ArrayList<>()).add(name);
        }
        return found;
    }

    @Override
    public void close() {
        List<ServerSubscriber> open;
        lock.lock();
        try {
            closed = true;
            open = all();
            shards.clear();
        } finally {
            lock.unlock();
        }
        open.forEach(ServerSubscriber::close);
        cluster.forget(this);
        closing.complete(null);
    }
}
