package io.samewire.bench.redis;

import java.util.function.Supplier;
import scodec.Codec;
import scodec.bits.BitVector;

/** scodec's codec for UTF-8, which LaserDisc's is made of. */
final class WithScodec implements Library {
    private final Codec<String> codec = scodec.codecs.package$.MODULE$.utf8();
    private byte[] bytes = {};

    @Override
    public String about() {
        return "malformed UTF-8 is an error";
    }

    @Override
    public Class<?> from() {
        return Codec.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.kind() != Shape.Kind.TEXT) {
            return null;
        }
        BitVector wire = BitVector.view(shape.wire());
        return () -> codec.decode(wire).require().value();
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() != Shape.Kind.TEXT) {
            return null;
        }
        String text = shape.text();
        return () -> bytes = codec.encode(text).require().toByteArray();
    }

    @Override
    public byte[] written() {
        return bytes;
    }
}
