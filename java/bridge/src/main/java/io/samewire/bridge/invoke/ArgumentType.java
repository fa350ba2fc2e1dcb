package io.samewire.bridge.invoke;

import io.samewire.bridge.wire.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The type of an argument as overload resolution sees it. Every kind has a <em>natural</em> Java type: that of the
 * value where nothing narrower is declared ({@code spec/bridge.md} section 4). Java's own rules apply to that type,
 * and more conversions come only after them.
 */
public final class ArgumentType {
    /** What kinds of arguments differ in, beyond their natural type. */
    enum Form {
        /** The null reference. */
        NULL,
        /** A value, which is converted freely. */
        VALUE,
        /** A reference to an object of this JVM, which is passed as it is. */
        OBJECT,
        /** A callable of the peer: any functional interface. */
        CALLABLE,
        /** An object of the peer that implements interfaces. */
        PEER
    }

    /** The type of null. */
    public static final ArgumentType NULL = new ArgumentType(Form.NULL, null, null, null);
    /** A callable of the peer. */
    public static final ArgumentType CALLABLE = new ArgumentType(Form.CALLABLE, null, null, null);

    private static final Class<?>[] NONE = {};

    final Form form;
    /** The natural type; null for {@link Form#NULL}, {@link Form#CALLABLE} and {@link Form#PEER}. */
    final Class<?> natural;
    /** What a container is known to hold, primitive if all elements are; null if nothing is known. */
    final Class<?> element;
    /** Of {@link Form#PEER}. */
    final Class<?>[] interfaces;
    /** Of {@link Form#CALLABLE}, what says how many arguments it takes; null if that is not known. */
    final Kind callable;
    /** Decides whether a value with members fits a class; null for other values. */
    final Shape shape;

    /** Whether a value of a schema can be read as a class that is not its natural type. */
    public interface Shape {
        /** Returns whether values can be read as {@code type}. */
        boolean fits(Class<?> type);
    }

    private ArgumentType(Kind callable) {
        this.form = Form.CALLABLE;
        this.natural = null;
        this.element = null;
        this.shape = null;
        this.interfaces = NONE;
        this.callable = callable;
    }

    private ArgumentType(Form form, Class<?> natural, Class<?> element, Shape shape, Class<?>... interfaces) {
        this.callable = null;
        this.form = form;
        this.natural = natural;
        this.element = element;
        this.shape = shape;
        this.interfaces = interfaces == null ? NONE : interfaces;
    }

    /** Returns the type of a value that is a {@code natural} in Java, which may be primitive. */
    public static ArgumentType value(Class<?> natural) {
        return new ArgumentType(Form.VALUE, natural, natural.getComponentType(), null);
    }

    /** Returns the type of a list whose elements are all {@code element}, primitive or not; null if that is unknown. */
    public static ArgumentType list(Class<?> element) {
        return new ArgumentType(Form.VALUE, ArrayList.class, element, null);
    }

    /** Returns whether it is a container of which nothing is known but that its elements have an order. */
    boolean isOpenList() {
        return form == Form.VALUE && element == null && shape == null && !natural.isArray()
            && List.class.isAssignableFrom(natural);
    }

    /** Returns the same with the class that all elements have. */
    ArgumentType of(Class<?> elements) {
        return new ArgumentType(form, natural, elements, shape);
    }

    /** Returns the type of a tuple. */
    public static ArgumentType tuple() {
        return new ArgumentType(Form.VALUE, List.class, null, null);
    }

    /** Returns the type of a set. */
    public static ArgumentType set() {
        return new ArgumentType(Form.VALUE, LinkedHashSet.class, null, null);
    }

    /** Returns the type of a map. */
    public static ArgumentType map() {
        return new ArgumentType(Form.VALUE, LinkedHashMap.class, null, null);
    }

    /** Returns the type of a value of a schema whose natural type is {@code natural} and that can be read otherwise. */
    public static ArgumentType shaped(Class<?> natural, Class<?> element, Shape shape) {
        return new ArgumentType(Form.VALUE, natural, element, shape);
    }

    /** Returns the type of a callable of a kind, which may say how many arguments it takes. */
    static ArgumentType callable(Kind kind) {
        return new ArgumentType(kind);
    }

    /** Returns whether a callable may take so many arguments. */
    boolean takes(int arguments) {
        return callable == null || callable.takes(arguments);
    }

    /** Returns the type of an object of this JVM. */
    public static ArgumentType object(Class<?> runtime) {
        return new ArgumentType(Form.OBJECT, runtime, null, null);
    }

    /** Returns the type of an object of the peer that implements {@code interfaces}. */
    public static ArgumentType peer(List<Class<?>> interfaces) {
        return new ArgumentType(Form.PEER, null, null, null, interfaces.toArray(NONE));
    }

    /** Returns the type as errors name it. */
    @Override
    public String toString() {
        switch (form) {
            case NULL:
                return "null";
            case CALLABLE:
                return "callable";
            case PEER:
                return Signatures.names(interfaces, " & ");
            default:
                String name = Signatures.name(natural);
                return element == null || natural.isArray() ? name : name + "<" + Signatures.name(element) + ">";
        }
    }
}
