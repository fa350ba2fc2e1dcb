package io.samewire.pack.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;

/** Integers of any size, decimals and UUIDs ({@code spec/pack.md} section 8). */
public final class BigNumbers {
    private BigNumbers() {}

    /** {@code bigint}. */
    public static BigInteger readBigint(Reader in) {
        int length = in.length();
        if (length > Header.MOST_BIGINT_BYTES) {
            throw Fault.FAULT;
        }
        int at = in.take(length);
        if (length == 0) {
            return BigInteger.ZERO;
        }
        if (!shortest(in.buf, at, length)) {
            throw Fault.FAULT;
        }
        return new BigInteger(in.buf, at, length);
    }

    /** Whether big-endian two's complement could not be shorter; zero takes no bytes. */
    static boolean shortest(byte[] bytes, int at, int length) {
        return length == 0 || (length == 1 ? bytes[at] != 0 : bytes[at] != bytes[at + 1] >> 7);
    }

    /** {@code decimal}. */
    public static BigDecimal readDecimal(Reader in) {
        int scale = in.i32();
        BigInteger unscaled = readBigint(in);
        // Without an object for the integer beside it, a decimal takes 40 bytes instead of 104.
        return unscaled.bitLength() < Long.SIZE ? BigDecimal.valueOf(unscaled.longValue(), scale)
            : new BigDecimal(unscaled, scale);
    }

    /** {@code uuid}. */
    public static UUID readUuid(Reader in) {
        long high = Long.reverseBytes(in.fixed64());
        return new UUID(high, Long.reverseBytes(in.fixed64()));
    }

    /** {@code bigint}. */
    public static void writeBigint(Writer out, BigInteger value) {
        if (value.signum() == 0) {
            out.u8(0);
            return;
        }
        byte[] bytes = value.toByteArray();
        if (bytes.length > Header.MOST_BIGINT_BYTES) {
            throw Fault.FAULT;
        }
        out.bytes(bytes);
    }

    /** {@code decimal}. */
    public static void writeDecimal(Writer out, BigDecimal value) {
        out.i32(value.scale());
        writeBigint(out, value.unscaledValue());
    }

    /** {@code uuid}. */
    public static void writeUuid(Writer out, UUID value) {
        out.fixed64(Long.reverseBytes(value.getMostSignificantBits()));
        out.fixed64(Long.reverseBytes(value.getLeastSignificantBits()));
    }
}
