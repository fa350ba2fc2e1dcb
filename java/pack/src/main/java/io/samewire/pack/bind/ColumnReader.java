package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.BytesColumn;
import io.samewire.pack.wire.DateColumn;
import io.samewire.pack.wire.DoubleColumns;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.RawColumns;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.TextColumn;
import io.samewire.pack.wire.TimeColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * The code that reads one column into locals, and then pushes its values one by one, in order. Numbers stay in arrays
 * of primitives, and what is copied bytes for bytes stays in the message, until an object is made of them.
 */
abstract class ColumnReader {
    /** Reads a column of as many values as the local {@code m} says, at most once. */
    abstract void read(Body body, int m);

    /** Pushes value number {@code index} (a local), of the reader's class. */
    abstract void push(Body body, int index);

    /** Integers, enums and times of day: an array of longs. */
    private abstract static class Longs extends ColumnReader {
        private int array;

        abstract void call(Body body, int m);

        abstract void convert(Body body);

        @Override
        final void read(Body body, int m) {
            body.aload(0);
            body.iload(m);
            call(body, m);
            array = body.local(long[].class);
            body.store(long[].class, array);
        }

        @Override
        final void push(Body body, int index) {
            body.aload(array);
            body.iload(index);
            body.op(Opcodes.LALOAD);
            convert(body);
        }
    }

    /** Scalars whose column is an array of longs. */
    private static final class Numbers extends Longs {
        private final Kind kind;

        Numbers(Kind kind) {
            this.kind = kind;
        }

        @Override
        void call(Body body, int m) {
            switch (kind) {
                case TIME -> body.callStatic(IntegerColumns.class, "readTimes", long[].class, Reader.class, int.class);
                case F64 -> body.callStatic(DoubleColumns.class, "read", long[].class, Reader.class, int.class);
                default -> {
                    body.push(kind.bits());
                    body.push(kind.isSigned() ? 1 : 0);
                    body.callStatic(IntegerColumns.class, "read", long[].class, Reader.class, int.class, int.class,
                        boolean.class);
                }
            }
        }

        @Override
        void convert(Body body) {
            switch (kind) {
                case TIME -> body.callStatic(LocalTime.class, "ofNanoOfDay", LocalTime.class, long.class);
                case F64 -> body.callStatic(Double.class, "longBitsToDouble", double.class, long.class);
                case I64, U64 -> { }
                default -> {
                    body.op(Opcodes.L2I);
                    if (kind.bits() < Integer.SIZE) {
                        body.op(kind.bits() == Short.SIZE ? Opcodes.I2S : Opcodes.I2B);
                    }
                }
            }
        }
    }

    /** Constants of an enum; those of symbols that the reader lacks are null. */
    private static final class Symbols extends Longs {
        private final ProgramBuilder program;
        private final Object[] constants;
        private final Class<?> type;
        private boolean complete = true;

        Symbols(ProgramBuilder program, SchemaType.EnumOf writer, CompiledEnum reader) {
            this.program = program;
            this.type = program.access.named(reader.raw);
            this.constants = ReadCode.constants(writer, reader);
            for (Object constant : constants) {
                complete &= constant != null;
            }
        }

        @Override
        void call(Body body, int m) {
            body.push(constants.length);
            body.callStatic(IntegerColumns.class, "readIndices", long[].class, Reader.class, int.class, int.class);
        }

        @Override
        void convert(Body body) {
            body.op(Opcodes.L2I);
            program.constant(body, constants, Object[].class);
            body.op(Opcodes.SWAP);
            body.op(Opcodes.AALOAD);
            if (!complete) {
                ReadCode.refuseNull(body);
            }
            body.cast(type);
        }
    }

    /** Values that are pushed by a method of an object that {@code read} of its class returned. */
    private static final class Held extends ColumnReader {
        private final Class<?> holder;
        private final String read;
        private final String get;
        private final Class<?> type;
        private int local;

