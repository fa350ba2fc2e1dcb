package io.samewire.pack;

/**
 * Writes values of a type that has no schema as one that has: the same bytes as of what they are made into. A class
 * that implements it stands in {@link As}, or is handed to {@link CodecBuilder#converter(Converter)}; its type
 * arguments say which type it writes, and as what: {@code implements Converter<Money, @Unsigned Long>}.
 *
 * <p>Threads share a converter. What {@link #encode} throws is passed on as it is; a {@link
 * io.samewire.core.SamewireException} without a path gets that of the value. What {@link #decode} throws is the cause
 * of a {@code type_mismatch} with the path of the value. It may see any value that an untrusted message holds.
 *
 * @param <T> the values of the program
 * @param <W> what is written: any type of {@link Pack}'s table but {@code Boolean}, {@code Object} and optional ones
 *     ({@code @Nullable @As(...) T} may be null)
 */
public interface Converter<T, W> {
    /** Returns what is written for a value, neither of them null. It may be called again after an error. */
    W encode(T value);

    /** Returns the value of what was read, neither of them null. It may be called again after an error. */
    T decode(W wire);
}
