package io.samewire.bench.redis;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** UTF-8 by the JDK: {@code String} and {@code Charset}. */
final class WithJdk implements Library {
    private final boolean charset;
    private byte[] bytes = {};

    WithJdk(boolean charset) {
        this.charset = charset;
    }

    @Override
    public String about() {
        return "malformed UTF-8 is replaced";
    }

    @Override
    public Class<?> from() {
        return String.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.kind() != Shape.Kind.TEXT) {
            return null;
        }
        byte[] wire = shape.wire();
        return charset ? () -> StandardCharsets.UTF_8.decode(ByteBuffer.wrap(wire)).toString()
                : () -> new String(wire, StandardCharsets.UTF_8);
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() != Shape.Kind.TEXT) {
            return null;
        }
        String text = shape.text();
        return charset ? () -> {
            ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(text));
            bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } : () -> bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] written() {
        return bytes;
    }
}
