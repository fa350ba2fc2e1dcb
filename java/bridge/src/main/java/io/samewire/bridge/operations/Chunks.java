package io.samewire.bridge.operations;

import io.samewire.bridge.value.RowLists;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.BaseStream;

/** Elements by the hundred, in one call instead of two for each. */
public final class Chunks {
    private Chunks() {}

    /** Returns an iterator over what can be iterated over: of a map its keys. */
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
     * Returns the next elements, at most so many, and last null, or the iterator to go on with if there may be more.
     *
     * @throws SamewireException {@code type_mismatch} if the source cannot be iterated over; {@code misuse} if none are
     *     asked for
     */
    public static List<Object> next(Object source, int most) {
        check(most);
        if (source instanceof Collection && ((Collection<?>) source).size() <= most) {
            List<Object> all = new ArrayList<>((Collection<?>) source);
            all.add(null);
            return all;
        }
        Iterator<?> rest = iterator(source);
        List<Object> some = new ArrayList<>();
        while (some.size() < most && rest.hasNext()) {
            some.add(rest.next());
        }
        some.add(some.size() == most && rest.hasNext() ? rest : null);
        return some;
    }

    /** Returns the keys and values of the next entries of a map or of an iterator over entries, and last as above. */
    public static List<Object> entries(Object source, int most) {
        check(most);
        Iterator<?> rest = source instanceof Map ? ((Map<?, ?>) source).entrySet().iterator() : iterator(source);
        List<Object> some = new ArrayList<>();
        while (some.size() < 2 * most && rest.hasNext()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) rest.next();
            some.add(entry.getKey());
            some.add(entry.getValue());
        }
        some.add(some.size() == 2 * most && rest.hasNext() ? rest : null);
        return some;
    }

    private static void check(int most) {
        if (most < 1 || most > 1 << 24) {
            throw new SamewireException(Code.MISUSE, -1, null, "1 to 16,777,216 elements can be asked for, not "
                + most);
        }
    }
}
