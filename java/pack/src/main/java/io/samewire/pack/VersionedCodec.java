package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes messages that carry the digest of their schema, and reads those of every schema that a store has. A message of
 * another version of the type is resolved; its decoder is compiled once. Threads may share the codec.
 *
 * @param <T> the values
 */
public final class VersionedCodec<T> {
    /** Decoders that are kept: each is compiled once. A program that meets more schemas compiles some again. */
    private static final int MOST_DECODERS = 256;

    private final Codec<T> codec;
    private final SchemaStore store;
    /** Decoders of other versions by the digests of their schemas, the one that was used longest ago first. */
    private final Map<Long, Decoder<T>> decoders = new LinkedHashMap<>(16, 0.75f, true);
    private volatile boolean kept;

    /** A codec of that one's type, limits and profile. */
    public VersionedCodec(Codec<T> codec, SchemaStore store) {
        this.codec = codec.withDigest();
        this.store = store;
    }

    /** Returns the schema of the messages that it writes. */
    public Schema schema() {
        return codec.schema();
    }

    /**
     * Returns the message, with its digest. The schema is put into the store before the first one.
     *
     * @throws SamewireException as {@link Codec#encode}; and what the store throws
     */
    public byte[] encode(T value) {
        if (!kept) {
            store.put(codec.schema());
            kept = true;
        }
        return codec.encode(value);
    }

    /**
     * Returns the value of one whole message.
     *
     * @throws SamewireException as {@link #decoderFor} and {@link Decoder#decode(byte[])}
     */
    public T decode(byte[] message) {
        return decoderFor(message).decode(message);
    }

    /**
     * Returns the decoder of a message's schema, by the message's first nine bytes.
     *
     * @throws SamewireException {@code schema_mismatch} at 0 for a message without a digest, at 1 for a digest that is
     *     not in the store, with the path if the schemas do not resolve; {@code malformed} for a text in the store that
     *     is not the canonical one of this digest; as {@link Pack#digestOf}; and what the store throws
     */
    public Decoder<T> decoderFor(byte[] message) {
        byte[] digest = Pack.digestOf(message).orElseThrow(() -> new SamewireException(Code.SCHEMA_MISMATCH, 0, "$",
            "the message carries no digest, so its schema is unknown: encode with a digest"));
        long bits = Digests.bits(digest);
        if (bits == codec.schema().digestBits()) {
            return codec;
        }
        synchronized (decoders) {
            Decoder<T> known = decoders.get(bits);
            if (known != null) {
                return known;
            }
        }
        Decoder<T> made = codec.resolve(writer(digest));
        synchronized (decoders) {
            if (decoders.size() >= MOST_DECODERS) {
                decoders.remove(decoders.keySet().iterator().next());
            }
            Decoder<T> other = decoders.putIfAbsent(bits, made);
            return other == null ? made : other;
        }
    }

    private String writer(byte[] digest) {
        String hex = HexFormat.of().formatHex(digest);
        String text = store.get(digest).orElseThrow(() -> new SamewireException(Code.SCHEMA_MISMATCH, 1, "$",
            "no schema of digest " + hex + " is in the store: put its writer's there"));
        Schema writer = Schema.parse(text);
        if (writer.digestBits() != Digests.bits(digest) || !writer.text().equals(text)) {
            throw new SamewireException(Code.MALFORMED, -1, null,
                "the store's text for digest " + hex + " is that of another schema");
        }
        return text;
    }
}
