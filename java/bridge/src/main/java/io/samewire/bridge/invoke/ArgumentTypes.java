package io.samewire.bridge.invoke;

import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.PeerProxy;
import io.samewire.bridge.value.Primitives;
import io.samewire.bridge.value.Records;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.wire.Kind;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;

/** The types of kinds and of values for overload resolution. */
final class ArgumentTypes {
    private ArgumentTypes() {}

    static Records records(Session session) {
        return ((Records.Holder) session.resolver()).records(session);
    }

    /** Returns the natural type of a kind of fixed type; null for other kinds. */
    static Class<?> plain(Kind kind) {
        switch (kind.form()) {
            case BOOL:
                return boolean.class;
            case I8:
                return byte.class;
            case I16:
                return short.class;
            case I32:
                return int.class;
            case I64:
                return long.class;
            case F32:
                return float.class;
            case F64:
                return double.class;
            case CHAR:
                return char.class;
            case STRING:
                return String.class;
            case BYTES:
                return byte[].class;
            default:
                return null;
        }
    }

    /** Returns the type of a kind; null if it depends on the value. */
    static ArgumentType of(Session session, Kind kind) {
        Class<?> plain = plain(kind);
        if (plain != null) {
            return ArgumentType.value(plain);
        }
        switch (kind.form()) {
            case NULL:
                return ArgumentType.NULL;
            case ROW:
                Class<?> element = plain(kind.element());
                return kind.text().charAt(0) == 'a' ? ArgumentType.value(element.arrayType())
                    : ArgumentType.list(element);
            case STRINGS:
                return ArgumentType.list(String.class);
            case LIST:
                return ArgumentType.list(null);
            case TUPLE:
                return ArgumentType.tuple();
            case SET:
                return ArgumentType.set();
            case MAP:
                return ArgumentType.map();
            case OPTION:
                ArgumentType held = of(session, kind.element());
                return held == null || held.natural == null ? held
                    : held.natural.isPrimitive() ? ArgumentType.value(Primitives.boxed(held.natural)) : held;
            case OBJECT:
                return kind.number() == 0 ? null : ArgumentType.object(session.classes().get(kind.number()));
            case PEER:
                Class<?>[] interfaces = interfaces(session, kind);
                return interfaces.length == 0 ? ArgumentType.callable(kind) : ArgumentType.peer(List.of(interfaces));
            case PACK:
                return packed(session, kind.text());
            case RESULT:
            case ANY:
                return null;
            default:
                throw new SamewireException(Code.MISUSE, -1, null, "an argument has no kind " + kind);
        }
    }

    /** Returns the interfaces that a peer names. */
    static Class<?>[] interfaces(Session session, Kind kind) {
        List<String> names = kind.interfaces();
        Class<?>[] found = new Class<?>[names.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = ClassNames.find(session, names.get(i));
            if (!found[i].isInterface()) {
                throw new SamewireException(Code.MISUSE, -1, null, found[i].getName()
                    + " is a class: a Python object implements interfaces only");
            }
        }
        return found;
    }

    private static ArgumentType packed(Session session, String schema) {
        Records records = records(session);
        Class<?> natural = records.naturalClass(schema);
        if (isScalar(natural)) {
            return ArgumentType.value(natural);
        }
        return ArgumentType.shaped(natural, records.naturalElement(schema), new ArgumentType.Shape() {
            @Override
            public boolean fits(Class<?> type) {
                // A symbol of any enum is looked up by its name at run time.
                return type.isEnum() && (natural == String.class || natural.isEnum())
                    || natural.isEnum() && type == String.class
                    // To convert a value to a record names the record's class, so the policy must admit that.
                    || session.policy().admitsNamed(type) && records.fits(schema, type);
            }
        });
    }

    /**
     * Returns the reader of a schema's messages as a declared type; null if they are read as their natural type first.
     */
    static Records.Reader packedReader(Session session, String schema, Target target) {
        Records records = records(session);
        // Conversions of times to older classes are the same in all places; pack's rule is only for its records.
        return isTime(records.naturalClass(schema)) ? null : records.reader(schema, target);
    }

    private static boolean isTime(Class<?> natural) {
        return natural.getPackageName().equals("java.time");
    }

    private static boolean isScalar(Class<?> natural) {
        return natural == BigInteger.class || natural == BigDecimal.class || natural == byte[].class
            || isTime(natural) || natural == UUID.class
            || Primitives.unboxed(natural) != null;
    }

    /** Returns the type of a value that was read. */
    static ArgumentType of(Object value) {
        if (value == null) {
            return ArgumentType.NULL;
        } else if (value instanceof PeerObject || PeerProxy.peer(value) != null) {
            Class<?>[] interfaces = value.getClass().getInterfaces();
            return value instanceof PeerObject ? ArgumentType.CALLABLE : ArgumentType.peer(List.of(interfaces));
        }
        return of(value.getClass());
    }

    /**
     * Returns the class of the elements of a list, {@link ArrayList} if they are lists or arrays of several classes;
     * null if they differ or there are none.
     */
    static Class<?> element(List<?> values) {
        Class<?> found = null;
        for (Object one : values) {
            Class<?> type = one == null ? null : one instanceof List ? ArrayList.class : one.getClass();
            if (type == null || found != null && found != type && !(isSequence(found) && isSequence(type))) {
                return null;
            }
            found = found == null || found == type ? type : ArrayList.class;
        }
        return found;
    }

    private static boolean isSequence(Class<?> type) {
        return type.isArray() || type == ArrayList.class;
    }

    /** Returns the type of values of a class. */
    static ArgumentType of(Class<?> type) {
        Class<?> unboxed = Primitives.unboxed(type);
        if (unboxed != null) {
            return ArgumentType.value(unboxed);
        } else if (type == ArrayList.class) {
            return ArgumentType.list(null);
        } else if (type == LinkedHashSet.class) {
            return ArgumentType.set();
        } else if (type == LinkedHashMap.class) {
            return ArgumentType.map();
        } else if (type == String.class || type.isArray() || isScalar(type)) {
            return ArgumentType.value(type);
        }
        return ArgumentType.object(type);
    }
}
