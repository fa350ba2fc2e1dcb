package io.samewire.pack.wire;

import java.util.Objects;

/** Little-endian numbers anywhere in a byte array, within its bounds. */
final class Bytes {
    private Bytes() {}

    static long getLong(byte[] bytes, int at) {
        Objects.checkIndex(at, bytes.length - 7);
        return Memory.MEMORY.getLong(bytes, at);
    }

    static void putLong(byte[] bytes, int at, long value) {
        Objects.checkIndex(at, bytes.length - 7);
        Memory.MEMORY.putLong(bytes, at, value);
    }

    static int getInt(byte[] bytes, int at) {
        Objects.checkIndex(at, bytes.length - 3);
        return Memory.MEMORY.getInt(bytes, at);
    }

    static void putInt(byte[] bytes, int at, int value) {
        Objects.checkIndex(at, bytes.length - 3);
        Memory.MEMORY.putInt(bytes, at, value);
    }

    static char getChar(byte[] bytes, int at) {
        Objects.checkIndex(at, bytes.length - 1);
        return Memory.MEMORY.getChar(bytes, at);
    }

    static void putChar(byte[] bytes, int at, char value) {
        Objects.checkIndex(at, bytes.length - 1);
        Memory.MEMORY.putChar(bytes, at, value);
    }
}
