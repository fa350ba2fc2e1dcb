package io.samewire.bench;

import io.samewire.pack.Codec;
import io.samewire.pack.CodecBuilder;
import io.samewire.pack.Output;
import io.samewire.pack.Pack;
import io.samewire.pack.Profile;
import io.samewire.pack.TypeRef;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Samewire: records, lists, a map in order, primitive arrays. */
public final class WithSamewire implements Peer {
    private final Codec<Object> codec;
    private final Output output = new Output(1 << 20);

    /** Variants: {@code compact}, {@code fast}. */
    @SuppressWarnings("unchecked")
    public WithSamewire(String variant, String shape) {
        Profile profile = Profile.valueOf(variant.toUpperCase(Locale.ROOT));
        codec = (Codec<Object>) builder(shape).profile(profile).build();
    }

    private static CodecBuilder<?> builder(String shape) {
        return switch (shape) {
            case "event" -> Pack.builder(Event.class);
            case "tree" -> Pack.builder(Node.class);
            case "ints" -> Pack.builder(int[].class);
            case "doubles" -> Pack.builder(double[].class);
            case "strings", "uniqueStrings" -> Pack.builder(new TypeRef<List<String>>() { });
            case "map" -> Pack.builder(new TypeRef<Map<String, Integer>>() { });
            default -> Pack.builder(new TypeRef<List<Book>>() { });
        };
    }

    @Override
    public String version() {
        return "0.1.0";
    }

    @Override
    public byte[] encode(Object value) {
        return codec.encode(value);
    }

    @Override
    public int into(Object value) {
        output.clear();
        return codec.encodeInto(value, output);
    }

    @Override
    public Object decode(byte[] data) {
        return codec.decode(data);
    }
}
