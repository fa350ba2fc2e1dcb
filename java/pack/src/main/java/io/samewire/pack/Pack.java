package io.samewire.pack;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.JavaType;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.DynamicProgram;
import io.samewire.pack.wire.Header;
import io.samewire.pack.wire.MessageRules;
import java.lang.reflect.AnnotatedType;
import java.util.Optional;

/**
 * Creates codecs. Java types are mapped to types of the schema:
 *
 * <table>
 * <caption>Types</caption>
 * <tr><th>Java</th><th>schema</th></tr>
 * <tr><td>{@code boolean byte short int long float double}, boxed or not</td><td>{@code bool i8 i16 i32 i64 f32
 * f64}</td></tr>
 * <tr><td>{@link Unsigned} {@code byte short int long}, boxed or not</td><td>{@code u8 u16 u32 u64}</td></tr>
 * <tr><td>{@code String}, {@code byte[]}, {@code UUID}</td><td>{@code string}, {@code bytes}, {@code uuid}</td></tr>
 * <tr><td>{@code BigInteger}, {@code BigDecimal}</td><td>{@code bigint}, {@code decimal}</td></tr>
 * <tr><td>{@code LocalDate LocalTime Instant Duration}</td><td>{@code date time timestamp duration}</td></tr>
 * <tr><td>{@code char}, boxed or not, {@code char[]}, {@code URI}</td><td>{@code string}</td></tr>
 * <tr><td>{@code OffsetDateTime} in UTC, {@code java.util.Date}</td><td>{@code timestamp}</td></tr>
 * <tr><td>an enum</td><td>{@code enum}</td></tr>
 * <tr><td>{@link Nullable} {@code T}, {@code Optional<T>}, {@code OptionalInt} and its like</td><td>{@code
 * option<T>}</td></tr>
 * <tr><td>{@code List}, other collections, arrays; {@code int[]}, {@code double[]} and their like</td>
 * <td>{@code list<T>}</td></tr>
 * <tr><td>{@code Set}, {@code Map} and their implementations</td><td>{@code set<K>}, {@code map<K, V>}</td></tr>
 * <tr><td>a record; a class by its constructor or its fields</td><td>{@code struct}</td></tr>
 * <tr><td>{@link Tuple} record</td><td>{@code tuple<…>}</td></tr>
 * <tr><td>a sealed interface or abstract class</td><td>{@code union}</td></tr>
 * <tr><td>{@link Shared} {@code S}</td><td>{@code ref<S>}</td></tr>
 * <tr><td>{@code Object}; see {@link NumericArray} for arrays in it; keys of a map in it are all strings or all
 * integers of 64 bits</td>
 * <td>{@code any}</td></tr>
 * </table>
 *
 * <p>A class without a type here, or one that should have another, is written by a {@link Converter}, which {@link As}
 * names or {@link CodecBuilder#converter(Converter)} takes. An {@code OffsetDateTime} with another offset, which a
 * timestamp would lose, is refused with {@code type_mismatch}. A {@code Date} is written and read to the millisecond,
 * and a timestamp that is finer is refused. Any annotation on a type whose simple name is {@code Nullable}, like
 * JSpecify's, means what {@link Nullable} does.
 *
 * <p>Of a class of Kotlin's, the properties in its primary constructor are the fields; types with a question mark may
 * be null, and parameters with defaults have those; {@code UInt} and its like are unsigned.
 * Case classes of Scala's have their parameters as fields; see {@link Erased} and {@link Members}.
 *
 * <p>A struct or enum has the simple name of its class unless there is a {@link Name}. A generic record that stands in
 * a codec with several sets of type arguments has them in its name: {@code Page<String>} and {@code Page<Long>} are
 * {@code Page_string} and {@code Page_i64}.
 * Interfaces are read as {@code ArrayList}, {@code LinkedHashSet}, {@code LinkedHashMap} ({@code TreeSet}, {@code
 * TreeMap} where sorted).
 */
public final class Pack {
    private Pack() {}

    /**
     * Returns a codec with the default options. This takes some milliseconds: create a codec once and keep it.
     *
     * @throws SamewireException {@code unsupported} if a class has no type in the format; {@code misuse} if the type
     *     has no schema for another reason, like a set of doubles; {@code limit_depth}, {@code limit_size} or {@code
     *     limit_items} at 0 if its schema exceeds the limits of schemas ({@code spec/limits.md})
     */
    public static <T> Codec<T> codec(Class<T> type) {
        return builder(type).build();
    }

    /**
     * Returns a codec with the default options for a type with type arguments or annotations.
     *
     * @throws SamewireException {@code unsupported} if a class has no type in the format; {@code misuse} if the type
     *     has no schema for another reason, like a set of doubles; {@code limit_depth}, {@code limit_size} or {@code
     *     limit_items} at 0 if its schema exceeds the limits of schemas ({@code spec/limits.md})
     */
    public static <T> Codec<T> codec(TypeRef<T> type) {
        return builder(type).build();
    }

    /**
     * Returns a builder of codecs.
     *
     * @throws SamewireException {@code misuse} for a type with open type parameters
     */
    public static <T> CodecBuilder<T> builder(Class<T> type) {
        return new CodecBuilder<>(JavaType.of(type));
    }

    /**
     * Returns a builder of codecs for a type with type arguments or annotations.
     *
     * @throws SamewireException {@code misuse} for a type with open type parameters
     */
    public static <T> CodecBuilder<T> builder(TypeRef<T> type) {
        return new CodecBuilder<>(JavaType.of(type.type()));
    }

    /**
     * Returns a builder of codecs for a type as it is declared somewhere, like that of a parameter.
     *
     * @throws SamewireException {@code misuse} for a type with type variables
     */
    public static CodecBuilder<Object> builder(AnnotatedType type) {
        return new CodecBuilder<>(JavaType.of(type));
    }

    /**
     * Returns the digest of the schema that a message was written with, 8 bytes, or empty if the message carries none:
     * what {@link Schema#digest()} is for that schema. Only the message's first nine bytes are looked at.
     *
     * @throws SamewireException {@code truncated} for a message that ends before the digest does, {@code unsupported}
     *     for one of another version
     */
    public static Optional<byte[]> digestOf(byte[] message) {
        return Optional.ofNullable(Header.digestOf(message));
    }

    /**
     * Returns a decoder for a schema that has no Java types: structs become maps of their fields in order, tuples
     * lists, symbols of enums texts, unsigned integers the next wider type, lists, sets and maps {@code ArrayList},
     * {@code LinkedHashSet} and {@code LinkedHashMap}. It is slower than a codec, which needs no look at a schema.
     *
     * @throws SamewireException as {@link Schema#parse(String)}
     */
    public static Decoder<Object> decoder(String schema, Limits limits) {
        Schema parsed = Schema.parse(schema);
        SchemaType root = parsed.root();
        SchemaFacts facts = new SchemaFacts(root);
        Cells cells = new Cells(root, facts);
        return new Decoder<>(new DynamicProgram(root, facts, cells), null,
            new MessageRules(root, root, facts, cells, parsed.digestBits(), limits), parsed, false);
    }
}
