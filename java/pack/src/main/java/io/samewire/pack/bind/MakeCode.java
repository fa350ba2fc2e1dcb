package io.samewire.pack.bind;

import io.samewire.pack.bind.Shape.EnumShape;
import io.samewire.pack.bind.Shape.ListShape;
import io.samewire.pack.bind.Shape.MapShape;
import io.samewire.pack.bind.Shape.OptionShape;
import io.samewire.pack.bind.Shape.ScalarShape;
import io.samewire.pack.bind.Shape.SetShape;
import io.samewire.pack.bind.Shape.Slot;
import io.samewire.pack.bind.Shape.StructShape;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.objectweb.asm.Opcodes;

/** Makes a native struct of its slots; those that were not read take their defaults. */
final class MakeCode {
    private final ProgramBuilder program;
    private final Body body;

    MakeCode(ProgramBuilder program, Body body) {
        this.program = program;
        this.body = body;
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /** Leaves the object; {@code locals} says where the slots lie that were read. */
    void make(StructShape shape, Map<Slot, Integer> locals) {
        boolean direct = program.access.uses(shape.constructor) && namesAll(shape.constructor.getParameterTypes());
        MethodHandle maker = direct ? null : program.access.maker(shape.constructor);
        if (direct) {
            body.begin(shape.raw);
        } else {
            program.constant(body, maker, MethodHandle.class);
        }
        boolean byConstructor = shape.constructor.getParameterCount() > 0;
        if (byConstructor) {
            for (Slot slot : shape.slots) {
                push(slot, locals);
            }
        }
        if (direct) {
            body.construct(shape.constructor);
        } else {
            program.invoke(body, maker);
            body.cast(jvm(shape.raw));
        }
        if (!byConstructor) {
            fields(shape, locals);
        }
    }

    private boolean namesAll(Class<?>[] types) {
        for (Class<?> type : types) {
            if (!program.access.names(type)) {
                return false;
            }
        }
        return true;
    }

    private void fields(StructShape shape, Map<Slot, Integer> locals) {
        int made = body.local(jvm(shape.raw));
        body.store(jvm(shape.raw), made);
        for (Slot slot : shape.slots) {
            if (!locals.containsKey(slot) && slot.defaultText == null && !(slot.shape instanceof OptionShape)) {
                continue;
            }
            if (program.access.uses(slot.setter) && program.access.names(slot.setter.getType())) {
                body.aload(made);
                push(slot, locals);
                body.put(slot.setter);
            } else {
                MethodHandle setter = program.access.setter(slot.setter);
                program.constant(body, setter, MethodHandle.class);
                body.aload(made);
                push(slot, locals);
                program.invoke(body, setter);
            }
        }
        body.aload(made);
    }

    private void push(Slot slot, Map<Slot, Integer> locals) {
        Integer local = locals.get(slot);
        if (local != null) {
            body.load(jvm(slot.shape.raw), local);
        } else {
            absent(slot.shape, Defaults.value(slot));
        }
    }

    /** Pushes a default. Containers are made anew each time, since they can be changed. */
    private void absent(Shape shape, Object value) {
        if (shape instanceof OptionShape option) {
            if (value == null) {
                if (option.isNullable()) {
                    body.op(Opcodes.ACONST_NULL);
                    body.cast(jvm(option.raw));
                } else {
                    body.callStatic(option.raw, "empty", option.raw);
                }
                return;
            }
            absent(option.item, value);
            if (!option.isNullable()) {
                body.callStatic(option.raw, "of", option.raw, option.item.raw.isPrimitive() ? option.item.raw : Object.class);
            }
        } else if (shape instanceof ScalarShape || shape instanceof EnumShape) {
            program.constant(body, value, Object.class);
            if (shape.raw.isPrimitive()) {
                body.unbox(shape.raw);
            } else {
                body.cast(jvm(shape.raw));
            }
        } else {
            empty(shape);
            body.cast(jvm(shape.raw));
        }
    }

    private void empty(Shape shape) {
        if (shape.raw.isArray()) {
            program.constant(body, shape.raw.getComponentType(), Class.class);
            body.push(0);
            body.callStatic(java.lang.reflect.Array.class, "newInstance", Object.class, Class.class, int.class);
            return;
        }
        none();
        if (shape instanceof ListShape) {
            ContainerCode.list(body, NativeContainers.made(shape.raw), ContainerCode.DEFAULTED);
        } else if (shape instanceof SetShape set) {
            ContainerCode.set(body, program, set, ContainerCode.DEFAULTED);
        } else if (shape instanceof MapShape map) {
            none();
            ContainerCode.map(body, program, map, ContainerCode.DEFAULTED);
        }
    }

    private void none() {
        body.push(0);
        body.code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    }
}
