package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import io.samewire.redis.command.Reading;
import java.util.Collection;
import java.util.List;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.Cursor.CursorId;
import org.springframework.data.redis.core.KeyScanOptions;
import org.springframework.data.redis.core.ScanCursor;
import org.springframework.data.redis.core.ScanIteration;
import org.springframework.data.redis.core.ScanOptions;

/** Cursors over what a scan finds, a page at a time. */
final class Scans {
    private Scans() { }

    /**
     * Returns an open cursor, which closes the connection when it is closed: templates leave it open for that.
     *
     * @param items reads the elements of a page
     * @param key the key, or none
     */
    static <T> Cursor<T> cursor(Calls calls, ScanOptions options, Reading<? extends Collection<T>> items, String name,
            byte[]... key) {
        calls.expectImmediate(name);
        return new ScanCursor<T>(CursorId.initial(), options) {
            @Override
            protected ScanIteration<T> doScan(CursorId at, ScanOptions how) {
                calls.expectImmediate(name);
                return calls.call(page(items), name, List.of((Object[]) key), at.getCursorId(), words(how));
            }

            @Override
            protected void doClose() {
                calls.close();
            }
        }.open();
    }

    static <T> Reading<ScanIteration<T>> page(Reading<? extends Collection<T>> items) {
        return in -> Readings.array(in, 2, page -> {
            CursorId next = CursorId.of(page.readString());
            return new ScanIteration<>(next, items.read(page));
        });
    }

    static List<Object> words(ScanOptions options) {
        byte[] pattern = options.getBytePattern();
        DataType type = options instanceof KeyScanOptions ofKeys && ofKeys.getType() != null
            ? DataType.fromCode(ofKeys.getType()) : DataType.NONE;
        Long count = options.getCount();
        return List.of(pattern == null ? List.of() : List.of("MATCH", pattern),
            count == null ? List.of() : List.of("COUNT", count),
            when(type != DataType.NONE, "TYPE", type.code()));
    }
}
