package io.samewire.pack;

import io.samewire.core.SamewireException;
import io.samewire.pack.schema.DifferenceFinder;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.CanonicalText;
import io.samewire.pack.schema.SchemaType;
import java.nio.ByteBuffer;

/**
 * A schema: its canonical text, which is the same in every language, and the digest of that text ({@code spec/pack.md}
 * sections 2 and 3).
 */
public final class Schema {
    private final SchemaType root;
    private final String text;
    private final long digest;

    Schema(SchemaType root) {
        this.root = root;
        this.text = CanonicalText.print(root);
        this.digest = CanonicalText.digest(text);
    }

    /**
     * Parses schema text. White space and the order of members and symbols do not matter.
     *
     * @throws SamewireException {@code malformed}, {@code limit_size}, {@code limit_depth} or {@code limit_items}, with
     *     the offset in bytes
     */
    public static Schema parse(String text) {
        return new Schema(SchemaParser.parse(text));
    }

    /** Returns the canonical text. */
    public String text() {
        return text;
    }

    /**
     * Returns the canonical text with what a reader's type says besides: {@code @default} and {@code @alias(…)}.
     */
    public String annotated() {
        return CanonicalText.annotated(root);
    }

    /** Returns the digest, 8 bytes. */
    public byte[] digest() {
        return ByteBuffer.allocate(Long.BYTES).putLong(digest).array();
    }

    /**
     * Returns the first place, in this schema's order, where {@code other} differs; null if their texts are equal.
     * Schemas that differ may still resolve: see {@link Codec#resolve(String)}.
     */
    public Difference difference(Schema other) {
        return DifferenceFinder.between(root, other.root);
    }

    SchemaType root() {
        return root;
    }

    /** Returns the digest as a big-endian number. */
    long digestBits() {
        return digest;
    }

    /** Returns whether both have the same canonical text. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && text.equals(schema.text);
    }

    /** Agrees with {@link #equals(Object)}. */
    @Override
    public int hashCode() {
        return Long.hashCode(digest);
    }

    /** Returns the canonical text. */
    @Override
    public String toString() {
        return text;
    }
}
