package io.samewire.bridge.value;

import io.samewire.bridge.wire.Kind;
import java.util.Arrays;
import java.util.Map;

/** The elements of collections and arrays, as arrays. */
final class Elements {
    private Elements() {}

    /** Returns the elements of a collection, iterable or array; of a map its keys. */
    static Object[] of(Object value) {
        if (value instanceof Object[]) {
            return (Object[]) value;
        } else if (value instanceof Iterable) {
            return AnyWriter.array((Iterable<?>) value);
        } else if (value instanceof Map) {
            return ((Map<?, ?>) value).keySet().toArray();
        } else if (value != null && value.getClass().isArray()) {
            return RowLists.of(value).toArray();
        }
        throw Mismatch.of(value, Iterable.class);
    }

    /** Returns the elements of a collection or array as an array of the primitive type of a kind. */
    static Object row(Object value, Kind element) {
        Class<?> type = type(element);
        if (value != null && value.getClass() == type) {
            return value;
        } else if (value == null) {
            throw Mismatch.of(null, type);
        }
        return Conversion.convert(value.getClass().isArray() ? value : Arrays.asList(of(value)),
            Target.of(type));
    }

    private static Class<?> type(Kind element) {
        switch (element.form()) {
            case BOOL:
                return boolean[].class;
            case I8:
                return byte[].class;
            case I16:
                return short[].class;
            case I32:
                return int[].class;
            case I64:
                return long[].class;
            case F32:
                return float[].class;
            case F64:
                return double[].class;
            default:
                return char[].class;
        }
    }
}
