package io.samewire.bridge.value;

import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.wire.Output;
import io.samewire.bridge.wire.Tags;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes values with tags. Shallow: numbers, texts and bytes by value, everything else by reference, and so are bytes
 * of more than half a message. Deep: containers, arrays, enums, records and times by value, too
 * ({@code spec/bridge.md} section 5.1).
 */
final class AnyWriter {
    private final Session session;
    private final Output out;
    private int depth;

    AnyWriter(Session session, Output out) {
        this.session = session;
        this.out = out;
        this.depth = session.limits().depth();
    }

    /** Writes a value. Its elements are shallow unless {@code deep}. */
    void write(Object value, boolean deep) {
        if (value == null) {
            out.u8(Tags.NULL);
        } else if (value instanceof String) {
            out.u8(Tags.STRING);
            out.string((String) value);
        } else if (value instanceof Integer) {
            out.u8(Tags.I32);
            out.i32((Integer) value);
        } else if (value instanceof Boolean) {
            out.u8((Boolean) value ? Tags.TRUE : Tags.FALSE);
        } else if (value instanceof Long) {
            out.u8(Tags.I64);
            out.i64((Long) value);
        } else if (value instanceof Double) {
            out.u8(Tags.F64);
            out.f64((Double) value);
        } else if (value instanceof byte[] && (deep || !isTooLong((byte[]) value))) {
            out.u8(Tags.BYTES);
            row(value);
        } else if (!scalar(value)) {
            if (!deep || !deep(value)) {
                out.u8(Tags.OBJECT);
                session.references().write(out, value);
            }
        }
    }

    /** Whether bytes may make a message too long. As an array by reference they are read as a blob. */
    private boolean isTooLong(byte[] bytes) {
        return bytes.length > session.limits().frameBytes() / 2;
    }

    private boolean scalar(Object value) {
        if (value instanceof Character) {
            out.u8(Tags.CHAR);
            out.i16((Character) value);
        } else if (value instanceof Float) {
            out.u8(Tags.F32);
            out.f32((Float) value);
        } else if (value instanceof Short || value instanceof Byte) {
            out.u8(Tags.I32);
            out.i32(((Number) value).intValue());
        } else if (value.getClass() == BigInteger.class || value.getClass() == BigDecimal.class) {
            packed(value);
        } else {
            return false;
        }
        return true;
    }

    private void row(Object array) {
        boolean before = out.inline(true);
        out.row(array);
        out.inline(before);
    }

    /** Writes a pack message of the value's own schema. */
    private boolean packed(Object value) {
        Records.Encoder encoder = Records.of(session).encoder(value);
        if (encoder == null) {
            return false;
        }
        byte[] message;
        try {
            message = encoder.encode(value);
        } catch (SamewireException outside) {
            if (!(value instanceof TemporalAccessor)) {
                throw outside;
            }
            throw new SamewireException(outside.code(), -1, null, value + " has no value in Python, whose years are 1 "
                + "to 9999: take it by reference, or its toString()", outside);
        }
        out.u8(Tags.KIND);
        out.string(encoder.schema());
        row(message);
        return true;
    }

    private boolean deep(Object value) {
        if (value instanceof Proxy || value instanceof PeerObject || value instanceof Path) {
            // A Path iterates over Paths: infinite recursion.
            return false;
        } else if (value instanceof Map) {
            map((Map<?, ?>) value, true);
        } else if (value instanceof Set) {
            Set<?> set = (Set<?>) value;
            out.u8(Tags.SET);
            elements(set.toArray(), true);
        } else if (value instanceof Iterable) {
            Object[] elements = array((Iterable<?>) value);
            if (!row(elements)) {
                out.u8(Tags.LIST);
                elements(elements, true);
            }
        } else if (value instanceof Object[]) {
            out.u8(Tags.LIST);
            elements((Object[]) value, true);
        } else if (value.getClass().isArray()) {
            out.u8(arrayTag(value));
            row(value);
        } else if (value instanceof Enum) {
            out.u8(Tags.STRING);
            out.string(((Enum<?>) value).name());
        } else {
            Object held = value instanceof Date ? Times.value(value) : Optionals.value(value);
            if (held != value) {
                write(held, true);
                return true;
            }
            return packed(value);
        }
        return true;
    }

