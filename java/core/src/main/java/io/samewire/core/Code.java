package io.samewire.core;

import java.util.Locale;

/** The closed list of error codes, the same in every language ({@code spec/errors.md}). */
public enum Code {
    /** The bytes or the schema text break the format's rules. */
    MALFORMED,
    /** The bytes end too early. The offset is their number. */
    TRUNCATED,
    /** Bytes are left after the value. */
    TRAILING,
    /** Nested deeper than {@link Limits#depth()}. */
    LIMIT_DEPTH,
    /** Larger than {@link Limits#frameBytes()}, {@link Limits#textBytes()} or a size fixed by the format. */
    LIMIT_SIZE,
    /** More elements than {@link Limits#items()}, or more memory than {@link Limits#cells()}. */
    LIMIT_ITEMS,
    /** Text with a lone surrogate. */
    BAD_UTF8,
    /** A number not in its shortest form, or out of its type's range. */
    BAD_NUMBER,
    /** A native value does not fit its declared type, or the native type cannot hold the value of the message. */
    TYPE_MISMATCH,
    /** The two sides' schemas differ and cannot be resolved. */
    SCHEMA_MISMATCH,
    /** A version, type or feature that this implementation does not have. */
    UNSUPPORTED,
    /** A call that the documentation forbids. */
    MISUSE,
    /** The peer has gone away, or this object is closed. */
    CLOSED,
    /** A deadline passed. */
    TIMEOUT;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the code as the specification writes it, like {@code bad_number}. */
    @Override
    public String toString() {
        return text;
    }
}
