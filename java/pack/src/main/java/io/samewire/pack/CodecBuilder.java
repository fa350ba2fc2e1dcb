package io.samewire.pack;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Binding;
import java.util.Objects;

/**
 * The options of a codec.
 *
 * @param <T> the values of the codec
 */
public final class CodecBuilder<T> {
    private final Binding binding;
    private Profile profile = Profile.COMPACT;
    private boolean digest;
    private Limits limits = Limits.DEFAULT;

    CodecBuilder(Binding binding) {
        this.binding = binding;
    }

    /** How messages are written; both are read. {@link Profile#COMPACT} by default. */
    public CodecBuilder<T> profile(Profile chosen) {
        this.profile = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * Whether messages carry the digest of their schema, 8 bytes. They do not by default; where one is met it is
     * checked in any case.
     */
    public CodecBuilder<T> digest(boolean wanted) {
        this.digest = wanted;
        return this;
    }

    /** What one message may use. {@link Limits#DEFAULT} by default. */
    public CodecBuilder<T> limits(Limits chosen) {
        this.limits = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * The codec. Its code is generated now, unless this builder has built one before: they share it.
     *
     * @throws SamewireException {@code misuse} if a class of the type cannot be reached
     */
    public Codec<T> build() {
        return new Codec<>(binding, new Schema(binding.schema()), profile, digest, limits);
    }
}
