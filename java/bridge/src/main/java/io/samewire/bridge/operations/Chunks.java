package io.samewire.bridge.operations;

import io.samewire.bridge.value.RowLists;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.BaseStream;

/** Reads elements in chunks of hundreds, instead of two calls for each; fewer if they are large. */
public final class Chunks {
    /** The bytes of a chunk, exceeded only by its last element, so that reading ahead takes little memory and time. */
    private static final long MOST_BYTES = 4 << 20;

    private Chunks() {}

    /** Returns an iterator over an iterable object; over a map's keys. */
    public static Iterator<?> iterator(Object source) {
        if (source instanceof Iterator) {
            return (Iterator<?>) source;
        } else if (source instanceof Iterable) {
            return ((Iterable<?>) source).iterator();
        } else if (source instanceof Map) {
            return ((Map<?, ?>) source).keySet().iterator();
        } else if (source instanceof Enumeration) {
            return ((Enumeration<?>) source).asIterator();
        } else if (source instanceof BaseStream) {
            return ((BaseStream<?, ?>) source).iterator();
        } else if (source != null && source.getClass().isArray()) {
            return RowLists.of(source).iterator();
        }
        throw new SamewireException(Code.TYPE_MISMATCH, -1, null, (source == null ? "null"
            : source.getClass().getName()) + " cannot be iterated over");
    }

    /**
     * Returns at most so many next elements, and as the last item null, or the iterator if there may be more.
     *
     * @param frameBytes the longest message: chunks stay far below it, except for a single large element
     * @throws SamewireException {@code type_mismatch} if the source cannot be iterated over; {@code misuse} if the
     *     number is not positive
     */
    public static List<Object> next(Object source, int most, int frameBytes) {
        check(most);
        long room = room(frameBytes);
        if (source instanceof Collection && ((Collection<?>) source).size() <= most) {
            List<Object> all = new ArrayList<>((Collection<?>) source);
            if (bytes(all) < room) {
                all.add(null);
                return all;
            }
        }
        Iterator<?> rest = iterator(source);
        List<Object> some = new ArrayList<>();
        while (some.size() < most && room > 0 && rest.hasNext()) {
            Object one = rest.next();
            some.add(one);
            room -= bytes(one);
        }
        some.add((some.size() == most || room <= 0) && rest.hasNext() ? rest : null);
        return some;
    }

    /** Returns the elements of an array from an index on, at most up to another; at least one, if there is one. */
    public static List<Object> ofArray(Object array, int from, int to, int frameBytes) {
        long room = room(frameBytes);
        List<Object> some = new ArrayList<>();
        for (int i = from; i < to && room > 0; i++) {
            Object one = Array.get(array, i);
            some.add(one);
            room -= bytes(one);
        }
        return some;
    }

    private static long room(int frameBytes) {
        return Math.max(1, Math.min(MOST_BYTES, frameBytes / 4));
    }

    private static long bytes(List<?> values) {
        long sum = 0;
        for (Object one : values) {
            sum += bytes(one);
        }
        return sum;
    }

    /** The most bytes of a value that crosses by value and may be large; 0 for others, which are negligible. */
    private static long bytes(Object value) {
        if (value instanceof String) {
            return 2L * ((String) value).length();
        } else if (value instanceof byte[]) {
            return ((byte[]) value).length;
        } else if (value instanceof BigInteger) {
            return ((BigInteger) value).bitLength() >> 3;
        }
        return 0;
    }

    /**
     * Returns the keys and values of the next entries of a map or of an iterator over entries, and the last item as
     * above.
     */
    public static List<Object> entries(Object source, int most, int frameBytes) {
        check(most);
        long room = room(frameBytes);
        Iterator<?> rest = source instanceof Map ? ((Map<?, ?>) source).entrySet().iterator() : iterator(source);
        List<Object> some = new ArrayList<>();
        while (some.size() < 2 * most && room > 0 && rest.hasNext()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) rest.next();
            some.add(entry.getKey());
            some.add(entry.getValue());
            room -= bytes(entry.getKey()) + bytes(entry.getValue());
        }
        some.add((some.size() == 2 * most || room <= 0) && rest.hasNext() ? rest : null);
        return some;
    }

    private static void check(int most) {
        if (most < 1 || most > 1 << 24) {
            throw new SamewireException(Code.MISUSE, -1, null, "1 to 16,777,216 elements can be asked for, not "
                + most);
        }
    }
}
