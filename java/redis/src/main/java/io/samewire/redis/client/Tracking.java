package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import io.samewire.redis.resp.Utf8;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Client-side caching. What may be kept is read over one shared connection with {@code CLIENT TRACKING ON}: the server
 * tells that connection which keys have changed, between replies, so that replies and invalidations come in the order
 * in which they happened. When the connection is lost, everything is dropped.
 */
final class Tracking implements AutoCloseable {
    static final List<String[]> SETUP = List.<String[]>of(new String[] {"CLIENT", "TRACKING", "ON"});
    private static final byte[] INVALIDATE = "invalidate".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

    private final ReplyCache cache;
    private final SharedConnection connection;
    private final RedisOptions options;

    Tracking(Dialer dialer) {
        options = dialer.options;
        cache = new ReplyCache(options.cacheEntries, options.cacheBytes);
        connection = new SharedConnection(dialer, SETUP, null);
        connection.listen(this::pushed, cache::flush);
    }

    CacheStatistics statistics() {
        return cache.statistics();
    }

    /** Leaves a connection that leads to another server than the right one. */
    void leave() {
        connection.leave();
    }

    /** Returns whether no call waits for its reply. */
    boolean isUnused() {
        return connection.isUnused();
    }

    /** Drops everything. */
    void flush() {
        cache.flush();
    }

    /** Returns the reply that is kept, or the server's, which is kept then. nanos: its time, or 0 for the usual one. */
    <T> T execute(Command<T> command, long nanos) {
        RequestWriter out = new RequestWriter();
        command.write(out);
        ReplyCache.Request request = new ReplyCache.Request(out.toByteArray());
        byte[] kept = cache.find(request);
        if (kept != null) {
            return command.read(new ReplyReader(options.limits, Utf8.STRICT).reset(kept, 0, kept.length));
        }
        ReplyCache.Entry entry = cache.begin(request, command.keys());
        try {
            return Call.await(connection.execute(command, entry == null ? null
                : reply -> cache.finish(entry, reply), nanos, true));
        } finally {
            if (entry != null) {
                cache.abandon(entry);
            }
        }
    }

    /** Drops what was read of the keys that a command may have changed. */
    void wrote(Command<?> command) {
        if (!command.readOnly()) {
            List<Bytes> keys = command.keys();
            if (!keys.isEmpty()) {
                cache.invalidate(keys);
            } else if (command.name().startsWith("FLUSH") || command.name().equals("SWAPDB")) {
                cache.flush();
            }
        }
    }

    private void pushed(ReplyReader push) {
        int elements = push.beginArray();
        if (elements < 2 || !Arrays.equals(push.readBytes(), INVALIDATE)) {
            return;
        }
        int count = push.beginArray();
        if (count < 0) {
            // FLUSHALL and FLUSHDB.
            cache.flush();
            return;
        }
        List<Bytes> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] key = push.readBytes();
            if (key == null) {
                throw new SamewireException(Code.MALFORMED, -1, null, "the server invalidates a key that is null");
            }
            keys.add(Bytes.wrap(key));
        }
        cache.invalidate(keys);
    }

    @Override
    public void close() {
        connection.close();
        cache.flush();
    }
}
