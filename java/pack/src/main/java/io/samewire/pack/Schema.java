package io.samewire.pack;

import io.samewire.pack.schema.Resolution;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaPrinter;
import io.samewire.pack.schema.SchemaType;
import java.nio.ByteBuffer;

/** A schema: its canonical text, the same in every language, and the digest of it ({@code spec/pack.md} sections 2 and 3). */
public final class Schema {
    private final SchemaType root;
    private final String text;
    private final long digest;

    Schema(SchemaType root) {
        this.root = root;
        this.text = SchemaPrinter.print(root);
        this.digest = SchemaPrinter.digest(text);
    }

    /**
     * Reads schema text; white space and the order of members and symbols are free.
     *
     * @throws PackException {@code malformed}, {@code limit_size}, {@code limit_depth} or {@code limit_items}, with the
     * offset in bytes
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

    /** The path of the first place where {@code other} is not this schema, in the order of this one; null if they are equal. */
    public String firstDifference(Schema other) {
        return Resolution.firstDifference(other.root, root);
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
