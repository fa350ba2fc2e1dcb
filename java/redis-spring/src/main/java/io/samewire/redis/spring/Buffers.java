package io.samewire.redis.spring;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Range.Bound;
import org.springframework.data.redis.connection.ReactiveRedisConnection.Command;

/** Buffers of reactive connections as the arrays of the blocking ones, and back. */
final class Buffers {
    private Buffers() { }

    /** Returns a copy of what remains; the buffer's position stays. */
    static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            throw new IllegalArgumentException("expected bytes as a key or a value, found null");
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    static byte[] key(Command command) {
        return bytes(command.getKey());
    }

    static byte[][] arrays(Collection<ByteBuffer> buffers) {
        if (buffers == null) {
            throw new IllegalArgumentException("expected keys or values, found null");
        }
        return buffers.stream().map(Buffers::bytes).toArray(byte[][]::new);
    }

    static byte[][] arrays(ByteBuffer... buffers) {
        return arrays(buffers == null ? null : Arrays.asList(buffers));
    }

    static Map<byte[], byte[]> arrays(Map<ByteBuffer, ByteBuffer> buffers) {
        Map<byte[], byte[]> found = new LinkedHashMap<>();
        buffers.forEach((key, value) -> found.put(bytes(key), bytes(value)));
        return found;
    }

    /** Returns a buffer; null for null. */
    static ByteBuffer wrap(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    static List<ByteBuffer> wrap(Collection<byte[]> many) {
        List<ByteBuffer> found = new ArrayList<>(many.size());
        many.forEach(one -> found.add(wrap(one)));
        return found;
    }

    static Map.Entry<ByteBuffer, ByteBuffer> wrap(Map.Entry<byte[], byte[]> entry) {
        return new SimpleImmutableEntry<>(wrap(entry.getKey()), wrap(entry.getValue()));
    }

    static Map<ByteBuffer, ByteBuffer> wrap(Map<byte[], byte[]> map) {
        Map<ByteBuffer, ByteBuffer> found = new LinkedHashMap<>();
        map.forEach((key, value) -> found.put(wrap(key), wrap(value)));
        return found;
    }

    /** Returns the first index of a range: 0 if there is none. */
    static long first(Range<Long> range) {
        return range.getLowerBound().getValue().orElse(0L);
    }

    /** Returns the last index of a range: -1, the last one, if there is none. */
    static long last(Range<Long> range) {
        return range.getUpperBound().getValue().orElse(-1L);
    }

    /** Returns a range of texts as one of members. */
    static Range<byte[]> members(Range<?> range) {
        return Range.of(member(range.getLowerBound()), member(range.getUpperBound()));
    }

    private static Bound<byte[]> member(Bound<?> bound) {
        Object value = bound.getValue().orElse(null);
        if (value == null) {
            return Bound.unbounded();
        }
        byte[] bytes = value instanceof ByteBuffer buffer ? bytes(buffer) : value instanceof byte[] array ? array
            : value.toString().getBytes(StandardCharsets.UTF_8);
        return bound.isInclusive() ? Bound.inclusive(bytes) : Bound.exclusive(bytes);
    }
}
