package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.wire.BytesColumn;
import io.samewire.pack.wire.DateColumn;
import io.samewire.pack.wire.DoubleColumns;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.RawColumns;
import io.samewire.pack.wire.TextColumn;
import io.samewire.pack.wire.TimeColumn;
import io.samewire.pack.wire.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * The code that collects the values of one column in locals, one by one, and then writes them. Numbers go to arrays of
 * the writer's scratch. Objects go to new arrays, not to such that are kept: to store a reference in an old array costs
 * the collector's barrier.
 */
abstract class ColumnWriter {
    /** Makes room for as many values as the local {@code m} says. */
    abstract void begin(Body body, int m);

    /** Takes the value that {@code load} pushes once, in the class of the column's type, as number {@code index}. */
    abstract void take(Body body, Push load, int index);

    /** Writes the column of {@code m} values. */
    abstract void write(Body body, int m);

    private static void longs(Body body, int m, int local) {
        body.aload(0);
        body.iload(m);
        body.call(Writer.class, "longs", long[].class, int.class);
        body.store(long[].class, local);
    }

    /** Pushes what {@code load} pushes, unboxed if its class is a box. */
    private static void unboxed(Body body, Push load, Class<?> raw) {
        load.push(body);
        Class<?> primitive = Body.primitiveOf(raw);
        if (primitive != raw) {
            body.unbox(primitive);
        }
    }

    /** Bools. */
    private static final class Bools extends ColumnWriter {
        private final Class<?> raw;
        private int bits;

        Bools(Class<?> raw) {
            this.raw = raw;
        }

        @Override
        void begin(Body body, int m) {
            bits = beginBits(body, m);
        }

        @Override
        void take(Body body, Push load, int index) {
            Label no = body.label();
            unboxed(body, load, raw);
            body.jump(Opcodes.IFEQ, no);
            setBit(body, bits, index);
            body.mark(no);
        }

        @Override
        void write(Body body, int m) {
            writeBits(body, bits, m);
        }
    }

    private static int beginBits(Body body, int m) {
        int bits = body.local(long[].class);
        body.aload(0);
        body.iload(m);
        body.callStatic(RawColumns.class, "bits", long[].class, Writer.class, int.class);
        body.store(long[].class, bits);
        return bits;
    }

    private static void setBit(Body body, int bits, int index) {
        body.aload(bits);
        body.iload(index);
        body.callStatic(RawColumns.class, "set", void.class, long[].class, int.class);
    }

    private static void writeBits(Body body, int bits, int m) {
        body.aload(0);
        body.aload(bits);
        body.iload(m);
        body.callStatic(RawColumns.class, "writeBits", void.class, Writer.class, long[].class, int.class);
    }

    /** Scalars that are collected as one long each. */
    private static final class Numbers extends ColumnWriter {
        private final Kind kind;
        private final Class<?> raw;
        private int array;

        Numbers(CompiledScalar compiled) {
            this.kind = compiled.kind();
            this.raw = compiled.raw;
        }

        @Override
        void begin(Body body, int m) {
            array = body.local(long[].class);
            longs(body, m, array);
        }

        @Override
        void take(Body body, Push load, int index) {
            body.aload(array);
            body.iload(index);
            unboxed(body, load, raw);
            switch (kind) {
                case I8, I16, I32 -> body.op(Opcodes.I2L);
                case U8, U16 -> {
                    body.push(kind == Kind.U8 ? 0xff : 0xffff);
                    body.op(Opcodes.IAND);
                    body.op(Opcodes.I2L);
                }
                case U32 -> {
                    body.op(Opcodes.I2L);
                    body.code.visitLdcInsn(0xffff_ffffL);
                    body.op(Opcodes.LAND);
                }
                case F32 -> {
                    body.callStatic(Float.class, "floatToRawIntBits", int.class, float.class);
                    body.op(Opcodes.I2L);
                }
                case F64 -> body.callStatic(Double.class, "doubleToRawLongBits", long.class, double.class);
                case DATE -> body.callStatic(DateColumn.class, "parts", long.class, LocalDate.class);
                case TIME -> body.call(LocalTime.class, "toNanoOfDay", long.class);
                default -> { }
            }
            body.op(Opcodes.LASTORE);
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(array);
            body.iload(m);
            switch (kind) {
                case F64 -> body.callStatic(DoubleColumns.class, "write", void.class, Writer.class, long[].class,
                    int.class);
                case F32 -> body.callStatic(RawColumns.class, "writeSingles", void.class, Writer.class, long[].class,
                    int.class);
                case DATE -> body.callStatic(DateColumn.class, "write", void.class, Writer.class, long[].class,
                    int.class);
                case TIME -> integers(body, Long.SIZE, false);
                default -> integers(body, kind.bits(), kind.isSigned());
            }
        }
    }

