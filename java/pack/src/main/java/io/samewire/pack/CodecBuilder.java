package io.samewire.pack;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Binding;
import io.samewire.pack.bind.Converters;
import io.samewire.pack.bind.JavaType;
import io.samewire.pack.wire.KeyOrder;
import io.samewire.pack.wire.WrittenDigest;
import java.util.Objects;
import java.util.function.Function;

/**
 * The options of a codec.
 *
 * @param <T> the values of the codec
 */
public final class CodecBuilder<T> {
    private final JavaType type;
    private final Converters converters = new Converters();
    private Binding binding;
    private Profile profile = Profile.COMPACT;
    private KeyOrder keyOrder = KeyOrder.UNORDERED_MAPS;
    private boolean digest;
    private boolean check = true;
    private boolean digestRequired;
    private Limits limits = Limits.DEFAULT;

    CodecBuilder(JavaType type) {
        this.type = type;
    }

    /** Sets how messages are written. Either is read. The default is {@link Profile#COMPACT}. */
    public CodecBuilder<T> profile(Profile chosen) {
        this.profile = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * Sets whether all maps are written in ascending order of their keys (true), or none (false). If it is not called,
     * those are that have no order, so that equal maps have equal bytes: {@link java.util.HashMap} and its subclasses
     * but {@link java.util.LinkedHashMap}, what {@link java.util.Map#of Map.of} and {@link java.util.Map#copyOf
     * Map.copyOf} return, {@link java.util.concurrent.ConcurrentHashMap}, {@link java.util.Hashtable}, {@link
     * java.util.IdentityHashMap}, {@link java.util.WeakHashMap}, views of these by {@link
     * java.util.Collections#unmodifiableMap Collections.unmodifiableMap} and its like, and Scala's maps but {@code
     * SeqMap} and {@code SortedMap}. All other maps keep the order of their iteration.
     *
     * <p>The order of keys is that of sets ({@code spec/pack.md} section 8). False saves the time of sorting, which
     * may be several times that of writing, if messages are not compared. Readers accept any order.
     */
    public CodecBuilder<T> sortKeys(boolean wanted) {
        this.keyOrder = wanted ? KeyOrder.ALL_MAPS : KeyOrder.NO_MAPS;
        return this;
    }

    /**
     * Sets whether messages carry the digest of their schema, 8 bytes. The default is false. A digest that a message
     * carries is always compared.
     *
     * <p>It names the schema, so that a reader finds the writer's, and refuses every other one. Turn it on wherever
     * types change, and where messages are kept. Messages without it carry the {@linkplain #check check}.
     */
    public CodecBuilder<T> digest(boolean wanted) {
        this.digest = wanted;
        return this;
    }

    /**
     * Sets whether messages that carry no digest carry a check instead: the first 2 bytes of the digest of their
     * schema. The default is true. A check that a message carries is always compared: a reader of another schema
     * refuses the message with {@code schema_mismatch} at 1. Of two schemas one pair in 65,536 has one check.
     *
     * <p>Without check and digest nothing in a message says which schema it is of: a reader whose type has changed
     * reads other values without an error, say two fields of one type that have changed places. Turn it off only where
     * something around the messages says which schema they are of.
     */
    public CodecBuilder<T> check(boolean wanted) {
        this.check = wanted;
        return this;
    }

    /**
     * Sets whether messages without a digest are refused, also those with a check: {@code schema_mismatch} at 0. The
     * default is false.
     */
    public CodecBuilder<T> requireDigest(boolean wanted) {
        this.digestRequired = wanted;
        return this;
    }

    /** Sets the limits of one message, read or written. The default is {@link Limits#DEFAULT}. */
    public CodecBuilder<T> limits(Limits chosen) {
        this.limits = Objects.requireNonNull(chosen);
        return this;
    }

    /**
     * Writes a type by a converter wherever it stands, unless {@link As} says otherwise there. The converter's class
     * says which type: {@code class MoneyText implements Converter<Money, String>}.
     *
     * @throws SamewireException {@code misuse} if it does not, as a lambda or a generic class
     */
    public CodecBuilder<T> converter(Converter<?, ?> converter) {
        converters.add(Objects.requireNonNull(converter));
        binding = null;
        return this;
    }

    /**
     * Writes a class as another by two functions wherever it stands, unless {@link As} says otherwise there: {@code
     * .converter(Money.class, String.class, Money::text, Money::parse)}. {@link Converter} says what they may do.
     *
     * @throws SamewireException {@code misuse} for a class with type parameters: it takes a {@link Converter}
     */
    public <V, W> CodecBuilder<T> converter(Class<V> valueType, Class<W> wire, Function<? super V, ? extends W> encode,
        Function<? super W, ? extends V> decode) {
        converters.add(valueType, wire, new Functions<V, W>(Objects.requireNonNull(encode),
            Objects.requireNonNull(decode)));
        binding = null;
        return this;
    }

    private record Functions<V, W>(Function<? super V, ? extends W> encoding, Function<? super W, ? extends V> decoding)
        implements Converter<V, W> {
        @Override
        public W encode(V value) {
            return encoding.apply(value);
        }

        @Override
        public V decode(W wire) {
            return decoding.apply(wire);
        }
    }

    /**
     * Returns a codec. Codecs of one builder share their generated code, which the first call generates.
     *
     * @throws SamewireException {@code unsupported} if a class has no type in the format; {@code misuse} if the type
     *     has no schema for another reason, like a set of doubles, or if one of its classes is not accessible; {@code
     *     limit_depth}, {@code limit_size} or {@code limit_items} at 0 if its schema exceeds the limits of schemas
     *     ({@code spec/limits.md})
     */
    public Codec<T> build() {
        if (binding == null) {
            binding = new Binding(type, converters);
        }
        WrittenDigest written = digest ? WrittenDigest.WHOLE : check ? WrittenDigest.CHECK : WrittenDigest.NONE;
        Digests digests = new Digests(written, digestRequired);
        return new Codec<>(binding, new Schema(binding.schema()), profile, keyOrder, digests, limits);
    }
}
