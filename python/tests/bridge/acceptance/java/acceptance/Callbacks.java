package acceptance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Interfaces that Python implements, and Java code that calls them. */
public final class Callbacks {
    /** One method with two arities. */
    public interface Operator {
        int apply(int a, int b);

        int apply(int a, int b, int c);
    }

    /** One method of every type. */
    public interface Kinds {
        boolean flag(boolean value);

        int whole(int value);

        long wide(long value);

        double real(double value);

        char letter(char value);

        String text(String value);

        byte[] bytes(byte[] value);

        Object any(Object value);

        void nothing(List<Object> sink);
    }

    /** A method that Java implements, and one that it does not. */
    public interface Named {
        String name();

        default String greeting() {
            return "hello " + name();
        }
    }

    /** A second interface for one object. */
    public interface Aged {
        int age();
    }

    /** Calls itself on the other side. */
    public interface Recursion {
        int down(Recursion other, int depth);
    }

    /** Takes any number of arguments. */
    public interface Logger {
        String log(String format, Object... values);
    }

    /** A generic interface. */
    public interface Mapper<A, B> {
        B map(A value);
    }

    /** The Java half of a recursion. */
    public static final class Java implements Recursion {
        @Override
        public int down(Recursion other, int depth) {
            return depth == 0 ? 0 : 1 + other.down(this, depth - 1);
        }
    }

    private static Object kept;

    private Callbacks() {
    }

    public static int two(Operator operator, int a, int b) {
        return operator.apply(a, b);
    }

    public static int three(Operator operator, int a, int b, int c) {
        return operator.apply(a, b, c);
    }

    /** Calls every method once; says what came back. */
    public static List<Object> all(Kinds kinds) {
        List<Object> sink = new ArrayList<>();
        sink.add(kinds.flag(true));
        sink.add(kinds.whole(Integer.MIN_VALUE));
        sink.add(kinds.wide(Long.MAX_VALUE));
        sink.add(kinds.real(0.5));
        sink.add(kinds.letter('x'));
        sink.add(kinds.text("t\u00e9xt"));
        sink.add(kinds.bytes(new byte[] {1, 2, -3}).length);
        kinds.nothing(sink);
        return sink;
    }

    public static Object any(Kinds kinds, Object value) {
        return kinds.any(value);
    }

    public static String greet(Named named) {
        return named.greeting();
    }

    public static String person(Named named) {
        return named.name() + " " + ((Aged) named).age();
    }

    public static String log(Logger logger) {
        return logger.log("a", 1, "two", null);
    }

    public static <A, B> List<B> each(List<A> values, Mapper<A, B> mapper) {
        List<B> mapped = new ArrayList<>();
        for (A value : values) {
            mapped.add(mapper.map(value));
        }
        return mapped;
    }

    public static int many(Operator operator, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum = operator.apply(sum, i);
        }
        return sum;
    }

    public static String text(Object object) {
        return object.toString();
    }

    /** What an object's own methods say of a function, which they must not call. */
    public static String shown(Mapper<Object, Object> mapper) {
        return mapper.equals(mapper) + " " + (mapper.hashCode() == mapper.hashCode()) + " " + mapper.toString().isEmpty();
    }

    public static boolean equal(Object a, Object b) {
        return a.equals(b);
    }

    public static int hash(Object object) {
        return object.hashCode();
    }

    public static boolean stable(Object object) {
        return object.hashCode() == object.hashCode() && object.equals(object);
    }

    public static void keep(Object object) {
        kept = object;
    }

    public static Object kept() {
        return kept;
    }

    public static <T extends Comparable<T>> T largest(List<T> values) {
        return Collections.max(values);
    }
}
