package io.samewire.redis.command;

/** Where an integer is within a string: at a bit, or at a multiple of its own length. */
@CheckReturnValue
public final class BitOffset {
    final Object word;

    private BitOffset(Object word) {
        this.word = word;
    }

    /**
     * Returns the offset of a bit.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is negative
     */
    public static BitOffset bit(long offset) {
        return new BitOffset(checked(offset));
    }

    /**
     * Returns the offset of the integer with this index, from 0, if the string is an array of integers of its type.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is negative
     */
    public static BitOffset index(long index) {
        return new BitOffset("#" + checked(index));
    }

    private static long checked(long offset) {
        if (offset < 0) {
            throw Words.misuse("expected an offset of at least 0, found " + offset);
        }
        return offset;
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
