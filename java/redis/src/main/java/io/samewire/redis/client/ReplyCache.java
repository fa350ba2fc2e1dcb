package io.samewire.redis.client;

import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Replies that are kept until the server says that their keys have changed: client-side caching. A reply is kept as its
 * bytes, so that each caller reads a value of its own. The entries that were not used for longest go first.
 *
 * <p>An entry is made before its command is sent, and an invalidation removes it: a reply is kept only if its entry is
 * still there when it comes. So what was read before a change never stays.
 */
final class ReplyCache {
    /** What only depends on the values of the keys. Not {@code TTL}, which changes by itself, nor what is random. */
    private static final Set<String> CACHEABLE = Set.of(("BITCOUNT BITFIELD_RO BITPOS EXISTS GEODIST GEOHASH GEOPOS"
        + " GEORADIUSBYMEMBER_RO GEORADIUS_RO GEOSEARCH GET GETBIT GETRANGE HEXISTS HGET HGETALL HKEYS HLEN HMGET"
        + " HSTRLEN HVALS LCS LINDEX LLEN LPOS LRANGE MGET SCARD SDIFF SINTER SINTERCARD SISMEMBER SMEMBERS SMISMEMBER"
        + " STRLEN SUBSTR SUNION TYPE XLEN XRANGE XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE"
        + " ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCORE ZUNION")
        .split(" "));
    /** What an entry takes besides its bytes, roughly. */
    private static final int OVERHEAD = 200;

    /** The bytes of a request. */
    static final class Request {
        private final byte[] bytes;
        private final int hash;

        Request(byte[] bytes) {
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Request request && Arrays.equals(bytes, request.bytes);
        }
    }

    /** A reply, or the place that is kept for one. */
    static final class Entry {
        private final Request request;
        private final List<Bytes> keys;
        private byte[] reply;

        Entry(Request request, List<Bytes> keys) {
            this.request = request;
            this.keys = keys;
        }

        private long size() {
            return OVERHEAD + request.bytes.length + (reply == null ? 0 : reply.length);
        }
    }

    private final int mostEntries;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by `lock`.
    private final LinkedHashMap<Request, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Bytes, Set<Entry>> byKey = new HashMap<>();
    private long bytes;
    private long hits;
    private long misses;
    private long late;
    private long evicted;
    private long invalidated;
    private long flushes;

    ReplyCache(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
    }

    static boolean isCacheable(Command<?> command) {
        return command.readOnly() && CACHEABLE.contains(command.name());
    }

    /** Returns the bytes of the reply, or null if it is not there. */
    byte[] find(Request request) {
        lock.lock();
        try {
            Entry entry = entries.get(request);
            if (entry == null || entry.reply == null) {
                misses++;
                return null;
            }
            hits++;
            return entry.reply;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the place for a reply whose command is about to be sent. Returns null if another caller has made it. */
    Entry begin(Request request, List<Bytes> keys) {
        lock.lock();
        try {
            if (entries.containsKey(request)) {
                return null;
            }
            Entry entry = new Entry(request, keys);
            entries.put(request, entry);
            keys.forEach(key -> byKey.computeIfAbsent(key, none -> new HashSet<>()).add(entry));
            bytes += entry.size();
            evict();
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a reply, unless its place was removed meanwhile. */
    void finish(Entry entry, byte[] reply) {
        lock.lock();
        try {
            if (entries.get(entry.request) != entry) {
                late++;
                return;
            }
            bytes -= entry.size();
            entry.reply = reply;
            bytes += entry.size();
            evict();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back the place of a reply that will not come. */
    void abandon(Entry entry) {
        lock.lock();
        try {
            if (entries.get(entry.request) == entry && entry.reply == null) {
                remove(entry);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops what was read of these keys. */
    void invalidate(List<Bytes> keys) {
        lock.lock();
        try {
            for (Bytes key : keys) {
                Set<Entry> found = byKey.get(key);
                if (found != null) {
                    invalidated += found.size();
                    List.copyOf(found).forEach(this::remove);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops everything. */
    void flush() {
        lock.lock();
        try {
            flushes++;
            entries.clear();
            byKey.clear();
            bytes = 0;
        } finally {
            lock.unlock();
        }
    }

    private void evict() {
        Iterator<Entry> oldest = entries.values().iterator();
        while ((entries.size() > mostEntries || bytes > mostBytes) && oldest.hasNext()) {
            Entry entry = oldest.next();
            oldest.remove();
            forget(entry);
            evicted++;
        }
    }

    private void remove(Entry entry) {
        if (entries.remove(entry.request, entry)) {
            forget(entry);
        }
    }

    private void forget(Entry entry) {
        bytes -= entry.size();
        for (Bytes key : entry.keys) {
            Set<Entry> found = byKey.get(key);
            if (found != null && found.remove(entry) && found.isEmpty()) {
                byKey.remove(key);
            }
        }
    }

    CacheStatistics statistics() {
        lock.lock();
        try {
            return new CacheStatistics(hits, misses, late, evicted, invalidated, flushes, entries.size(), bytes);
        } finally {
            lock.unlock();
        }
    }
}
