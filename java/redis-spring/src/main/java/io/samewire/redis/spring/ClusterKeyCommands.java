package io.samewire.redis.spring;

import io.samewire.redis.client.RedisCluster;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.ScanPage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.Cursor.CursorId;
import org.springframework.data.redis.core.ScanCursor;
import org.springframework.data.redis.core.ScanIteration;
import org.springframework.data.redis.core.ScanOptions;

/** Commands of keys in a cluster: a scan goes through all of its nodes. */
final class ClusterKeyCommands extends KeyCommands {
    private static final Reading<ScanPage<byte[]>> PAGE = in -> Readings.array(in, 2,
        page -> new ScanPage<>(page.readString(), Readings.BYTES_LIST.read(page)));
    private static final int BATCH = 100;

    private final Calls calls;
    private final RedisCluster cluster;

    ClusterKeyCommands(Calls calls, RedisCluster cluster) {
        super(calls);
        this.calls = calls;
        this.cluster = cluster;
    }

    /** The cursor's id says only whether there is more: a node's cursor means nothing to another one. */
    @Override
    public Cursor<byte[]> scan(ScanOptions options) {
        calls.expectImmediate("SCAN");
        Iterator<byte[]> keys = cluster.scan(at -> Commands.of(PAGE, "SCAN",
            Arguments.of(true, at, Scans.words(options)))).iterator();
        return new ScanCursor<byte[]>(CursorId.initial(), options) {
            @Override
            protected ScanIteration<byte[]> doScan(CursorId at, ScanOptions how) {
                try {
                    return batch(keys);
                } catch (RuntimeException failed) {
                    throw Failures.translate(failed);
                }
            }

            @Override
            protected void doClose() {
                calls.close();
            }
        }.open();
    }

    private static ScanIteration<byte[]> batch(Iterator<byte[]> keys) {
        List<byte[]> found = new ArrayList<>();
        while (found.size() < BATCH && keys.hasNext()) {
            found.add(keys.next());
        }
        return new ScanIteration<>(CursorId.of(keys.hasNext() ? 1 : 0), found);
    }
}
