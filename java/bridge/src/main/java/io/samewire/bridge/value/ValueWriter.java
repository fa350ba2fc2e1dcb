package io.samewire.bridge.value;

import io.samewire.bridge.session.Session;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;

/**
 * Writes values of one declared type as one kind ({@code spec/bridge.md} section 5.1). Immutable.
 *
 * <p>The usual results have a class each: a megamorphic call is not inlined by the JIT, so a call site is compiled
 * without the code for all kinds.
 */
public class ValueWriter {
    /** Writes nothing. */
    public static final ValueWriter VOID = new OfNothing();
    /** Writes references. */
    public static final ValueWriter OBJECT = new OfReferences();
    /** Writes each value with a tag. */
    public static final ValueWriter ANY = new OfAnything();

    private static final Class<?>[] PRIMITIVES = {boolean.class, byte.class, short.class, int.class, long.class,
        float.class, double.class, char.class};
    private static final String[] KINDS = {"bool", "i8", "i16", "i32", "i64", "f32", "f64", "char"};
    /** The classes of values that cross by value as {@code any}. */
    private static final Class<?>[] BY_VALUE = {Boolean.class, Byte.class, Short.class, Integer.class, Long.class,
        Float.class, Double.class, Character.class, String.class, byte[].class, BigInteger.class, BigDecimal.class};

    private final Kind kind;
    private final boolean deep;
    private final Records.Result packed;

    private ValueWriter(Kind kind, boolean deep, Records.Result packed) {
        this.kind = kind;
        this.deep = deep;
        this.packed = packed;
    }

    private static ValueWriter of(String kind) {
        return new ValueWriter(Kind.parse(kind), false, null);
    }

    /** Returns the kind of a primitive type, like {@code i32}; null of another. */
    static String primitive(Class<?> type) {
        for (int i = 0; i < PRIMITIVES.length; i++) {
            if (PRIMITIVES[i] == type) {
                return KINDS[i];
            }
        }
        return null;
    }

    /** Returns the writer for values of a declared type if no kind is requested. */
    public static ValueWriter of(Session session, Class<?> declared) {
        return declared == BigInteger.class || declared == BigDecimal.class ? number(session, declared)
            : ofArgument(declared);
    }

    /** Returns the writer for arguments of a declared type to the peer: like results, except for large numbers. */
    static ValueWriter ofArgument(Class<?> declared) {
        if (declared == void.class || declared == Void.class) {
            return VOID;
        }
        String plain = primitive(declared);
        if (plain != null) {
            return of(plain);
        }
        Class<?> unboxed = Primitives.unboxed(declared);
        if (unboxed != null) {
            return of("option<" + primitive(unboxed) + ">");
        } else if (declared == String.class) {
            return of("option<string>");
        } else if (declared == byte[].class) {
            return of("option<bytes>");
        }
        for (Class<?> type : BY_VALUE) {
            if (declared.isAssignableFrom(type)) {
                return ANY;
            }
        }
        return OBJECT;
    }

    private static ValueWriter number(Session session, Class<?> declared) {
        Records.Result packed = Records.of(session).nullable(declared);
        return new ValueWriter(Kind.parse(packed.schema()), false, packed);
    }

    /**
     * Returns the writer for values of a declared type if a kind is requested.
     *
     * @param asked empty, {@code object}, {@code value}, another kind, or the schema of pack messages
     * @throws SamewireException {@code misuse} if the kind cannot be requested; {@code unsupported} if a record is not
     *     registered
     */
    public static ValueWriter of(Session session, Target declared, String asked) {
        Class<?> type = declared.raw();
        if (asked.isEmpty()) {
            return of(session, type);
        } else if (type == void.class) {
            return VOID;
        } else if (asked.equals("value")) {
            return value(session, type);
        }
        Kind kind = Kind.parse(asked);
        switch (kind.form()) {
            case OBJECT:
                if (kind.number() == 0) {
                    return OBJECT;
                }
                break;
            case ANY:
                return ANY;
            case LIST:
            case SET:
            case TUPLE:
            case MAP:
            case ROW:
            case STRINGS:
            case BOOL:
            case I8:
            case I16:
            case I32:
            case I64:
            case F32:
            case F64:
            case CHAR:
            case STRING:
            case BYTES:
                return new ValueWriter(kind, false, null);
            case OPTION:
                return new ValueWriter(kind, false, null);
            case PACK:
                Records.Result packed = Records.of(session).result(asked, declared);
                return new ValueWriter(Kind.parse(packed.schema()), false, packed);
            default:
                break;
        }
        throw new SamewireException(Code.MISUSE, -1, null, "a result cannot be asked for as '" + asked + "'");
    }

