package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.wire.AnyReader;
import io.samewire.pack.wire.AnyWriter;
import io.samewire.pack.wire.BigNumbers;
import io.samewire.pack.wire.Boxing;
import io.samewire.pack.wire.Times;
import io.samewire.pack.wire.NumericRows;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Widening;
import io.samewire.pack.wire.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import org.objectweb.asm.Opcodes;

/** The calls that write and read scalars and numeric rows. */
final class ScalarCode {
    private ScalarCode() {}

    /**
     * How much room the writer must have for a value of that kind before {@link #write}; 0 where it makes its own
     * because a value can take any number of bytes.
     */
    static int room(Kind kind) {
        return switch (kind) {
            case BOOL, I8, U8 -> 1;
            case I16, U16, I32, U32, I64, U64, DATE, TIME -> Writer.MOST_VARINT;
            case TIMESTAMP, DURATION -> 2 * Writer.MOST_VARINT;
            case F32 -> Float.BYTES;
            case F64 -> Double.BYTES;
            case UUID -> 2 * Long.BYTES;
            case STRING -> Writer.MOST_TOKEN;
            case BYTES, ANY, BIGINT, DECIMAL -> 0;
        };
    }

    /**
     * Writes the value on top of the stack with the writer below it, in which there is {@link #room}; unboxes it if its
     * class is a box.
     */
    static void write(Body body, CompiledScalar compiled, SchemaFacts facts) {
        Kind kind = compiled.kind();
        Class<?> primitive = Body.primitiveOf(compiled.raw);
        if (primitive != compiled.raw) {
            body.unbox(primitive);
        }
        switch (kind) {
            case BOOL, I8, U8 -> body.call(Writer.class, "putU8", void.class, int.class);
            case U16 -> body.call(Writer.class, "putU16", void.class, short.class);
            case I16, I32 -> body.call(Writer.class, "putI32", void.class, int.class);
            case U32 -> body.call(Writer.class, "putU32", void.class, int.class);
            case I64 -> body.call(Writer.class, "putI64", void.class, long.class);
            case U64 -> body.call(Writer.class, "putU64", void.class, long.class);
            case F32 -> body.call(Writer.class, "putF32", void.class, float.class);
            case F64 -> body.call(Writer.class, "putF64", void.class, double.class);
            case BYTES -> body.call(Writer.class, "bytes", void.class, byte[].class);
            case STRING -> {
                body.push(facts.dedupSlot(compiled.type));
                body.call(Writer.class, "text", int.class, String.class, int.class);
                body.op(Opcodes.POP);
            }
            case ANY -> {
                body.push(facts.dedupSlot(compiled.type));
                body.callStatic(AnyWriter.class, "write", void.class, Writer.class, Object.class, int.class);
            }
            case BIGINT -> body.callStatic(BigNumbers.class, "writeBigint", void.class, Writer.class, BigInteger.class);
            case DECIMAL -> body.callStatic(BigNumbers.class, "writeDecimal", void.class, Writer.class,
                BigDecimal.class);
            case UUID -> body.callStatic(BigNumbers.class, "writeUuid", void.class, Writer.class, UUID.class);
            case DATE -> body.callStatic(Times.class, "writeDate", void.class, Writer.class, LocalDate.class);
            case TIME -> body.callStatic(Times.class, "writeTime", void.class, Writer.class, LocalTime.class);
            case TIMESTAMP -> body.callStatic(Times.class, "writeInstant", void.class, Writer.class, Instant.class);
            case DURATION -> body.callStatic(Times.class, "writeDuration", void.class, Writer.class, Duration.class);
        }
    }

    /** Reads a scalar with the reader on top of the stack; leaves the primitive or object of {@link #natural}. */
    static void read(Body body, Kind kind) {
        Class<?> got = natural(kind);
        switch (kind) {
            case BOOL -> body.call(Reader.class, "bool", got);
            case I8, U8 -> body.call(Reader.class, "u8", got);
            case I16, U16, I32, U32, I64, U64, F32, F64, BYTES -> body.call(Reader.class, kind.word(), got);
            case STRING -> body.call(Reader.class, "text", got);
            case ANY -> body.callStatic(AnyReader.class, "read", got, Reader.class);
            case BIGINT -> body.callStatic(BigNumbers.class, "readBigint", got, Reader.class);
            case DECIMAL -> body.callStatic(BigNumbers.class, "readDecimal", got, Reader.class);
            case UUID -> body.callStatic(BigNumbers.class, "readUuid", got, Reader.class);
            case DATE -> body.callStatic(Times.class, "readDate", got, Reader.class);
            case TIME -> body.callStatic(Times.class, "readTime", got, Reader.class);
            case TIMESTAMP -> body.callStatic(Times.class, "readInstant", got, Reader.class);
            case DURATION -> body.callStatic(Times.class, "readDuration", got, Reader.class);
        }
    }

