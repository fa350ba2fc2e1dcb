package tested;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Overloads between which an argument cannot choose by itself. */
public final class Choices {
    private Choices() {}

    public static String text(StringBuilder value) {
        return "StringBuilder";
    }

    public static String text(String value) {
        return "String " + value;
    }

    public static String boxed(Integer value) {
        return "Integer " + value;
    }

    public static String boxed(Long value) {
        return "Long " + value;
    }

    public static String number(byte value) {
        return "byte " + value;
    }

    public static String number(short value) {
        return "short " + value;
    }

    public static String number(int value) {
        return "int " + value;
    }

    public static String number(long value) {
        return "long " + value;
    }

    public static String number(float value) {
        return "float " + value;
    }

    public static String number(double value) {
        return "double " + value;
    }

    public static String number(char value) {
        return "char " + value;
    }

    public static String number(boolean value) {
        return "boolean " + value;
    }

    public static String number(Object value) {
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }

    public static String held(List<?> values) {
        return "List";
    }

    public static String held(Collection<?> values) {
        return "Collection";
    }

    public static String held(Set<?> values) {
        return "Set " + values;
    }

    public static String held(Map<?, ?> values) {
        return "Map";
    }

    public static String held(Object values) {
        return "Object";
    }

    public static String by(Function<Object, Object> function) {
        return "Function " + function.apply("a");
    }

    public static String by(Supplier<Object> supplier) {
        return "Supplier " + supplier.get();
    }

    public static String by(BiFunction<Object, Object, Object> function) {
        return "BiFunction " + function.apply("a", "b");
    }

    public static String counted(Function<Object, Object> function, Integer count) {
        return "Function " + function.apply("a");
    }

    public static String counted(Supplier<Object> supplier, int count) {
        return "Supplier " + supplier.get();
    }

    public static String one(Function<Object, Object> function) {
        return "Function " + function.apply("a");
    }
}
