package io.samewire.pack.wire;

import io.samewire.pack.Converter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Calls of converters by generated code: of one value, and of values that stand together. */
public final class Conversions {
    /** What an object of a class of the program's counts, up to 300 bytes ({@code spec/limits.md}). */
    private static final int CELLS = 5;

    private Conversions() {}

    /** What is written for a value. */
    @SuppressWarnings("unchecked") // A class is bound to converters of its own.
    public static Object encode(Converter<?, ?> converter, Object value) {
        if (value == null) {
            throw Fault.FAULT;
        }
        return ((Converter<Object, Object>) converter).encode(value);
    }

    /** What is written for each of some values, in an array of its own. */
    public static Object[] encodeAll(Converter<?, ?> converter, Object[] values) {
        Object[] written = new Object[values.length];
        for (int i = 0; i < written.length; i++) {
            written[i] = encode(converter, values[i]);
        }
        return written;
    }

    /** What is written for the keys of a map, no two of which may become the same. */
    public static Object[] encodeKeys(Converter<?, ?> converter, Object[] keys) {
        Object[] written = encodeAll(converter, keys);
        if (new HashSet<>(List.of(written)).size() < written.length) {
            throw Fault.FAULT;
        }
        return written;
    }

    /** The value of what was read. */
    @SuppressWarnings("unchecked") // As above.
    public static Object decode(Converter<?, ?> converter, Object written, Reader reader) {
        reader.reserve(CELLS);
        Object value = ((Converter<Object, Object>) converter).decode(written);
        if (value == null) {
            throw new NullPointerException(converter.getClass().getName() + ".decode returned null");
        }
        return value;
    }

    /** The values of each of what was read, in {@code into}, which is returned; in an {@code Optional} if asked for. */
    public static Object[] decodeAll(Converter<?, ?> converter, Object[] written, Object[] into, boolean optional,
        Reader reader) {
        int i = 0;
        try {
            for (; i < written.length; i++) {
                Object value = decode(converter, written[i], reader);
                into[i] = optional ? Optional.of(value) : value;
            }
        } catch (RuntimeException thrown) {
            throw Traced.at(thrown, i);
        }
        return into;
    }
}