    private static void integers(Body body, int bits, boolean signed) {
        body.push(bits);
        body.push(signed ? 1 : 0);
        body.callStatic(IntegerColumns.class, "write", void.class, Writer.class, long[].class, int.class, int.class,
            boolean.class);
    }

    /** Enums, by the indices of their symbols. */
    private static final class Symbols extends ColumnWriter {
        private final ProgramBuilder program;
        private final int[] indices;
        private int array;

        Symbols(ProgramBuilder program, int[] indices) {
            this.program = program;
            this.indices = indices;
        }

        @Override
        void begin(Body body, int m) {
            array = body.local(long[].class);
            longs(body, m, array);
        }

        @Override
        void take(Body body, Push load, int index) {
            body.aload(array);
            body.iload(index);
            program.constant(body, indices, int[].class);
            load.push(body);
            body.cast(Enum.class);
            body.call(Enum.class, "ordinal", int.class);
            body.op(Opcodes.IALOAD);
            body.op(Opcodes.I2L);
            body.op(Opcodes.LASTORE);
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(array);
            body.iload(m);
            integers(body, Integer.SIZE, false);
        }
    }

    /** Instants and durations, as seconds and nanoseconds. */
    private static final class TimesOf extends ColumnWriter {
        private final Class<?> type;
        private int seconds;
        private int nanoseconds;

        TimesOf(Class<?> type) {
            this.type = type;
        }

        @Override
        void begin(Body body, int m) {
            seconds = body.local(long[].class);
            longs(body, m, seconds);
            nanoseconds = body.local(long[].class);
            longs(body, m, nanoseconds);
        }

        @Override
        void take(Body body, Push load, int index) {
            body.aload(seconds);
            body.aload(nanoseconds);
            body.iload(index);
            load.push(body);
            body.callStatic(TimeColumn.class, "put", void.class, long[].class, long[].class, int.class, type);
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(seconds);
            body.aload(nanoseconds);
            body.iload(m);
            body.callStatic(TimeColumn.class, type == Instant.class ? "writeInstants" : "writeDurations", void.class,
                Writer.class, long[].class, long[].class, int.class);
        }
    }

    /** UUIDs, as two halves each. */
    private static final class Uuids extends ColumnWriter {
        private int halves;

        @Override
        void begin(Body body, int m) {
            halves = body.local(long[].class);
            body.aload(0);
            body.iload(m);
            body.callStatic(RawColumns.class, "halves", long[].class, Writer.class, int.class);
            body.store(long[].class, halves);
        }

        @Override
        void take(Body body, Push load, int index) {
            body.aload(halves);
            body.iload(index);
            load.push(body);
            body.callStatic(RawColumns.class, "put", void.class, long[].class, int.class, UUID.class);
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(halves);
            body.iload(m);
            body.callStatic(RawColumns.class, "writeUuids", void.class, Writer.class, long[].class, int.class);
        }
    }

    /** Values that are collected as objects. */
    private abstract static class Collected extends ColumnWriter {
        private final Class<?> array;
        int objects;

        Collected(Class<?> array) {
            this.array = array;
        }

        @Override
        final void begin(Body body, int m) {
            objects = body.local(array);
            body.iload(m);
            body.code.visitTypeInsn(Opcodes.ANEWARRAY, org.objectweb.asm.Type.getInternalName(
                array.getComponentType()));
            body.store(array, objects);
        }

