package io.samewire.bench;

import io.samewire.pack.BufferPool;
import io.samewire.pack.Codec;
import io.samewire.pack.Output;
import io.samewire.pack.Pack;
import io.samewire.pack.Profile;
import java.util.Map;

/** Samewire: records, lists, a map in order, primitive arrays. */
public final class WithSamewire implements Peer, Pooled {
    private final Codec<Object> codec;
    private final Output output = new Output(1 << 20);

    /** What the largest message so far needed: a program that sends many alike asks the pool for as much. */
    private int room = 1024;

    @SuppressWarnings("unchecked")
    private WithSamewire(Workload workload, Profile profile) {
        codec = (Codec<Object>) Pack.builder(workload.type()).profile(profile).build();
    }

    /** One row a profile. */
    public static Map<String, Library> rows() {
        return Map.of("samewire-compact", row(Profile.COMPACT), "samewire-fast", row(Profile.FAST));
    }

    private static Library row(Profile profile) {
        String checks = "all bounds, text, schema types, limits";
        return new Library(Pack.class, "typed", checks, false, true, workload -> new WithSamewire(workload, profile));
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

    @Override
    public void message(Object value) {
        try (Output pooled = new Output(BufferPool.shared(), room)) {
            codec.encodeInto(value, pooled);
            room = Math.max(room, pooled.array().length);
        }
    }

    @Override
    public Map<String, Long> counts() {
        BufferPool.Statistics counted = BufferPool.shared().statistics();
        return Map.of("allocations", counted.taken(), "misses", counted.misses());
    }
}
