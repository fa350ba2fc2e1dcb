package io.samewire.pack;

import io.samewire.core.SamewireException;
import io.samewire.pack.schema.DifferenceFinder;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.CanonicalText;
import io.samewire.pack.schema.SchemaType;
import java.nio.ByteBuffer;

/**
 * A schema: its canonical text, the same in every language, and the digest of it ({@code spec/pack.md} sections 2 and
 * 3).
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
     * Reads schema text; white space and the order of members and symbols are free.
     *
     * @throws SamewireException {@code malformed}, {@code limit_size}, {@code limit_depth} or {@code limit_items}, with
     *     the offset in bytes
     */
    public static Schema parse(String text) {
        return new Schema(SchemaParser.parse(text));
    }

    /** The canonical text. */
    public String text() {
        return text;
    }

    /** The 8 bytes of the digest. */
    public byte[] digest() {
        return ByteBuffer.allocate(Long.BYTES).putLong(digest).array();
    }

    /**
     * The first place, in this schema's order, where {@code other} is not the same; null if their texts are equal. Says
     * nothing of whether one resolves to the other, which is {@link Codec#resolve(String)}'s affair.
     */
    public Difference difference(Schema other) {
        return DifferenceFinder.between(root, other.root);
    }

    SchemaType root() {
        return root;
    }

    /** The digest, read as a big-endian number. */
    long digestBits() {
        return digest;
    }

    /** Whether both have the same canonical text. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && text.equals(schema.text);
    }

    /** Agrees with {@link #equals(Object)}. */
    @Override
    public int hashCode() {
        return Long.hashCode(digest);
    }

    /** The canonical text. */
    @Override
    public String toString() {
        return text;
    }
}