        @Override
        final void take(Body body, Push load, int index) {
            body.aload(objects);
            body.iload(index);
            load.push(body);
            body.op(Opcodes.AASTORE);
        }
    }

    /** Texts. */
    private static final class Texts extends Collected {
        private final int dedupSlot;

        Texts(int dedupSlot) {
            super(String[].class);
            this.dedupSlot = dedupSlot;
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(objects);
            body.iload(m);
            body.push(dedupSlot);
            body.callStatic(TextColumn.class, "write", void.class, Writer.class, String[].class, int.class, int.class);
        }
    }

    /** Arrays of bytes. */
    private static final class Bytes extends Collected {
        Bytes() {
            super(Object[].class);
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.aload(objects);
            body.iload(m);
            body.callStatic(BytesColumn.class, "write", void.class, Writer.class, Object[].class, int.class);
        }
    }

    /** Objects that a method writes, as other columns or in slots. */
    static final class Objects extends Collected {
        private final ProgramBuilder program;
        private final String method;

        Objects(ProgramBuilder program, String method) {
            super(Object[].class);
            this.program = program;
            this.method = method;
        }

        @Override
        void write(Body body, int m) {
            body.aload(0);
            body.iload(m);
            body.aload(objects);
            program.call(body, method, void.class, Writer.class, int.class, Object[].class);
        }
    }

    /** Options: bits, and a column of what is present. */
    static final class Options extends ColumnWriter {
        private final WriteCode rows;
        private final ColumnWriter column;
        private final CompiledOption compiled;
        private final Class<?> type;
        private final int cells;
        private int bits;
        private int next;

        /** Options whose values take that many cells beside their slots. */
        Options(WriteCode rows, ColumnWriter column, CompiledOption compiled, Class<?> type, int cells) {
            this.rows = rows;
            this.column = column;
            this.compiled = compiled;
            this.type = type;
            this.cells = cells;
        }

        @Override
        void begin(Body body, int m) {
            bits = beginBits(body, m);
            next = body.local(int.class);
            body.push(0);
            body.istore(next);
            column.begin(body, m);
        }

        @Override
        void take(Body body, Push load, int index) {
            Label absent = body.label();
            int local = body.local(type);
            load.push(body);
            body.store(type, local);
            Push value = new Push.Local(type, local);
            rows.present(body, compiled, value, absent);
            setBit(body, bits, index);
            column.take(body, rows.content(compiled, value), next);
            body.code.visitIincInsn(next, 1);
            body.mark(absent);
        }

        @Override
        void write(Body body, int m) {
            writeBits(body, bits, m);
            if (cells > 0) {
                body.aload(0);
                body.iload(next);
                body.push(cells);
                body.call(Writer.class, "charge", void.class, int.class, int.class);
            }
            column.write(body, next);
        }
    }

    /** What a converter writes for values. */
    static final class Encoded extends ColumnWriter {
        private final WriteCode rows;
        private final ColumnWriter column;
        private final CompiledConverted compiled;

        Encoded(WriteCode rows, ColumnWriter column, CompiledConverted compiled) {
            this.rows = rows;
            this.column = column;
            this.compiled = compiled;
        }

        @Override
        void begin(Body body, int m) {
            column.begin(body, m);
        }

        @Override
        void take(Body body, Push load, int index) {
            column.take(body, rows.wire(compiled, load), index);
        }

        @Override
        void write(Body body, int m) {
            column.write(body, m);
        }
    }

    /** The column of a scalar; null for those that stand in slots. */
    static ColumnWriter scalar(CompiledScalar compiled, WriteCode rows) {
        return switch (compiled.kind()) {
            case BOOL -> new Bools(compiled.raw);
            case TIMESTAMP -> new TimesOf(Instant.class);
            case DURATION -> new TimesOf(Duration.class);
            case UUID -> new Uuids();
            case STRING -> new Texts(rows.dedupSlot(compiled));
            case BYTES -> new Bytes();
            case BIGINT, DECIMAL, ANY -> null;
            default -> new Numbers(compiled);
        };
    }

    static ColumnWriter symbols(ProgramBuilder program, CompiledEnum compiled) {
        return new Symbols(program, WriteCode.indices(compiled));
    }
}