        Held(Class<?> holder, String read, String get, Class<?> type) {
            this.holder = holder;
            this.read = read;
            this.get = get;
            this.type = type;
        }

        @Override
        void read(Body body, int m) {
            body.aload(0);
            body.iload(m);
            body.callStatic(holder, read, holder, Reader.class, int.class);
            local = body.local(holder);
            body.store(holder, local);
        }

        @Override
        void push(Body body, int index) {
            body.aload(local);
            body.iload(index);
            body.call(holder, get, type, int.class);
        }
    }

    /** Values that stay in the message: bools, floats of 4 bytes, UUIDs. */
    private static final class Raw extends ColumnReader {
        private final Kind kind;
        private int at;

        Raw(Kind kind) {
            this.kind = kind;
        }

        @Override
        void read(Body body, int m) {
            at = body.local(int.class);
            body.aload(0);
            body.iload(m);
            if (kind == Kind.BOOL) {
                body.call(Reader.class, "flagRow", int.class, int.class);
            } else {
                body.push(kind == Kind.F32 ? Float.BYTES : 2 * Long.BYTES);
                body.callStatic(RawColumns.class, "take", int.class, Reader.class, int.class, int.class);
            }
            body.istore(at);
        }

        @Override
        void push(Body body, int index) {
            body.aload(0);
            body.iload(at);
            body.iload(index);
            switch (kind) {
                case BOOL -> body.call(Reader.class, "flag", boolean.class, int.class, int.class);
                case F32 -> body.callStatic(RawColumns.class, "single", float.class, Reader.class, int.class,
                    int.class);
                default -> body.callStatic(RawColumns.class, "uuid", UUID.class, Reader.class, int.class, int.class);
            }
        }
    }

    /** A scalar as the reader declares it: widened, boxed. */
    private static final class Declared extends ColumnReader {
        private final ColumnReader column;
        private final Kind from;
        private final CompiledScalar reader;

        Declared(ColumnReader column, Kind from, CompiledScalar reader) {
            this.column = column;
            this.from = from;
            this.reader = reader;
        }

        @Override
        void read(Body body, int m) {
            column.read(body, m);
        }

        @Override
        void push(Body body, int index) {
            column.push(body, index);
            ScalarCode.widen(body, from, reader.kind());
            if (!reader.raw.isPrimitive()) {
                body.box(ScalarCode.natural(reader.kind()));
            }
        }
    }

    /** Objects that a method makes of other columns, or reads in slots. */
    static final class Objects extends ColumnReader {
        private final ProgramBuilder program;
        private final String method;
        private final Class<?> type;
        private int array;

        Objects(ProgramBuilder program, String method, Class<?> type) {
            this.program = program;
            this.method = method;
            this.type = type;
        }

        /** Pushes the array of all values. */
        void pushAll(Body body) {
            body.aload(array);
        }

        @Override
        void read(Body body, int m) {
            array = body.local(Object[].class);
            body.aload(0);
            body.iload(m);
            program.call(body, method, Object[].class, Reader.class, int.class);
            body.store(Object[].class, array);
        }

        @Override
        void push(Body body, int index) {
            body.aload(array);
            body.iload(index);
            body.op(Opcodes.AALOAD);
            body.cast(type);
        }
    }

    /** Values that are always there, for a reader to whom they are optional. */
    static final class Wrapped extends ColumnReader {
        private final ColumnReader column;
        private final CompiledOption reader;

        Wrapped(ColumnReader column, CompiledOption reader) {
            this.column = column;
            this.reader = reader;
        }

        @Override
        void read(Body body, int m) {
            column.read(body, m);
        }

        @Override
        void push(Body body, int index) {
            column.push(body, index);
            ReadCode.wrap(body, reader);
        }
    }

    /** Values that a converter makes of others. */
    static final class Decoded extends ColumnReader {
        private final ProgramBuilder program;
        private final ColumnReader column;
        private final CompiledConverted reader;

        Decoded(ProgramBuilder program, ColumnReader column, CompiledConverted reader) {
            this.program = program;
            this.column = column;
            this.reader = reader;
        }

