package io.samewire.pack.bind;

import io.samewire.pack.Converter;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.wire.Conversions;
import io.samewire.pack.wire.Reader;
import org.objectweb.asm.Opcodes;

/**
 * Code that pushes a value on demand. A class for each kind of value: lambdas would cost more than all other
 * work when the first codec of a program is made.
 */
abstract class Push {
    abstract void push(Body body);

    /** A local variable. */
    static final class Local extends Push {
        private final Class<?> type;
        private final int local;

        Local(Class<?> type, int local) {
            this.type = type;
            this.local = local;
        }

        @Override
        void push(Body body) {
            body.load(type, local);
        }
    }

    /** The elements of the {@link java.util.ArrayList} in a local variable, as an array. */
    static final class AsArray extends Push {
        private final int list;

        AsArray(int list) {
            this.list = list;
        }

        @Override
        void push(Body body) {
            body.aload(list);
            body.call(java.util.ArrayList.class, "toArray", Object[].class);
        }
    }

    /** A primitive that another pushes in its box. */
    static final class Unboxed extends Push {
        private final Push box;
        private final Class<?> primitive;

        Unboxed(Push box, Class<?> primitive) {
            this.box = box;
            this.primitive = primitive;
        }

        @Override
        void push(Body body) {
            box.push(body);
            body.unbox(primitive);
        }
    }

    /** What a converter writes for a value that another pushes. */
    static final class Encoded extends Push {
        private final Push value;
        private final ProgramBuilder program;
        private final CompiledConverted compiled;

        Encoded(Push value, ProgramBuilder program, CompiledConverted compiled) {
            this.value = value;
            this.program = program;
            this.compiled = compiled;
        }

        @Override
        void push(Body body) {
            program.constant(body, compiled.converter, Converter.class);
            value.push(body);
            body.box(compiled.raw);
            body.callStatic(Conversions.class, "encode", Object.class, Converter.class, Object.class);
            body.cast(program.access.named(compiled.wire.raw));
        }
    }

    /** What a converter writes for the values in an array that another pushes. */
    static final class AllEncoded extends Push {
        private final Push values;
        private final ProgramBuilder program;
        private final CompiledConverted compiled;

        AllEncoded(Push values, ProgramBuilder program, CompiledConverted compiled) {
            this.values = values;
            this.program = program;
            this.compiled = compiled;
        }

        @Override
        void push(Body body) {
            program.constant(body, compiled.converter, Converter.class);
            values.push(body);
            body.callStatic(Conversions.class, "encodeAll", Object[].class, Converter.class, Object[].class);
        }
    }

    /** An element of an array of primitives, both in locals. */
    static final class Element extends Push {
        private final Class<?> array;
        private final int local;
        private final int index;

        Element(Class<?> array, int local, int index) {
            this.array = array;
            this.local = local;
            this.index = index;
        }

        @Override
        void push(Body body) {
            body.aload(local);
            body.iload(index);
            body.code.visitInsn(org.objectweb.asm.Type.getType(array.getComponentType()).getOpcode(Opcodes.IALOAD));
        }
    }

    /** One bit of flags in a local variable; zero or not. */
    static final class Bit extends Push {
        private final int flags;
        private final int bit;

        Bit(int flags, int bit) {
            this.flags = flags;
            this.bit = bit;
        }

        @Override
        void push(Body body) {
            body.iload(flags);
            body.push(1 << bit);
            body.op(Opcodes.IAND);
        }
    }

    /** The flag of the slot of a row whose index is in a local variable. */
    static final class RowFlag extends Push {
        private final int flags;
        private final int index;

        RowFlag(int flags, int index) {
            this.flags = flags;
            this.index = index;
        }

        @Override
        void push(Body body) {
            body.aload(0);
            body.iload(flags);
            body.iload(index);
            body.call(Reader.class, "flag", boolean.class, int.class, int.class);
        }
    }

    /** What an {@code Optional} or one of its primitive kinds holds. */
    static final class Content extends Push {
        private final Push optional;
        private final Class<?> wrapper;
        private final Class<?> content;
        private final Class<?> cast;

        Content(Push optional, Class<?> wrapper, Class<?> content, Class<?> cast) {
            this.optional = optional;
            this.wrapper = wrapper;
            this.content = content;
            this.cast = cast;
        }

        @Override
        void push(Body body) {
            optional.push(body);
            if (content.isPrimitive()) {
                String name = content.getName();
                body.call(wrapper, "getAs" + Character.toUpperCase(name.charAt(0)) + name.substring(1), content);
            } else {
                body.call(wrapper, "get", Object.class);
                body.cast(cast);
            }
        }
    }
}
