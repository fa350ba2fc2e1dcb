package io.samewire.pack.wire;

/** The bytes of varints, all at once. */
final class Varints {
    /** The bits that say of each byte of a word that another one follows. */
    static final long CONTINUED = 0x8080_8080_8080_8080L;

    private Varints() {}

    /** The lowest 56 bits of a number, seven in each byte. */
    static long spread(long value) {
        long x = value & 0x0fff_ffffL | (value & 0xff_ffff_f000_0000L) << 4;
        x = x & 0x3fff_0000_3fffL | (x & 0x0fff_c000_0fff_c000L) << 2;
        return x & 0x7f_007f_007f_007fL | (x & 0x3f80_3f80_3f80_3f80L) << 1;
    }

    /** The number whose lowest 56 bits are seven in each byte of a word; its other bits do not count. */
    static long gather(long word) {
        long x = word & 0x7f_007f_007f_007fL | (word & 0x7f00_7f00_7f00_7f00L) >>> 1;
        x = x & 0x3fff_0000_3fffL | (x & 0x3fff_0000_3fff_0000L) >>> 2;
        return x & 0x0fff_ffffL | (x & 0x0fff_ffff_0000_0000L) >>> 4;
    }

    /** How many bytes the varint of a number takes that is not 0. */
    static int length(long value) {
        return (Long.SIZE + 6 - Long.numberOfLeadingZeros(value)) * 37 >>> 8;
    }
}
