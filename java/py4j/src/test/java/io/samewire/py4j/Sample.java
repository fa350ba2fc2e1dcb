package io.samewire.py4j;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An entry point with a member of each kind. */
public class Sample {
    /** A field that all share. */
    public static final int SHARED = 7;

    /** A field. */
    public String name = "first";
    /** A field of a primitive type. */
    public int count = 1;

    /** A class within. */
    public static class Inner {}

    /** Returns what it is given. */
    public Object echo(Object value) {
        return value;
    }

    /** Tells which overload was chosen. */
    public String chosen(int value) {
        return "int " + value;
    }

    /** Tells which overload was chosen. */
    public String chosen(long value) {
        return "long " + value;
    }

    /** Tells which overload was chosen. */
    public String chosen(double value) {
        return "double " + value;
    }

    /** Tells which overload was chosen. */
    public String chosen(char value) {
        return "char " + value;
    }

    /** Tells which overload was chosen. */
    public String chosen(Object value) {
        return "object " + value;
    }

    /** Has narrow parameters alone. */
    public String narrow(byte first, short second, float third, char fourth) {
        return first + " " + second + " " + third + " " + fourth;
    }

    /** Has no value. */
    public void nothing() {}

    /** Throws. */
    public void fail() {
        throw new IllegalStateException("on purpose");
    }

    /** Returns a list. */
    public List<Object> list() {
        return new ArrayList<>(Arrays.asList(3, 1, 2));
    }

    /** Returns a map. */
    public Map<String, Integer> map() {
        return Map.of("one", 1);
    }

    /** Returns a set. */
    public Set<String> set() {
        return Set.of("one");
    }

    /** Returns an iterator. */
    public Iterator<String> iterator() {
        return List.of("one").iterator();
    }

    /** Returns an array. */
    public int[] array() {
        return new int[] {4, 5, 6};
    }

    /** Returns bytes. */
    public byte[] bytes() {
        return new byte[] {0, 1, (byte) 255};
    }

    /** Returns a decimal number. */
    public BigDecimal decimal() {
        return new BigDecimal("1E+3");
    }

    /** Returns a channel. */
    public ReadableByteChannel channel() {
        return Channels.newChannel(new ByteArrayInputStream("streamed\n".getBytes(StandardCharsets.UTF_8)));
    }
}
