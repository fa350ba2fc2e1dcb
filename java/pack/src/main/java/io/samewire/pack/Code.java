package io.samewire.pack;

import java.util.Locale;

/** The closed list of error codes, the same in every language ({@code spec/errors.md}). */
public enum Code {
    /** The bytes or the schema text break the format's rules. */
    MALFORMED,
    /** The bytes end too early; the offset is how many there were. */
    TRUNCATED,
    /** The value ended and bytes are left. */
    TRAILING,
    /** Nested deeper than {@link Limits#depth()}. */
    LIMIT_DEPTH,
    /** Larger than {@link Limits#frameBytes()}, {@link Limits#textBytes()} or a size fixed by the format. */
    LIMIT_SIZE,
    /** More elements than {@link Limits#items()}. */
    LIMIT_ITEMS,
    /** Text that is not well-formed: a lone surrogate. */
    BAD_UTF8,
    /** A number not in its shortest form, or out of its type's range. */
    BAD_NUMBER,
    /** A native value does not fit its declared type, or the declared native type cannot hold what came. */
    TYPE_MISMATCH,
    /** The two sides' schemas differ and cannot be resolved. */
    SCHEMA_MISMATCH,
    /** A version, type or feature that this implementation does not have. */
    UNSUPPORTED,
    /** The library was called in a way that its documentation forbids. */
    MISUSE,
    /** The other side, or this object, is gone. */
    CLOSED,
    /** The time allowed ran out. */
    TIMEOUT;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** The code as the specification and the vectors write it, like {@code bad_number}. */
    @Override
    public String toString() {
        return text;
    }
}
