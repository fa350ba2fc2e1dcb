package io.samewire.redis.command;

/** The type of an integer within a string: {@code IntegerType.unsigned(8)}. */
@CheckReturnValue
public final class IntegerType {
    final Object word;

    private IntegerType(String word) {
        this.word = word;
    }

    /**
     * Returns an unsigned type of 1 to 63 bits.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} for another number of bits
     */
    public static IntegerType unsigned(int bits) {
        return new IntegerType("u" + checked(bits, 63));
    }

    /**
     * Returns a signed type of 1 to 64 bits.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} for another number of bits
     */
    public static IntegerType signed(int bits) {
        return new IntegerType("i" + checked(bits, 64));
    }

    private static int checked(int bits, int most) {
        if (bits < 1 || bits > most) {
            throw Words.misuse("expected 1 to " + most + " bits, found " + bits);
        }
        return bits;
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
