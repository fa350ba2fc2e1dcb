package io.samewire.bridge.value;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Errors of values that do not fit their type. They have no offset: the message is valid, and the caller gets them. */
final class Mismatch {
    private static final int MOST_SHOWN = 60;

    private Mismatch() {}

    static SamewireException of(Object value, Class<?> type) {
        return of(value, type, "");
    }

    /** The error for a value that does not fit a type; {@code hint} says what to do. */
    static SamewireException of(Object value, Class<?> type, String hint) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, shown(value) + " does not fit "
            + (type.isArray() ? type.getComponentType().getName() + "[]" : type.getName()) + hint);
    }

    static SamewireException range(Object value, Class<?> type) {
        return of(value, type, ": it is out of range");
    }

    /** A shortened value with its class. Of a program's object only the class: its {@code toString} is not called. */
    private static String shown(Object value) {
        if (value == null) {
            return "null";
        }
        String name = value.getClass().getName();
        if (value instanceof String || value instanceof Number || value instanceof Boolean
            || value instanceof Character) {
            String text = value.toString();
            String cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
            return (value instanceof String ? '"' + cut + '"' : cut) + " (" + name + ")";
        }
        return "a value of " + name;
    }
}