    private static ValueWriter value(Session session, Class<?> type) {
        if (type.isArray() && type != byte[].class && type.getComponentType().isPrimitive()) {
            return of("option<array<" + primitive(type.getComponentType()) + ">>");
        }
        ValueWriter plain = of(session, type);
        return plain == ANY || plain == OBJECT ? new ValueWriter(ANY.kind, true, null) : plain;
    }

    /** Returns the kind of the written values. */
    public Kind kind() {
        return kind;
    }

    /**
     * Writes a value.
     *
     * @throws SamewireException without an offset, if it cannot cross as this kind
     */
    public void write(Session session, Output out, Object value) {
        write(session, out, value, kind);
    }

    private static final class OfNothing extends ValueWriter {
        OfNothing() {
            super(Kind.parse("void"), false, null);
        }

        @Override
        public void write(Session session, Output out, Object value) {
            // There is nothing to write.
        }
    }

    private static final class OfReferences extends ValueWriter {
        OfReferences() {
            super(Kind.parse("object"), false, null);
        }

        @Override
        public void write(Session session, Output out, Object value) {
            session.references().write(out, value);
        }
    }

    private static final class OfAnything extends ValueWriter {
        OfAnything() {
            super(Kind.parse("any"), false, null);
        }

        @Override
        public void write(Session session, Output out, Object value) {
            new AnyWriter(session, out).write(value, false);
        }
    }

    private void write(Session session, Output out, Object value, Kind as) {
        switch (as.form()) {
            case VOID:
                break;
            case OBJECT:
                session.references().write(out, value);
                break;
            case ANY:
                new AnyWriter(session, out).write(value, deep);
                break;
            case OPTION:
                out.bool(value != null);
                if (value != null) {
                    write(session, out, value, as.element());
                }
                break;
            case PACK:
                out.bytes(packed.encode(value));
                break;
            case LIST:
            case SET:
            case TUPLE:
                new AnyWriter(session, out).elements(Elements.of(value), false);
                break;
            case MAP:
                if (!(value instanceof Map)) {
                    throw Mismatch.of(value, Map.class);
                }
                new AnyWriter(session, out).entries((Map<?, ?>) value, false);
                break;
            case ROW:
                out.row(Elements.row(value, as.element()));
                break;
            case STRINGS:
                out.strings((String[]) Conversion.convert(value instanceof Collection || value instanceof String[]
                    ? value : Elements.of(value), Target.of(String[].class)));
                break;
            default:
                scalar(out, value, as);
        }
    }

    private static void scalar(Output out, Object value, Kind as) {
        switch (as.form()) {
            case BOOL:
                out.bool((Boolean) fitting(value, boolean.class));
                break;
            case I8:
                out.u8((Byte) fitting(value, byte.class));
                break;
            case I16:
                out.i16((Short) fitting(value, short.class));
                break;
            case I32:
                out.i32((Integer) fitting(value, int.class));
                break;
            case I64:
                out.i64((Long) fitting(value, long.class));
                break;
            case F32:
                out.f32((Float) fitting(value, float.class));
                break;
            case F64:
                out.f64((Double) fitting(value, double.class));
                break;
            case CHAR:
                out.i16((Character) fitting(value, char.class));
                break;
            case STRING:
                if (!(value instanceof String)) {
                    throw Mismatch.of(value, String.class);
                }
                out.string((String) value);
                break;
            default:
                if (!(value instanceof byte[])) {
                    throw Mismatch.of(value, byte[].class);
                }
                out.bytes((byte[]) value);
        }
    }

    private static Object fitting(Object value, Class<?> primitive) {
        return Conversion.convert(value, Target.of(primitive));
    }
}
