package nulls;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Overloads of which a null fits several. Each says what it is. */
public class Nulls extends Inherited implements Offered {
    /** What the constructor was. */
    public final String made;

    public Nulls() {
        made = "()";
    }

    public Nulls(List<?> a) {
        made = "(List)";
    }

    public Nulls(Object a) {
        made = "(Object)";
    }

    public Nulls(String a, Integer b) {
        made = "(String, Integer)";
    }

    public Nulls(Object a, Number b) {
        made = "(Object, Number)";
    }

    public String listOrObject(List<?> a) {
        return "List";
    }

    public String listOrObject(Object a) {
        return "Object";
    }

    public String mapOrObject(Map<?, ?> a) {
        return "Map";
    }

    public String mapOrObject(Object a) {
        return "Object";
    }

    public String textOrInteger(String a) {
        return "String";
    }

    public String textOrInteger(Integer a) {
        return "Integer";
    }

    public String textOrObject(Object a) {
        return "Object";
    }

    public String textOrObject(String a) {
        return "String";
    }

    public String objectOrInt(Object a) {
        return "Object";
    }

    public String objectOrInt(int a) {
        return "int";
    }

    public String floatOrObject(Object a) {
        return "Object";
    }

    public String floatOrObject(float a) {
        return "float";
    }

    public String classOrInterface(Collection<?> a) {
        return "Collection";
    }

    public String classOrInterface(ArrayList<?> a) {
        return "ArrayList";
    }

    public String arrayOrObject(Object[] a) {
        return "Object[]";
    }

    public String arrayOrObject(Object a) {
        return "Object";
    }

    public String two(List<?> a, List<?> b) {
        return "List, List";
    }

    public String two(Object a, List<?> b) {
        return "Object, List";
    }

    public String two(Object a, Object b) {
        return "Object, Object";
    }

    public String crossed(String a, Object b) {
        return "String, Object";
    }

    public String crossed(Object a, Integer b) {
        return "Object, Integer";
    }

    public String with(List<?> a, long b) {
        return "List, long";
    }

    public String with(Object a, int b) {
        return "Object, int";
    }

    public String with(String a, double b) {
        return "String, double";
    }

    public String with(Object a, boolean b) {
        return "Object, boolean";
    }

    public String with(List<?> a, Comparator<?> b) {
        return "List, Comparator";
    }

    public String with(String a, String b) {
        return "String, String";
    }

    public String narrowed(String a, short b) {
        return "String, short " + b;
    }

    public String narrowed(List<?> a, int b) {
        return "List, int " + b;
    }

    public String more(List<?>... a) {
        return "List...";
    }

    public String more(Object a) {
        return "Object";
    }

    public String called(Comparator<?> a, List<?> b) {
        return "Comparator, List";
    }

    public String called(Comparator<?> a, Object b) {
        return "Comparator, Object";
    }

    public String called(Object a, Integer b) {
        return "Object, Integer";
    }

    public String alone(String a) {
        return "alone " + a;
    }

    public static String fixed(List<?> a) {
        return "static List";
    }

    public static String fixed(Object a) {
        return "static Object";
    }

    public static String mixed(List<?> a) {
        return "static List";
    }

    public String mixed(String a) {
        return "String";
    }

    public String hidden(Map<?, ?> a) {
        return "Map";
    }

    String hidden(String a) {
        return "package-private String";
    }

    private String secret(Integer a) {
        return "private Integer";
    }

    public String secret(Collection<?> a) {
        return "Collection";
    }

    @Override
    public String inherited(List<?> a) {
        return "List of the subclass";
    }

    @Override
    public String offered(List<?> a) {
        return "offered List";
    }

    public long thread() {
        return Thread.currentThread().getId();
    }

    public long thread(String a) {
        return Thread.currentThread().getId();
    }

    public long thread(Integer a) {
        return Thread.currentThread().getId();
    }
}

class Inherited {
    public String inherited(Object a) {
        return "Object of the superclass";
    }

    public String inherited(List<?> a) {
        return "List of the superclass";
    }

    public String above(Integer a) {
        return "Integer of the superclass";
    }

    public String above(Collection<?> a) {
        return "Collection of the superclass";
    }
}

interface Offered {
    String offered(List<?> a);

    default String offered(Object a) {
        return "offered Object";
    }
}
