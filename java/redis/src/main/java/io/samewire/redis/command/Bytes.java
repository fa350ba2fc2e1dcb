package io.samewire.redis.command;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes as an argument of a command, or as part of a reply. Immutable, and equal if the bytes are.
 *
 * <p>A key that is used often is best kept as {@code Bytes}: it is encoded once. As a {@link CharSequence} it has a
 * character for each byte, U+0000 to U+00FF.
 */
public final class Bytes implements CharSequence, Comparable<Bytes> {
    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /** Returns a copy of these bytes. */
    public static Bytes of(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** Returns these bytes without a copy: nobody may change the array any more. */
    public static Bytes wrap(byte[] bytes) {
        return new Bytes(Objects.requireNonNull(bytes));
    }

    /**
     * Returns a text as UTF-8.
     *
     * @throws SamewireException {@code bad_utf8} if it has a lone surrogate
     */
    public static Bytes of(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
            return new Bytes(Arrays.copyOf(encoded.array(), encoded.limit()));
        } catch (CharacterCodingException unpaired) {
            throw new SamewireException(Code.BAD_UTF8, -1, null, "the text has a lone surrogate", unpaired);
        }
    }

    /** Returns an integer in decimal digits. */
    public static Bytes of(long number) {
        return new Bytes(Long.toString(number).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns the array itself. */
    byte[] array() {
        return array;
    }

    /** Returns a copy of the bytes. */
    public byte[] toByteArray() {
        return array.clone();
    }

    /**
     * Returns the text that these bytes are in UTF-8.
     *
     * @throws SamewireException {@code bad_utf8} if they are not valid UTF-8
     */
    public String text() {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(array)).toString();
        } catch (CharacterCodingException invalid) {
            throw new SamewireException(Code.BAD_UTF8, -1, null, "the bytes are not valid UTF-8: take toByteArray()",
                invalid);
        }
    }

    @Override
    public int length() {
        return array.length;
    }

    @Override
    public char charAt(int index) {
        return (char) (array[index] & 0xFF);
    }

    @Override
    public Bytes subSequence(int start, int end) {
        Objects.checkFromToIndex(start, end, array.length);
        return new Bytes(Arrays.copyOfRange(array, start, end));
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    /** Returns a character for each byte (ISO 8859-1), as a {@link CharSequence} must; {@link #text} decodes UTF-8. */
    @Override
    public String toString() {
        return new String(array, StandardCharsets.ISO_8859_1);
    }
}
