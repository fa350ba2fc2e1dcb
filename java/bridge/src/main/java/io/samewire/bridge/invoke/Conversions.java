package io.samewire.bridge.invoke;

import io.samewire.bridge.PythonObject;
import io.samewire.bridge.value.Functional;
import io.samewire.bridge.value.Primitives;
import io.samewire.bridge.value.Times;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * The types to which an argument can be converted, and the costs: the table for {@link Overloads}.
 *
 * <p>A cost up to {@link #LOOSE} is Java's own invocation conversion of the argument's natural type (JLS 5.3): an
 * overload that fits at these costs is found exactly as javac finds it. Costs from {@link #CONVERTED} are lossless
 * conversions; costs from {@link #NARROWED} are checked with the actual value, and throw {@code type_mismatch} if it
 * does not fit. Within both, a lower cost is preferred.
 *
 * <table>
 * <caption>Conversions</caption>
 * <tr><th>kind</th><th>natural type</th><th>converted, in order of preference</th><th>narrowed</th></tr>
 * <tr><td>{@code i32}</td><td>{@code int}</td><td>{@code Long BigInteger Double Float BigDecimal}</td>
 * <td>{@code short byte}, boxed or not</td></tr>
 * <tr><td>{@code i64}</td><td>{@code long}</td><td>{@code BigInteger Double Float BigDecimal}</td><td>{@code int short
 * byte}, boxed or not</td></tr>
 * <tr><td>{@code bigint}</td><td>{@code BigInteger}</td><td>{@code BigDecimal}</td><td>{@code double float long int
 * short byte}, boxed or not</td></tr>
 * <tr><td>{@code f64}</td><td>{@code double}</td><td>{@code BigDecimal}</td><td>{@code float}, boxed or not</td></tr>
 * <tr><td>{@code bool}, {@code char}</td><td>{@code boolean}, {@code char}</td><td>{@code char}: {@code String}</td>
 * <td></td></tr>
 * <tr><td>{@code string}</td><td>{@code String}</td><td></td><td>{@code char}, boxed or not, if it has one unit; an
 * enum, by the constant's name; {@code Path File}</td></tr>
 * <tr><td>{@code bytes}</td><td>{@code byte[]}</td><td>{@code ByteBuffer}, {@code InputStream}</td><td></td></tr>
 * <tr><td>{@code array<N>}</td><td>an array of N</td><td>arrays of wider numbers, {@code List} and other collections,
 * {@code Object[]}</td><td>arrays of narrower numbers</td></tr>
 * <tr><td>{@code list<N>}, {@code list<string>}, {@code list}</td><td>{@code ArrayList}</td><td>arrays, of the known
 * element first; other collections; {@code Iterator}</td><td>arrays of narrower elements</td></tr>
 * <tr><td>{@code tuple}</td><td>{@code List}</td><td>as {@code list}</td><td></td></tr>
 * <tr><td>{@code set}</td><td>{@code LinkedHashSet}</td><td>other {@code Set}s</td><td></td></tr>
 * <tr><td>{@code map}</td><td>{@code LinkedHashMap}</td><td>other {@code Map}s</td><td></td></tr>
 * <tr><td>{@code null}</td><td>the null type</td><td></td><td></td></tr>
 * <tr><td>{@code object C}</td><td>the object's class</td><td></td><td></td></tr>
 * <tr><td>{@code peer}</td><td>any functional interface</td><td></td><td></td></tr>
 * <tr><td>{@code peer I J}</td><td>{@code I & J}</td><td></td><td></td></tr>
 * <tr><td>{@code timestamp}</td><td>{@code Instant}</td><td>{@code Date}, to the millisecond; {@code OffsetDateTime
 * ZonedDateTime}, in UTC; {@code java.sql.Timestamp}</td><td></td></tr>
 * <tr><td>{@code decimal}</td><td>{@code BigDecimal}</td><td></td><td>{@code double float}, boxed or not;
 * {@code BigInteger}</td></tr>
 * <tr><td>{@code date time duration uuid}, {@code tuple<date, time>}</td><td>{@code LocalDate LocalTime Duration UUID},
 * {@code LocalDateTime}</td><td>of {@code java.sql}: {@code Date}, {@code Time}, and {@code Timestamp} of a
 * {@code LocalDateTime}</td><td></td></tr>
 * <tr><td>{@code enum …}</td><td>the registered enum of that name, else {@code String}</td><td>any other enum that has
 * the symbol; {@code String}</td><td></td></tr>
 * <tr><td>{@code struct …}, {@code union …}</td><td>the registered record of that name, else {@code Map}</td><td>a
 * record or class whose schema resolves with it; {@code Map}</td><td></td></tr>
 * <tr><td>{@code list}, {@code set}, {@code map}, {@code option} of these</td><td>{@code ArrayList LinkedHashSet
 * LinkedHashMap}</td><td>as {@code list}, {@code set}, {@code map}</td><td></td></tr>
 * </table>
 *
 * <p>The elements of containers are converted too, deeply, by the declared type arguments: for a {@code List<Long>}
 * ints become longs. A {@code result} and an {@code any} have the type of their value at the call.
 */
public final class Conversions {
    /** The cost of no conversion, or widening. */
    static final int STRICT = 0;
    /** The cost of boxing and unboxing. */
    static final int LOOSE = 1;
    /** The lowest cost of a conversion that is not Java's. */
    static final int CONVERTED = 10;
    /** The lowest cost of a conversion that may fail. */
    static final int NARROWED = 100;
    /** Not compatible. */
    static final int NEVER = Integer.MAX_VALUE;

    /** The number of numeric primitive types. */
    private static final int NUMBERS = 6;

    private Conversions() {}

    /** Returns the cost of passing an argument to a parameter of a type, or {@link #NEVER}. */
    static int cost(ArgumentType argument, Class<?> parameter) {
        switch (argument.form) {
            case NULL:
                return parameter.isPrimitive() ? NEVER : STRICT;
            case OBJECT:
                return java(argument.natural, parameter);
            case CALLABLE:
                return Functional.method(parameter) != null ? STRICT : NEVER;
            case PEER:
                return peer(argument.interfaces, parameter);
            default:
                int cost = java(argument.natural, parameter);
                return cost == NEVER ? converted(argument, parameter) : cost;
        }
    }

    private static int peer(Class<?>[] interfaces, Class<?> parameter) {
        if (parameter == Object.class || parameter == PythonObject.class) {
            return STRICT;
        }
        for (Class<?> one : interfaces) {
            if (parameter.isAssignableFrom(one)) {
                return STRICT;
            }
        }
        return NEVER;
    }

    /** Strict and loose invocation conversion of a type without type arguments. */
    private static int java(Class<?> from, Class<?> to) {
        if (from.isPrimitive()) {
            if (to.isPrimitive()) {
                return Primitives.widens(from, to) ? STRICT : NEVER;
            }
            return to.isAssignableFrom(Primitives.boxed(from)) ? LOOSE : NEVER;
        } else if (to.isPrimitive()) {
            Class<?> primitive = Primitives.unboxed(from);
            return primitive != null && Primitives.widens(primitive, to) ? LOOSE : NEVER;
        }
        return to.isAssignableFrom(from) ? STRICT : NEVER;
    }

    private static int converted(ArgumentType argument, Class<?> to) {
        Class<?> from = argument.natural;
        Class<?> primitive = from.isPrimitive() ? from : Primitives.unboxed(from);
        if (argument.shape != null && argument.shape.fits(to)) {
            return Map.class.isAssignableFrom(to) || to == String.class ? CONVERTED + 1 : CONVERTED;
        } else if (primitive != null && primitive != boolean.class && primitive != char.class) {
            return number(primitive, to);
        } else if (from == BigInteger.class) {
            return to == BigDecimal.class ? CONVERTED : narrowed(to);
        } else if (from == BigDecimal.class) {
            Class<?> target = to.isPrimitive() ? to : Primitives.unboxed(to);
            return target == double.class ? NARROWED : target == float.class ? NARROWED + 1
                : to == BigInteger.class ? NARROWED + 2 : NEVER;
        } else if (from == String.class) {
            return to == char.class || to == Character.class ? NARROWED : to.isEnum() ? NARROWED + 1
                : to == Path.class || to == File.class ? NARROWED + 2 : NEVER;
        } else if (primitive == char.class) {
            return to.isAssignableFrom(String.class) ? CONVERTED : NEVER;
        } else if (from == byte[].class) {
            return to == ByteBuffer.class ? CONVERTED : to == InputStream.class ? CONVERTED + 1 : NEVER;
        } else if (from.isArray() || List.class.isAssignableFrom(from)) {
            return sequence(argument, to);
        } else if (Set.class.isAssignableFrom(from)) {
            return Set.class.isAssignableFrom(to) && isMade(to) ? CONVERTED : NEVER;
        } else if (Map.class.isAssignableFrom(from)) {
            return Map.class.isAssignableFrom(to) && isMade(to) ? CONVERTED : NEVER;
        }
        int time = Times.preference(from, to);
        return time < 0 ? NEVER : CONVERTED + time;
    }

    private static int number(Class<?> from, Class<?> to) {
        if (to == BigInteger.class) {
            return from == double.class || from == float.class ? NEVER : CONVERTED + 4;
        } else if (to == BigDecimal.class) {
            return CONVERTED + 9;
        }
        Class<?> target = to.isPrimitive() ? to : Primitives.unboxed(to);
        int place = target == null ? -1 : Primitives.rank(target);
        if (place < 0) {
            return NEVER;
        } else if (Primitives.widens(from, target)) {
            return target == double.class ? CONVERTED + 5 : target == float.class ? CONVERTED + 6 : CONVERTED + place;
        } else if (from == double.class) {
            return target == float.class ? NARROWED : NEVER;
        }
        // The widest of those that are too narrow.
        return from == float.class ? NEVER : NARROWED + (NUMBERS - place);
    }

    /** An integer of any length as a primitive number. */
    private static int narrowed(Class<?> to) {
        Class<?> target = to.isPrimitive() ? to : Primitives.unboxed(to);
        int place = target == null ? -1 : Primitives.rank(target);
        return place < 0 ? NEVER : NARROWED + (NUMBERS - place);
    }

    private static int sequence(ArgumentType argument, Class<?> to) {
        if (to.isArray()) {
            return array(argument.element, to.getComponentType());
        } else if (Collection.class.isAssignableFrom(to) || to == Iterable.class) {
            // An array's natural type is the array; a list is the second choice.
            return !isMade(to) ? NEVER : to.isAssignableFrom(ArrayList.class) ? CONVERTED + 20
                : List.class.isAssignableFrom(to) ? CONVERTED + 21 : Set.class.isAssignableFrom(to) ? CONVERTED + 22
                : Queue.class.isAssignableFrom(to) ? CONVERTED + 23 : CONVERTED + 24;
        }
        return to == Iterator.class ? CONVERTED + 30 : NEVER;
    }

    /** The cost of an array made from a list or array; {@code element} is null if the elements are unknown. */
    private static int array(Class<?> element, Class<?> to) {
        if (element == null) {
            return to == Object.class ? CONVERTED : CONVERTED + 1;
        } else if (element == to) {
            return CONVERTED;
        }
        int cost = java(element, to);
        if (cost == NEVER) {
            cost = converted(ArgumentType.value(element), to);
            return cost == NEVER ? NEVER : cost < NARROWED ? CONVERTED + 8 : NARROWED;
        } else if (to.isPrimitive()) {
            return CONVERTED + 1 + Primitives.rank(to);
        }
        return to == Primitives.boxed(element) ? CONVERTED + 7 : CONVERTED + 9;
    }

    /**
     * Returns whether a collection or map of a class can be made: it is a well-known interface or has a constructor.
     */
    static boolean isMade(Class<?> type) {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return type.getClassLoader() == null && type.getPackageName().startsWith("java.");
        }
        if (!Modifier.isPublic(type.getModifiers())) {
            return false;
        }
        try {
            return Modifier.isPublic(type.getConstructor().getModifiers());
        } catch (NoSuchMethodException none) {
            return false;
        }
    }
}
