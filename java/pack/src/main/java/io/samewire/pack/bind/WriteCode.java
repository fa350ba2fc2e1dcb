package io.samewire.pack.bind;

import io.samewire.pack.bind.Shape.EnumShape;
import io.samewire.pack.bind.Shape.ListShape;
import io.samewire.pack.bind.Shape.MapShape;
import io.samewire.pack.bind.Shape.OptionShape;
import io.samewire.pack.bind.Shape.RefShape;
import io.samewire.pack.bind.Shape.ScalarShape;
import io.samewire.pack.bind.Shape.SetShape;
import io.samewire.pack.bind.Shape.Slot;
import io.samewire.pack.bind.Shape.StructShape;
import io.samewire.pack.bind.Shape.UnionShape;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Containers;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.Flags;
import io.samewire.pack.wire.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * Generates the writing half of a program: a method for each struct, collection and row. In every method the writer is local
 * 0.
 */
final class WriteCode {
    private static final int VALUE = 1;

    private final ProgramBuilder program;
    private final SchemaFacts facts;
    private final Map<StructShape, String> structs = new HashMap<>();

    WriteCode(ProgramBuilder program, SchemaFacts facts) {
        this.program = program;
        this.facts = facts;
    }

    /** The root value is a row of one slot. */
    void entry(Shape root) {
        String name = program.name("root");
        Class<?> type = jvm(root.raw);
        Body body = program.method(name, void.class, Writer.class, type);
        if (root.type().flagged()) {
            int flags = body.local(int.class);
            body.push(0);
            body.istore(flags);
            flag(body, root, VALUE, flags, 0);
            body.aload(0);
            body.iload(flags);
            body.call(Writer.class, "u8", void.class, int.class);
        }
        slot(body, root, () -> body.load(type, VALUE));
        body.op(Opcodes.RETURN);
        body.end();
        program.writeEntry(name, type);
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /** Sets bit {@code bit} of the local {@code flags} where a bool is true or an option present. */
    private void flag(Body body, Shape shape, int value, int flags, int bit) {
        Label no = body.label();
        present(body, shape, () -> body.load(jvm(shape.raw), value), no);
        body.iload(flags);
        body.push(1 << bit);
        body.op(Opcodes.IOR);
        body.istore(flags);
        body.mark(no);
    }

    /** Jumps to {@code no} where a bool is false or an option absent. */
    private void present(Body body, Shape shape, Runnable load, Label no) {
        load.run();
        if (shape instanceof OptionShape option) {
            if (option.isNullable()) {
                body.jump(Opcodes.IFNULL, no);
                return;
            }
            body.call(option.raw, "isPresent", boolean.class);
        } else if (shape.raw == Boolean.class) {
            body.unbox(boolean.class);
        }
        body.jump(Opcodes.IFEQ, no);
    }

    /**
     * Writes what stands in a slot, behind its flag; {@code load} pushes the value as its class or, where that has no name,
     * as an object.
     */
    private void slot(Body body, Shape shape, Runnable load) {
        if (shape instanceof OptionShape option) {
            Label absent = body.label();
            present(body, shape, load, absent);
            item(body, option, load);
            body.mark(absent);
        } else if (!shape.type().flagged()) {
            inner(body, shape, load);
        }
    }

    private void item(Body body, OptionShape option, Runnable load) {
        if (option.isNullable()) {
            inner(body, option.item, load);
            return;
        }
        Class<?> got = option.item.raw.isPrimitive() ? option.item.raw : Object.class;
        String name = got.getName();
        String get = got.isPrimitive() ? "getAs" + Character.toUpperCase(name.charAt(0)) + name.substring(1) : "get";
        inner(body, option.item, () -> {
            load.run();
            body.call(option.raw, get, got);
            if (!got.isPrimitive()) {
                body.cast(jvm(option.item.raw));
            }
        });
    }

    private void inner(Body body, Shape shape, Runnable load) {
        if (shape instanceof ScalarShape scalar) {
            body.aload(0);
            load.run();
            ScalarCode.write(body, scalar, facts);
        } else if (shape instanceof EnumShape e) {
            body.aload(0);
            program.constant(body, indices(e), int[].class);
            load.run();
            body.cast(Enum.class);
            body.call(Enum.class, "ordinal", int.class);
            body.op(Opcodes.IALOAD);
            body.call(Writer.class, "u32", void.class, int.class);
        } else {
            body.aload(0);
            load.run();
            program.call(body, method(shape), void.class, Writer.class, jvm(shape.raw));
        }
    }

    /** From the ordinal of a constant to the index of its symbol. */
    static int[] indices(EnumShape shape) {
        int[] indices = new int[shape.constants.size()];
        for (int i = 0; i < indices.length; i++) {
            indices[shape.constants.get(i).ordinal()] = i;
        }
        return indices;
    }

    private String method(Shape shape) {
        if (shape instanceof StructShape struct) {
            String known = structs.get(struct);
            if (known != null) {
                return known;
            }
            String name = program.name("writeStruct");
            structs.put(struct, name);
            program.later(() -> struct(name, struct));
            return name;
        }
        String name = program.name("write");
        program.later(() -> {
            Body body = program.method(name, void.class, Writer.class, jvm(shape.raw));
            if (shape instanceof ListShape list) {
                list(body, list);
            } else if (shape instanceof SetShape set) {
                set(body, set);
            } else if (shape instanceof MapShape map) {
                map(body, map);
            } else if (shape instanceof UnionShape union) {
                union(body, union);
            } else if (shape instanceof RefShape ref) {
                ref(body, ref);
            }
            body.op(Opcodes.RETURN);
            body.end();
        });
        return name;
    }

    private void struct(String name, StructShape shape) {
        Class<?> type = jvm(shape.raw);
        Body body = program.method(name, void.class, Writer.class, type);
        boolean recursive = shape.type() instanceof SchemaType.Struct struct && facts.recursive(struct);
        if (recursive) {
            body.aload(0);
            body.call(Writer.class, "enter", void.class);
        }
        Map<Slot, Integer> locals = flags(body, shape, type);
        for (Slot slot : shape.slots) {
            Integer local = locals.get(slot);
            slot(body, slot.shape, local != null ? () -> body.load(jvm(slot.shape.raw), local) : () -> get(body, slot, type));
        }
        if (recursive) {
            body.aload(0);
            body.call(Writer.class, "leave", void.class);
        }
        body.op(Opcodes.RETURN);
        body.end();
    }

    /** Gets the slots that have flags into locals and writes the flags. */
    private Map<Slot, Integer> flags(Body body, StructShape shape, Class<?> type) {
        Map<Slot, Integer> locals = new HashMap<>();
        int flags = -1;
        for (Slot slot : shape.slots) {
            if (!slot.shape.type().flagged()) {
                continue;
            }
            int bit = locals.size() & 7;
            if (bit == 0) {
                if (flags >= 0) {
                    writeFlags(body, flags);
                } else {
                    flags = body.local(int.class);
                }
                body.push(0);
                body.istore(flags);
            }
            int local = body.local(jvm(slot.shape.raw));
            get(body, slot, type);
            body.store(jvm(slot.shape.raw), local);
            flag(body, slot.shape, local, flags, bit);
            locals.put(slot, local);
        }
        if (flags >= 0) {
            writeFlags(body, flags);
        }
        return locals;
    }

    private static void writeFlags(Body body, int flags) {
        body.aload(0);
        body.iload(flags);
        body.call(Writer.class, "u8", void.class, int.class);
    }

    /** Pushes a slot of the struct in {@link #VALUE}. */
    private void get(Body body, Slot slot, Class<?> type) {
        if (program.access.uses(slot.getter) && program.access.names(slot.shape.raw)) {
            body.load(type, VALUE);
            if (slot.getter instanceof Method accessor) {
                body.call(accessor);
            } else {
                body.get((Field) slot.getter);
            }
            // An accessor of a generic type answers what its type variable is erased to.
            Class<?> got = slot.getter instanceof Method accessor ? accessor.getReturnType() : ((Field) slot.getter).getType();
            if (got != slot.shape.raw) {
                body.cast(slot.shape.raw);
            }
        } else {
            var getter = program.access.getter(slot.getter, slot.shape.raw);
            program.constant(body, getter, java.lang.invoke.MethodHandle.class);
            body.load(type, VALUE);
            program.invoke(body, getter);
        }
    }

    private void list(Body body, ListShape shape) {
        if (shape.raw.isArray() && shape.item.raw.isPrimitive()) {
            body.aload(0);
            body.load(shape.raw, VALUE);
            body.op(Opcodes.ARRAYLENGTH);
            body.call(Writer.class, "u32", void.class, int.class);
            body.aload(0);
            body.load(shape.raw, VALUE);
            if (shape.item.raw == boolean.class) {
                body.callStatic(Flags.class, "write", void.class, Writer.class, boolean[].class);
            } else {
                ScalarCode.writeRow(body, ((ScalarShape) shape.item).kind());
            }
            return;
        }
        if (shape.raw.isAssignableFrom(ArrayList.class) && shape.item.type().numeric() == null) {
            arrayList(body, shape);
        }
        int elements = body.local(Object[].class);
        body.load(jvm(shape.raw), VALUE);
        if (shape.raw.isArray()) {
            body.cast(Object[].class);
        } else {
            body.callInterface(Collection.class, "toArray", Object[].class);
        }
        body.store(Object[].class, elements);
        count(body, elements);
        row(body, shape.item, elements);
    }

    /** Returns early with what is by far the commonest list, element by element, without a copy of its array. */
    private void arrayList(Body body, ListShape shape) {
        Label other = body.label();
        int list = body.local(ArrayList.class);
        int n = body.local(int.class);
        body.aload(VALUE);
        body.call(Object.class, "getClass", Class.class);
        program.constant(body, ArrayList.class, Class.class);
        body.jump(Opcodes.IF_ACMPNE, other);
        body.aload(VALUE);
        body.cast(ArrayList.class);
        body.store(ArrayList.class, list);
        body.aload(list);
        body.call(ArrayList.class, "size", int.class);
        body.istore(n);
        body.aload(0);
        body.iload(n);
        body.call(Writer.class, "u32", void.class, int.class);
        elements(body, shape.item, () -> body.iload(n), i -> {
            body.aload(list);
            body.iload(i);
            body.call(ArrayList.class, "get", Object.class, int.class);
        });
        body.op(Opcodes.RETURN);
        body.mark(other);
    }

    private static void count(Body body, int elements) {
        body.aload(0);
        body.aload(elements);
        body.op(Opcodes.ARRAYLENGTH);
        body.call(Writer.class, "u32", void.class, int.class);
    }

    private void set(Body body, SetShape shape) {
        int keys = body.local(Object[].class);
        body.load(jvm(shape.raw), VALUE);
        body.callInterface(Collection.class, "toArray", Object[].class);
        program.constant(body, order(shape.item), Comparator.class);
        body.callStatic(Containers.class, "sorted", Object[].class, Object[].class, Comparator.class);
        body.store(Object[].class, keys);
        count(body, keys);
        row(body, shape.item, keys);
    }

    /** The order in which the keys of a set are written. */
    @SuppressWarnings("unchecked")
    private static Comparator<Object> order(Shape key) {
        if (key instanceof EnumShape shape) {
            int[] indices = indices(shape);
            return Comparator.comparingInt(constant -> indices[((Enum<?>) constant).ordinal()]);
        }
        Kind kind = ((ScalarShape) key).kind();
        if (kind == Kind.UUID) {
            return Containers::compareUuids;
        } else if (kind.isInteger() && !kind.isSigned()) {
            return Containers::compareUnsigned;
        }
        return (Comparator<Object>) (Comparator<?>) Comparator.<Comparable<Object>>naturalOrder();
    }

    private void map(Body body, MapShape shape) {
        int keys = body.local(Object[].class);
        int values = body.local(Object[].class);
        body.load(jvm(shape.raw), VALUE);
        body.callInterface(Map.class, "keySet", java.util.Set.class);
        body.callInterface(java.util.Set.class, "toArray", Object[].class);
        body.store(Object[].class, keys);
        body.load(jvm(shape.raw), VALUE);
        body.aload(keys);
        body.op(Opcodes.ARRAYLENGTH);
        body.callStatic(Containers.class, "values", Object[].class, Map.class, int.class);
        body.store(Object[].class, values);
        count(body, keys);
        row(body, shape.key, keys);
        row(body, shape.value, values);
    }

    /** Writes a row of the elements in a local. */
    private void row(Body body, Shape item, int elements) {
        body.aload(0);
        body.aload(elements);
        Kind kind = item.type().numeric();
        if (kind != null) {
            ScalarCode.unboxRow(body, kind);
            ScalarCode.writeRow(body, kind);
            return;
        }
        String name = program.name("row");
        program.call(body, name, void.class, Writer.class, Object[].class);
        program.later(() -> loop(name, item));
    }

    private void loop(String name, Shape item) {
        Body body = program.method(name, void.class, Writer.class, Object[].class);
        elements(body, item, () -> {
            body.aload(VALUE);
            body.op(Opcodes.ARRAYLENGTH);
        }, i -> {
            body.aload(VALUE);
            body.iload(i);
            body.op(Opcodes.AALOAD);
        });
        body.op(Opcodes.RETURN);
        body.end();
    }

    /** Writes the slots of a row; {@code count} pushes their number, {@code get} the element at the index in a local. */
    private void elements(Body body, Shape item, Runnable count, IntConsumer get) {
        boolean flagged = item.type().flagged();
        int flags = body.local(int.class);
        if (flagged) {
            body.aload(0);
            count.run();
            body.call(Writer.class, "flagRow", int.class, int.class);
            body.istore(flags);
        }
        int i = body.local(int.class);
        int element = body.local(Object.class);
        Class<?> type = jvm(Body.boxOf(item.raw));
        body.push(0);
        body.istore(i);
        Label next = body.label();
        Label done = body.label();
        body.mark(next);
        body.iload(i);
        count.run();
        body.jump(Opcodes.IF_ICMPGE, done);
        get.accept(i);
        body.cast(type);
        body.store(type, element);
        if (flagged) {
            Label absent = body.label();
            present(body, item, () -> body.load(type, element), absent);
            body.aload(0);
            body.iload(flags);
            body.iload(i);
            body.call(Writer.class, "flag", void.class, int.class, int.class);
            if (item instanceof OptionShape option) {
                item(body, option, () -> body.load(type, element));
            }
            body.mark(absent);
        } else {
            inner(body, item, () -> body.load(type, element));
        }
        body.code.visitIincInsn(i, 1);
        body.jump(Opcodes.GOTO, next);
        body.mark(done);
    }

    private void union(Body body, UnionShape shape) {
        for (int i = 0; i < shape.members.size(); i++) {
            StructShape member = shape.members.get(i);
            Class<?> type = jvm(member.raw);
            Label next = body.label();
            if (type == member.raw) {
                body.aload(VALUE);
                body.code.visitTypeInsn(Opcodes.INSTANCEOF, org.objectweb.asm.Type.getInternalName(type));
            } else {
                program.constant(body, member.raw, Class.class);
                body.aload(VALUE);
                body.call(Class.class, "isInstance", boolean.class, Object.class);
            }
            body.jump(Opcodes.IFEQ, next);
            body.aload(0);
            body.push(i);
            body.call(Writer.class, "u32", void.class, int.class);
            body.aload(0);
            body.aload(VALUE);
            body.cast(type);
            program.call(body, method(member), void.class, Writer.class, type);
            body.op(Opcodes.RETURN);
            body.mark(next);
        }
        fault(body);
    }

    private static void fault(Body body) {
        body.code.visitFieldInsn(Opcodes.GETSTATIC, org.objectweb.asm.Type.getInternalName(Fault.class), "FAULT",
            org.objectweb.asm.Type.getDescriptor(Fault.class));
        body.op(Opcodes.ATHROW);
    }

    private void ref(Body body, RefShape shape) {
        Label before = body.label();
        Class<?> type = jvm(shape.raw);
        body.aload(0);
        body.aload(VALUE);
        body.call(Writer.class, "sharedBefore", boolean.class, Object.class);
        body.jump(Opcodes.IFNE, before);
        body.aload(0);
        body.aload(VALUE);
        program.call(body, method(shape.struct), void.class, Writer.class, type);
        body.aload(0);
        body.aload(VALUE);
        body.call(Writer.class, "share", void.class, Object.class);
        body.mark(before);
    }
}