    private static int arrayTag(Object array) {
        return array instanceof int[] ? Tags.ARRAY_I32 : array instanceof long[] ? Tags.ARRAY_I64
            : array instanceof double[] ? Tags.ARRAY_F64 : array instanceof float[] ? Tags.ARRAY_F32
            : array instanceof short[] ? Tags.ARRAY_I16 : array instanceof char[] ? Tags.ARRAY_CHAR
            : Tags.ARRAY_BOOL;
    }

    static Object[] array(Iterable<?> values) {
        if (values instanceof Collection) {
            return ((Collection<?>) values).toArray();
        }
        List<Object> all = new ArrayList<>();
        for (Object one : values) {
            all.add(one);
        }
        return all.toArray();
    }

    /** Writes elements of one class as a row of numbers, or as one message of records. Returns whether it did. */
    private boolean row(Object[] elements) {
        Class<?> type = elements.length == 0 || elements[0] == null ? null : elements[0].getClass();
        if (type != Integer.class && type != Long.class && type != Double.class && type != Boolean.class
            && (type == null || !type.isRecord())) {
            return false;
        }
        for (Object one : elements) {
            if (one == null || one.getClass() != type) {
                return false;
            }
        }
        if (type == Integer.class) {
            int[] row = new int[elements.length];
            for (int i = 0; i < row.length; i++) {
                row[i] = (Integer) elements[i];
            }
            out.u8(Tags.LIST_I32);
            row((Object) row);
        } else if (type == Long.class) {
            long[] row = new long[elements.length];
            for (int i = 0; i < row.length; i++) {
                row[i] = (Long) elements[i];
            }
            out.u8(Tags.LIST_I64);
            row((Object) row);
        } else if (type == Double.class) {
            double[] row = new double[elements.length];
            for (int i = 0; i < row.length; i++) {
                row[i] = (Double) elements[i];
            }
            out.u8(Tags.LIST_F64);
            row((Object) row);
        } else if (type == Boolean.class) {
            boolean[] row = new boolean[elements.length];
            for (int i = 0; i < row.length; i++) {
                row[i] = (Boolean) elements[i];
            }
            out.u8(Tags.LIST_BOOL);
            row((Object) row);
        } else {
            Records.Encoder encoder = Records.of(session).listEncoder(type);
            if (encoder == null) {
                return false;
            }
            out.u8(Tags.KIND);
            out.string(encoder.schema());
            row((Object) encoder.encode(Arrays.asList(elements)));
        }
        return true;
    }

    /** Writes a count and elements. */
    void elements(Object[] elements, boolean deep) {
        enter();
        out.varint(elements.length);
        for (Object one : elements) {
            write(one, deep);
        }
        depth++;
    }

    /** Writes the tag of a map, a count and entries. */
    private void map(Map<?, ?> map, boolean deep) {
        out.u8(Tags.MAP);
        entries(map, deep);
    }

    /** Writes a count and entries. */
    void entries(Map<?, ?> map, boolean deep) {
        enter();
        // The set is copied first: the count must be that of the entries, even if other threads change the map.
        Object[] entries = map.entrySet().toArray();
        out.varint(entries.length);
        for (Object one : entries) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) one;
            write(entry.getKey(), deep);
            write(entry.getValue(), deep);
        }
        depth++;
    }

    private void enter() {
        if (--depth < 0) {
            throw new SamewireException(Code.LIMIT_DEPTH, -1, null, "the value nests deeper than the limit of "
                + session.limits().depth() + ", or holds itself: take it by reference");
        }
    }
}