    /** The class in which a kind is read. */
    static Class<?> natural(Kind kind) {
        return switch (kind) {
            case BOOL -> boolean.class;
            case I8, U8 -> byte.class;
            case I16, U16 -> short.class;
            case I32, U32 -> int.class;
            case I64, U64 -> long.class;
            case F32 -> float.class;
            case F64 -> double.class;
            case BIGINT -> BigInteger.class;
            case DECIMAL -> BigDecimal.class;
            case STRING -> String.class;
            case BYTES -> byte[].class;
            case UUID -> UUID.class;
            case DATE -> LocalDate.class;
            case TIME -> LocalTime.class;
            case TIMESTAMP -> Instant.class;
            case DURATION -> Duration.class;
            case ANY -> Object.class;
        };
    }

    /** Turns what {@link #read} left of the kind {@code from} into that of the kind {@code to} (section 13). */
    static void widen(Body body, Kind from, Kind to) {
        if (from == to) {
            return;
        }
        if (to == Kind.F64 || to == Kind.F32) {
            toFloat(body, from, to);
            return;
        }
        boolean wide = natural(from) == long.class;
        if (!wide) {
            if (!from.isSigned()) {
                mask(body, from);
            }
            if (natural(to) == int.class || natural(to) == short.class) {
                return;
            }
            if (from != Kind.U32) {
                body.op(Opcodes.I2L);
            }
        }
        if (to == Kind.BIGINT) {
            if (from == Kind.U64) {
                body.callStatic(Boxing.class, "unsigned", BigInteger.class, long.class);
            } else {
                body.callStatic(BigInteger.class, "valueOf", BigInteger.class, long.class);
            }
        }
    }

    private static void toFloat(Body body, Kind from, Kind to) {
        if (from == Kind.F32) {
            body.op(Opcodes.F2D);
            return;
        }
        boolean wide = natural(from) == long.class || from == Kind.U32;
        if (!from.isSigned() && from != Kind.U64) {
            mask(body, from);
        }
        if (!Widening.isInexact(from, to)) {
            if (to == Kind.F64) {
                body.op(wide ? Opcodes.L2D : Opcodes.I2D);
            } else {
                body.op(Opcodes.I2F);
            }
            return;
        }
        if (!wide) {
            body.op(Opcodes.I2L);
        }
        body.push(from == Kind.U64 ? 1 : 0);
        Class<?> made = natural(to);
        body.callStatic(Widening.class, to == Kind.F64 ? "exactDouble" : "exactFloat", made, long.class, boolean.class);
    }

    /** Unsigned bits to the int, or for {@code u32} the long, of their value. */
    private static void mask(Body body, Kind from) {
        switch (from) {
            case U8 -> {
                body.push(0xff);
                body.op(Opcodes.IAND);
            }
            case U16 -> {
                body.push(0xffff);
                body.op(Opcodes.IAND);
            }
            default -> {
                body.op(Opcodes.I2L);
                body.code.visitLdcInsn(0xffffffffL);
                body.op(Opcodes.LAND);
            }
        }
    }

    private static Class<?> array(Kind kind) {
        return natural(kind).arrayType();
    }

    private static String topic(Kind kind) {
        return switch (kind) {
            case I8, U8 -> "Bytes";
            case I16, U16 -> "Shorts";
            case I32, U32 -> "Ints";
            case I64, U64 -> "Longs";
            case F32 -> "Floats";
            default -> "Doubles";
        };
    }

    private static boolean saysSign(Kind kind) {
        return kind.isInteger() && kind.bits() > 8;
    }

    /** Writes the array of primitives on top of the stack with the writer below it. */
    static void writeRow(Body body, Kind kind) {
        if (saysSign(kind)) {
            body.push(kind.isSigned() ? 1 : 0);
            body.callStatic(NumericRows.class, "write" + topic(kind), void.class, Writer.class, array(kind),
                boolean.class);
        } else {
            body.callStatic(NumericRows.class, "write" + topic(kind), void.class, Writer.class, array(kind));
        }
    }

    /** Reads a row with the count on top of the stack and the reader below it; leaves an array of primitives. */
    static void readRow(Body body, Kind kind) {
        if (saysSign(kind)) {
            body.push(kind.isSigned() ? 1 : 0);
            body.callStatic(NumericRows.class, "read" + topic(kind), array(kind), Reader.class, int.class,
                boolean.class);
        } else {
            body.callStatic(NumericRows.class, "read" + topic(kind), array(kind), Reader.class, int.class);
        }
    }

    /** Turns the array of boxes on top of the stack into one of primitives. */
    static void unboxRow(Body body, Kind kind) {
        String name = natural(kind).getName() + "s";
        body.callStatic(Boxing.class, name, array(kind), Object[].class);
    }
}
