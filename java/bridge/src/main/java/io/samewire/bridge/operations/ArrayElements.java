package io.samewire.bridge.operations;

import io.samewire.bridge.value.Conversion;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.wire.Rows;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;

/** Elements and slices of arrays of any type. */
public final class ArrayElements {
    private ArrayElements() {}

    /** Returns the index of an element; a negative one counts from the end. */
    public static int index(int index, int length) {
        int found = index < 0 ? index + length : index;
        if (found < 0 || found >= length) {
            throw new IndexOutOfBoundsException("index " + index + " of " + length);
        }
        return found;
    }

    /** Sets an element to a converted value. */
    public static void set(Object array, int index, Object value) {
        Array.set(array, index(index, Array.getLength(array)), Conversion.convert(value, element(array)));
    }

    private static Target element(Object array) {
        return Target.of(array.getClass().getComponentType());
    }

    /** Returns a new array of the elements of a slice. */
    public static Object slice(Object array, int from, int to, int step) {
        int length = Slices.length(from, to, step);
        Object made = Array.newInstance(array.getClass().getComponentType(), length);
        if (step == 1) {
            System.arraycopy(array, from, made, 0, length);
            return made;
        }
        for (int i = 0; i < length; i++) {
            Array.set(made, i, Array.get(array, from + i * step));
        }
        return made;
    }

    /** Sets every {@code step}th element to converted values of a collection or array. */
    public static void setSlice(Object array, int from, int step, Object values) {
        if (step == 1 && values != null && values.getClass() == array.getClass()) {
            System.arraycopy(values, 0, array, from, Array.getLength(values));
            return;
        }
        Target element = element(array);
        int at = from;
        if (values instanceof Collection) {
            for (Object value : ((Collection<?>) values).toArray()) {
                Array.set(array, at, Conversion.convert(value, element));
                at += step;
            }
            return;
        }
        int length = Array.getLength(values);
        for (int i = 0; i < length; i++) {
            Array.set(array, at, Conversion.convert(Array.get(values, i), element));
            at += step;
        }
    }

    /** Returns the bytes of an array of a primitive type, little-endian. */
    public static byte[] bytes(Object array) {
        if (!array.getClass().isArray() || !array.getClass().getComponentType().isPrimitive()) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, array.getClass().getName()
                + " is not an array of a primitive type");
        }
        int length = Rows.length(array);
        long size = (long) length * Rows.width(array);
        if (size > Integer.MAX_VALUE - 8) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, null, "the array has " + size + " bytes, more than"
                + " the JVM's longest byte array, 2147483639: read it by slices");
        }
        byte[] bytes = new byte[(int) size];
        Rows.put(array, 0, length, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        return bytes;
    }
}
