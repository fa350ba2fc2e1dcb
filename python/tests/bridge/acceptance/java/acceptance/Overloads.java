package acceptance;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Overloaded methods that say which of them was called. */
public class Overloads {
    public static String pick(int value) {
        return "int";
    }

    public static String pick(long value) {
        return "long";
    }

    public static String pick(double value) {
        return "double";
    }

    public static String pick(boolean value) {
        return "boolean";
    }

    public static String pick(char value) {
        return "char";
    }

    public static String pick(String value) {
        return "String";
    }

    public static String pick(Object value) {
        return "Object";
    }

    public static String number(long value) {
        return "long";
    }

    public static String number(double value) {
        return "double";
    }

    public static String real(float value) {
        return "float";
    }

    public static String real(double value) {
        return "double";
    }

    public static String boxed(Integer value) {
        return "Integer";
    }

    public static String boxed(Object value) {
        return "Object";
    }

    public static String phase(Integer value) {
        return "Integer";
    }

    public static String phase(long value) {
        return "long";
    }

    public static String letters(char value) {
        return "char";
    }

    public static String letters(int value) {
        return "int";
    }

    public static String sequence(CharSequence value) {
        return "CharSequence";
    }

    public static String sequence(Object value) {
        return "Object";
    }

    public static String holder(Collection<?> value) {
        return "Collection";
    }

    public static String holder(List<?> value) {
        return "List";
    }

    public static String holder(Map<?, ?> value) {
        return "Map";
    }

    public static String kinds(List<?> value) {
        return "List";
    }

    public static String kinds(Map<?, ?> value) {
        return "Map";
    }

    public static String kinds(Set<?> value) {
        return "Set";
    }

    public static String kinds(byte[] value) {
        return "byte[]";
    }

    public static String nothing(Object value) {
        return "Object";
    }

    public static String nothing(String value) {
        return "String";
    }

    public static String ambiguous(String value) {
        return "String";
    }

    public static String ambiguous(Integer value) {
        return "Integer";
    }

    public static String some(String first) {
        return "one";
    }

    public static String some(String first, String second) {
        return "two";
    }

    public static String some(String... all) {
        return "many";
    }

    public static String relative(Ancestor value) {
        return "Ancestor";
    }

    public static String relative(Members value) {
        return "Members";
    }

    /** The simple name of the class that a value has when nothing narrower than Object is asked for. */
    public static String arrived(Object value) {
        return value == null ? "null" : value.getClass().getSimpleName();
    }

    public static byte onlyByte(byte value) {
        return value;
    }

    public static short onlyShort(short value) {
        return value;
    }

    public static int onlyInt(int value) {
        return value;
    }

    public static long onlyLong(long value) {
        return value;
    }

    public static float onlyFloat(float value) {
        return value;
    }

    public static double onlyDouble(double value) {
        return value;
    }

    public static char onlyChar(char value) {
        return value;
    }

    public static boolean onlyBoolean(boolean value) {
        return value;
    }

    public static String onlyNumber(Number value) {
        return value.getClass().getSimpleName() + " " + value;
    }

    public static Double boxedDouble(Double value) {
        return value;
    }

    public static Long boxedLong(Long value) {
        return value;
    }

    /** A static and an instance method of one name. */
    public static String mixed(int value) {
        return "static";
    }

    public String mixed(String value) {
        return "instance";
    }
}
