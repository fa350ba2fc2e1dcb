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
    private boolean digestRequired;
    private Limits limits = Limits.DEFAULT;

    CodecBuilder(Binding binding) {
        this.binding = binding;
    }

    /** Sets how messages are written. Either is read. The default is {@link Profile#COMPACT}. */
    public CodecBuilder<T> profile(Profile chosen) {
        this.profile = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * Sets whether messages carry the digest of their schema, 8 bytes. The default is false. A digest that a message
     * carries is always checked.
     *
     * <p>Without it nothing in a message says which schema it is of: a reader whose type has changed reads other values
     * without an error, say two fields of one type that have changed places. Turn it on wherever types change, and
     * where messages are kept.
     */
    public CodecBuilder<T> digest(boolean wanted) {
        this.digest = wanted;
        return this;
    }

    /** Sets whether messages without a digest are refused: {@code schema_mismatch} at 0. The default is false. */
    public CodecBuilder<T> requireDigest(boolean wanted) {
        this.digestRequired = wanted;
        return this;
    }

    /** Sets the limits of one message. The default is {@link Limits#DEFAULT}. */
    public CodecBuilder<T> limits(Limits chosen) {
        this.limits = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * Returns a codec. Codecs of one builder share their generated code, which the first call generates.
     *
     * @throws SamewireException {@code misuse} if a class of the type is not accessible
     */
    public Codec<T> build() {
        return new Codec<>(binding, new Schema(binding.schema()), profile, new Digests(digest, digestRequired), limits);
    }
}
