package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
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
    void make(CompiledStruct compiled, Map<Slot, Integer> locals) {
        if (compiled.singleton != null) {
            program.constant(body, compiled.singleton, Object.class);
            body.cast(jvm(compiled.raw));
            return;
        }
        boolean omits = omits(compiled, locals);
        Constructor<?> constructor = omits ? compiled.defaulting : compiled.constructor;
        boolean direct = program.access.uses(constructor) && namesAll(constructor.getParameterTypes());
        MethodHandle maker = direct ? null : program.access.maker(constructor);
        if (direct) {
            body.begin(compiled.raw);
        } else {
            program.constant(body, maker, MethodHandle.class);
        }
        boolean byConstructor = constructor.getParameterCount() > 0;
        if (byConstructor) {
            for (Slot slot : compiled.slots) {
                push(slot, locals);
            }
        }
        if (omits) {
            masks(compiled, locals);
            body.op(Opcodes.ACONST_NULL);
        }
        if (direct) {
            body.construct(constructor);
        } else {
            program.invoke(body, maker);
            body.cast(jvm(compiled.raw));
        }
        if (!byConstructor) {
            fields(compiled, locals);
        }
    }

    private boolean omits(CompiledStruct compiled, Map<Slot, Integer> locals) {
        for (Slot slot : compiled.slots) {
            if (slot.omittable && (!locals.containsKey(slot) || body.omitted.containsKey(slot))) {
                return true;
            }
        }
        return false;
    }

    /** Pushes a bit for each slot whose default the constructor is to make. */
    private void masks(CompiledStruct compiled, Map<Slot, Integer> locals) {
        for (int first = 0; first < compiled.slots.size(); first += Integer.SIZE) {
            int known = 0;
            int last = Math.min(first + Integer.SIZE, compiled.slots.size());
            for (int i = first; i < last; i++) {
                Slot slot = compiled.slots.get(i);
                known |= slot.omittable && !locals.containsKey(slot) ? 1 << i - first : 0;
            }
            body.push(known);
            for (int i = first; i < last; i++) {
                Integer omitted = body.omitted.get(compiled.slots.get(i));
                if (omitted != null) {
                    body.iload(omitted);
                    body.push(i - first);
                    body.op(Opcodes.ISHL);
                    body.op(Opcodes.IOR);
                }
            }
        }
    }

    /** Belongs before the branch of which one arm is {@link #makeDefault}. */
    void mayDefault(Slot slot) {
        if (slot.omittable) {
            int omitted = body.omitted.computeIfAbsent(slot, one -> body.local(int.class));
            body.push(0);
            body.istore(omitted);
        }
    }

    /** Leaves the default of a slot, or a stand-in where the struct's constructor makes it. */
    void makeDefault(Slot slot) {
        if (slot.omittable) {
            body.push(1);
            body.istore(body.omitted.get(slot));
        }
        push(slot, Map.of());
    }

    private boolean namesAll(Class<?>[] types) {
        for (Class<?> type : types) {
            if (!program.access.names(type)) {
                return false;
            }
        }
        return true;
    }

    private void fields(CompiledStruct compiled, Map<Slot, Integer> locals) {
        int made = body.local(jvm(compiled.raw));
        body.store(jvm(compiled.raw), made);
        for (Slot slot : compiled.slots) {
            if (!locals.containsKey(slot) && slot.defaultText == null && !(slot.compiled instanceof CompiledOption)) {
                continue;
            }
            set(slot, locals, made);
        }
        body.aload(made);
    }

    /** Sets the slots that were read of an object that is there already. */
    void fill(Map<Slot, Integer> locals, int made) {
        for (Slot slot : locals.keySet()) {
            set(slot, locals, made);
        }
    }

    private void set(Slot slot, Map<Slot, Integer> locals, int made) {
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

    private void push(Slot slot, Map<Slot, Integer> locals) {
        Integer local = locals.get(slot);
        if (local != null) {
            body.load(jvm(slot.compiled.raw), local);
        } else if (slot.omittable) {
            body.zero(jvm(slot.compiled.raw));
        } else if (slot.maker != null) {
            program.constant(body, slot.maker, MethodHandle.class);
            program.invoke(body, slot.maker);
            if (slot.compiled.raw.isPrimitive()) {
                body.unbox(slot.compiled.raw);
            } else {
                body.cast(jvm(slot.compiled.raw));
            }
        } else {
            absent(slot.compiled, Defaults.value(slot));
        }
    }

    /** Pushes a default. Containers are made anew each time, since they can be changed. */
    private void absent(CompiledType compiled, Object value) {
        if (compiled instanceof CompiledOption option) {
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
                body.callStatic(option.raw, option.isScala() ? "apply" : "of", option.raw,
                    option.item.raw.isPrimitive() ? option.item.raw : Object.class);
            }
        } else if (compiled instanceof CompiledConverted converted) {
            absent(converted.wire, value);
            ReadCode.decode(program, body, converted);
        } else if (compiled instanceof CompiledScalar || compiled instanceof CompiledEnum) {
            program.constant(body, value, Object.class);
            if (compiled.raw.isPrimitive()) {
                body.unbox(compiled.raw);
            } else {
                body.cast(jvm(compiled.raw));
            }
        } else {
            empty(compiled);
            body.cast(jvm(compiled.raw));
        }
    }

    private void empty(CompiledType compiled) {
        if (compiled.raw.isArray()) {
            program.constant(body, compiled.raw.getComponentType(), Class.class);
            body.push(0);
            body.callStatic(java.lang.reflect.Array.class, "newInstance", Object.class, Class.class, int.class);
            return;
        }
        none();
        if (compiled instanceof CompiledList) {
            ContainerCode.list(body, NativeContainers.made(compiled.raw), ContainerCode.DEFAULTED);
        } else if (compiled instanceof CompiledSet set) {
            ContainerCode.set(body, program, set, ContainerCode.DEFAULTED);
        } else if (compiled instanceof CompiledMap map) {
            none();
            ContainerCode.map(body, program, map, ContainerCode.DEFAULTED);
        }
    }

    private void none() {
        body.push(0);
        body.code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    }
}
