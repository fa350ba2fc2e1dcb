package py4j;

import io.samewire.py4j.text.Escapes;
import java.math.BigDecimal;

/** A value or an error as it stands in an answer. */
public final class ReturnObject {
    private final char type;
    private final String name;
    private final Object primitive;
    private final int size;
    private final String commandPart;

    private ReturnObject(char type, String name, Object primitive, int size, String commandPart) {
        this.type = type;
        this.name = name;
        this.primitive = primitive;
        this.size = size;
        this.commandPart = commandPart;
    }

    private static ReturnObject named(char type, String name, int size) {
        return new ReturnObject(type, name, null, size, type + name);
    }

    /** Returns that of an array. */
    public static ReturnObject getArrayReturnObject(String name, int size) {
        return named(Protocol.ARRAY_TYPE, name, size);
    }

    /** Returns that of a list. */
    public static ReturnObject getListReturnObject(String name, int size) {
        return named(Protocol.LIST_TYPE, name, size);
    }

    /** Returns that of a map. */
    public static ReturnObject getMapReturnObject(String name, int size) {
        return named(Protocol.MAP_TYPE, name, size);
    }

    /** Returns that of a set. */
    public static ReturnObject getSetReturnObject(String name, int size) {
        return named(Protocol.SET_TYPE, name, size);
    }

    /** Returns that of an iterator. */
    public static ReturnObject getIteratorReturnObject(String name) {
        return named(Protocol.ITERATOR_TYPE, name, 0);
    }

    /** Returns that of another object. */
    public static ReturnObject getReferenceReturnObject(String name) {
        return named(Protocol.REFERENCE_TYPE, name, 0);
    }

    /** Returns that of a decimal number. */
    public static ReturnObject getDecimalReturnObject(Object object) {
        return new ReturnObject(Protocol.DECIMAL_TYPE, null, null, 0,
            Protocol.DECIMAL_TYPE + ((BigDecimal) object).toPlainString());
    }

    /** Returns that of a value that goes by value. */
    public static ReturnObject getPrimitiveReturnObject(Object primitive) {
        char type = Protocol.getPrimitiveType(primitive);
        String text = type == Protocol.BYTES_TYPE ? Protocol.encodeBytes((byte[]) primitive) : primitive.toString();
        return new ReturnObject(type, null, primitive, 0,
            type + (type == Protocol.STRING_TYPE ? Escapes.escape(text) : text));
    }

    /** Returns that of null. */
    public static ReturnObject getNullReturnObject() {
        return new ReturnObject(Protocol.NULL_TYPE, null, null, 0, "n");
    }

    /** Returns that of a method without a value. */
    public static ReturnObject getVoidReturnObject() {
        return new ReturnObject(Protocol.VOID, null, null, 0, "v");
    }

    /** Returns that of an exception of the program, an object. */
    public static ReturnObject getErrorReferenceReturnObject(String name) {
        return new ReturnObject(Protocol.ERROR, name, null, 0, "xr" + name);
    }

    /** Returns that of an error without a text. */
    public static ReturnObject getErrorReturnObject() {
        return new ReturnObject(Protocol.ERROR, null, null, 0, "x");
    }

    /** Returns that of an error: its stack trace. */
    public static ReturnObject getErrorReturnObject(Throwable throwable) {
        return new ReturnObject(Protocol.ERROR, null, null, 0,
            "xs" + Escapes.escape(Protocol.getThrowableAsString(throwable)));
    }

    /** Returns it as it stands in an answer, after {@code !y}, or after {@code !} if it is an error. */
    public String getCommandPart() {
        return commandPart;
    }

    /** Returns the object's id, or null. */
    public String getName() {
        return name;
    }

    /** Returns what goes by value, or null. */
    public Object getPrimitiveObject() {
        return primitive;
    }

    /** Returns how many elements there are. */
    public int getSize() {
        return size;
    }

    /** Returns whether it is of an array. */
    public boolean isArray() {
        return type == Protocol.ARRAY_TYPE;
    }

    /** Returns whether it is of a decimal number. */
    public boolean isDecimal() {
        return type == Protocol.DECIMAL_TYPE;
    }

    /** Returns whether it is of an error. */
    public boolean isError() {
        return type == Protocol.ERROR;
    }

    /** Returns whether it is of an iterator. */
    public boolean isIterator() {
        return type == Protocol.ITERATOR_TYPE;
    }

    /** Returns whether it is of a list. */
    public boolean isList() {
        return type == Protocol.LIST_TYPE;
    }

    /** Returns whether it is of a map. */
    public boolean isMap() {
        return type == Protocol.MAP_TYPE;
    }

    /** Returns whether it is of null. */
    public boolean isNull() {
        return type == Protocol.NULL_TYPE;
    }

    /** Returns whether it is of an object without a type of its own. */
    public boolean isReference() {
        return type == Protocol.REFERENCE_TYPE;
    }

    /** Returns whether it is of a set. */
    public boolean isSet() {
        return type == Protocol.SET_TYPE;
    }

    /** Returns whether it is of a method without a value. */
    public boolean isVoid() {
        return type == Protocol.VOID;
    }
}
