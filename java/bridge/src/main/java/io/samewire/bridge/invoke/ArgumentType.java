package io.samewire.bridge.invoke;

import io.samewire.bridge.wire.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The type of an argument for overload resolution. Every kind has a <em>natural</em> Java type: that of the value if no
 * narrower type is declared ({@code spec/bridge.md} section 4). Java's own rules apply to that type; further
 * conversions are tried only after them.
 */
public final class ArgumentType {
    /** The forms of arguments, beyond their natural type. */
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
    /** The type of a container's elements, primitive if all are; null if it is not known. */
    final Class<?> element;
    /** Of {@link Form#PEER}. */
    final Class<?>[] interfaces;
    /** Of {@link Form#CALLABLE}, the kind with the numbers of arguments that it takes; null if they are not known. */
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

    /** Returns the type of a value with this natural type, which may be primitive. */
    public static ArgumentType value(Class<?> natural) {
        return new ArgumentType(Form.VALUE, natural, natural.getComponentType(), null);
    }

    /** Returns the type of a list whose elements are all {@code element}, primitive or not; null if that is unknown. */
    public static ArgumentType list(Class<?> element) {
        return new ArgumentType(Form.VALUE, ArrayList.class, element, null);
    }

    /** Returns whether it is an ordered container whose elements are not known. */
    boolean isOpenList() {
        return form == Form.VALUE && element == null && shape == null && !natural.isArray()
            && List.class.isAssignableFrom(natural);
    }

    /** Returns this type with the class of all elements. */
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

    /** Returns the type of a schema's value that can also be read as other types than the natural one. */
    public static ArgumentType shaped(Class<?> natural, Class<?> element, Shape shape) {
        return new ArgumentType(Form.VALUE, natural, element, shape);
    }

    /** Returns the type of a callable of a kind, which may have the numbers of arguments that it takes. */
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

    /** Returns the type's name for errors. */
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