        @Override
        void read(Body body, int m) {
            column.read(body, m);
        }

        @Override
        void push(Body body, int index) {
            column.push(body, index);
            ReadCode.decode(program, body, reader);
        }
    }

    /** Options: flags, and a column of what is present. */
    static class Options extends ColumnReader {
        private final ColumnReader column;
        private final CompiledOption reader;
        private final Class<?> type;
        /** What a struct or tuple that is present takes; 0 of other types. */
        private final int cells;
        private int flags;
        private int next;

        Options(ColumnReader column, CompiledOption reader, Class<?> type, int cells) {
            this.column = column;
            this.reader = reader;
            this.type = type;
            this.cells = cells;
        }

        @Override
        void read(Body body, int m) {
            flags = body.local(int.class);
            next = body.local(int.class);
            int present = body.local(int.class);
            body.aload(0);
            body.iload(m);
            body.call(Reader.class, "flagRow", int.class, int.class);
            body.istore(flags);
            body.aload(0);
            body.iload(flags);
            body.iload(m);
            body.callStatic(RawColumns.class, "count", int.class, Reader.class, int.class, int.class);
            body.istore(present);
            if (cells > 0) {
                body.aload(0);
                body.iload(present);
                body.push(cells);
                body.call(Reader.class, "charge", void.class, int.class, int.class);
            }
            Region values = new Region(body);
            column.read(body, present);
            values.present(flags, m);
            body.push(0);
            body.istore(next);
        }

        @Override
        void push(Body body, int index) {
            Label absent = body.label();
            Label done = body.label();
            body.aload(0);
            body.iload(flags);
            body.iload(index);
            body.call(Reader.class, "flag", boolean.class, int.class, int.class);
            body.jump(Opcodes.IFEQ, absent);
            column.push(body, next);
            wrap(body);
            body.code.visitIincInsn(next, 1);
            body.jump(Opcodes.GOTO, done);
            body.mark(absent);
            absent(body);
            body.mark(done);
        }

        /** Turns a value that is present into what the reader declares. */
        void wrap(Body body) {
            ReadCode.wrap(body, reader);
        }

        /** Leaves what null stands for. */
        void absent(Body body) {
            ReadCode.absent(body, reader, type);
        }
    }

    /** Options in a field that the reader requires: null takes the field's default. */
    static final class OrDefault extends Options {
        private final ProgramBuilder program;
        private final Slot slot;

        OrDefault(ProgramBuilder program, ColumnReader column, Slot slot, int cells) {
            super(column, null, null, cells);
            this.program = program;
            this.slot = slot;
        }

        @Override
        void push(Body body, int index) {
            new MakeCode(program, body).mayDefault(slot);
            super.push(body, index);
        }

        @Override
        void wrap(Body body) {
            // The column leaves what the reader declares.
        }

        @Override
        void absent(Body body) {
            new MakeCode(program, body).makeDefault(slot);
        }
    }

    /** The column of a scalar that has one of its own; null for those that stand in slots. */
    static ColumnReader scalar(Kind from, CompiledScalar reader) {
        ColumnReader column = switch (from) {
            case BOOL, F32, UUID -> new Raw(from);
            case STRING -> new Held(TextColumn.class, "read", "text", String.class);
            case BYTES -> new Held(BytesColumn.class, "read", "bytes", byte[].class);
            case DATE -> new Held(DateColumn.class, "read", "date", LocalDate.class);
            case TIMESTAMP -> new Held(TimeColumn.class, "readInstants", "instant", Instant.class);
            case DURATION -> new Held(TimeColumn.class, "readDurations", "duration", Duration.class);
            case BIGINT, DECIMAL, ANY -> null;
            default -> new Numbers(from);
        };
        return column == null ? null : new Declared(column, from, reader);
    }

    static ColumnReader symbols(ProgramBuilder program, SchemaType.EnumOf writer, CompiledEnum reader) {
        return new Symbols(program, writer, reader);
    }
}
