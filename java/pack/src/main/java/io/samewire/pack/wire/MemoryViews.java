package io.samewire.pack.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Words in byte arrays by handles; strings stay closed. */
final class MemoryViews extends Memory {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle CHAR = MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

    @Override
    byte[] value(String text) {
        throw new UnsupportedOperationException("this implementation does not read the array of a string");
    }

    @Override
    byte coder(String text) {
        throw new UnsupportedOperationException("this implementation does not read the array of a string");
    }

    @Override
    String wide(byte[] utf16) {
        char[] units = new char[utf16.length / Character.BYTES];
        view(utf16, 0, units.length, Character.BYTES).asCharBuffer().get(units);
        return new String(units);
    }

    @Override
    long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    @Override
    int getInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    @Override
    char getChar(byte[] bytes, int at) {
        return (char) CHAR.get(bytes, at);
    }

    @Override
    void putLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    @Override
    void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    @Override
    void putChar(byte[] bytes, int at, char value) {
        CHAR.set(bytes, at, value);
    }

    @Override
    void getRow(byte[] bytes, int at, short[] row, int n) {
        view(bytes, at, n, Short.BYTES).asShortBuffer().get(row, 0, n);
    }

    @Override
    void getRow(byte[] bytes, int at, int[] row, int n) {
        view(bytes, at, n, Integer.BYTES).asIntBuffer().get(row, 0, n);
    }

    @Override
    void getRow(byte[] bytes, int at, long[] row, int n) {
        view(bytes, at, n, Long.BYTES).asLongBuffer().get(row, 0, n);
    }

    @Override
    void getRow(byte[] bytes, int at, float[] row, int n) {
        view(bytes, at, n, Float.BYTES).asFloatBuffer().get(row, 0, n);
    }

    @Override
    void getRow(byte[] bytes, int at, double[] row, int n) {
        view(bytes, at, n, Double.BYTES).asDoubleBuffer().get(row, 0, n);
    }

    @Override
    void putRow(byte[] bytes, int at, short[] row) {
        view(bytes, at, row.length, Short.BYTES).asShortBuffer().put(row);
    }

    @Override
    void putRow(byte[] bytes, int at, int[] row) {
        view(bytes, at, row.length, Integer.BYTES).asIntBuffer().put(row);
    }

    @Override
    void putRow(byte[] bytes, int at, long[] row) {
        view(bytes, at, row.length, Long.BYTES).asLongBuffer().put(row);
    }

    @Override
    void putRow(byte[] bytes, int at, float[] row) {
        view(bytes, at, row.length, Float.BYTES).asFloatBuffer().put(row);
    }

    @Override
    void putRow(byte[] bytes, int at, double[] row) {
        view(bytes, at, row.length, Double.BYTES).asDoubleBuffer().put(row);
    }

    private static ByteBuffer view(byte[] bytes, int at, int n, int width) {
        return ByteBuffer.wrap(bytes, at, n * width).order(ByteOrder.LITTLE_ENDIAN);
    }
}
