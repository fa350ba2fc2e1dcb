package io.samewire.pack.bind;

/**
 * The locals of a method that is interpreted, and above them its operand stack. An entry is a number or an object: the
 * instructions know which. A {@code float} is its bits, a {@code boolean} 0 or 1. A {@code long} takes two locals, as
 * in the JVM, and one entry of the stack.
 */
final class Frame {
    final long[] numbers;
    final Object[] objects;
    /** The instruction that runs. */
    int at;

    Frame(int size) {
        this.numbers = new long[size];
        this.objects = new Object[size];
    }

    void copy(int from, int to) {
        numbers[to] = numbers[from];
        objects[to] = objects[from];
    }

    /** Returns an entry as an object of the class that a descriptor says. */
    Object boxed(int entry, char type) {
        return switch (type) {
            case 'Z' -> numbers[entry] != 0;
            case 'B' -> (byte) numbers[entry];
            case 'S' -> (short) numbers[entry];
            case 'C' -> (char) numbers[entry];
            case 'I' -> (int) numbers[entry];
            case 'J' -> numbers[entry];
            case 'F' -> Float.intBitsToFloat((int) numbers[entry]);
            case 'D' -> Double.longBitsToDouble(numbers[entry]);
            default -> objects[entry];
        };
    }

    /** Sets an entry from such an object. */
    void unboxed(int entry, char type, Object value) {
        switch (type) {
            case 'Z' -> numbers[entry] = (boolean) value ? 1 : 0;
            case 'C' -> numbers[entry] = (char) value;
            case 'B', 'S', 'I', 'J' -> numbers[entry] = ((Number) value).longValue();
            case 'F' -> numbers[entry] = Float.floatToRawIntBits((float) value);
            case 'D' -> numbers[entry] = Double.doubleToRawLongBits((double) value);
            default -> objects[entry] = value;
        }
    }
}
