package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.wire.Containers;
import io.samewire.pack.wire.Reader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import org.objectweb.asm.Opcodes;

/**
 * Makes collections and maps from the arrays of objects on top of the stack. {@code charged} is what the message pays
 * for each container besides its elements, in cells.
 */
final class ContainerCode {
    /** What a container pays that is read: its slot, and itself. */
    static final int READ = 1 + Cells.CONTAINER;
    /** What a container pays that was not written: its slot. */
    static final int DEFAULTED = 1;

    private ContainerCode() {}

    /** A list or other collection. */
    static void list(Body body, Class<?> made, int charged) {
        if (made == ArrayList.class) {
            body.callStatic(Containers.class, "list", ArrayList.class, Object[].class);
            return;
        }
        int elements = body.local(Object[].class);
        body.store(Object[].class, elements);
        reserve(body, made, Object.class, charged);
        body.begin(made);
        body.construct(made);
        body.aload(elements);
        body.callStatic(Containers.class, "fill", Collection.class, Collection.class, Object[].class);
    }

    /** A set; a key that is repeated is a fault. */
    static void set(Body body, ProgramBuilder program, CompiledSet compiled, int charged) {
        Class<?> made = NativeContainers.made(compiled.raw);
        int keys = body.local(Object[].class);
        body.store(Object[].class, keys);
        reserve(body, made, compiled.item.raw, charged);
        if (NativeContainers.enumerated(made)) {
            program.constant(body, compiled.item.raw, Class.class);
            body.callStatic(EnumSet.class, "noneOf", EnumSet.class, Class.class);
        } else {
            construct(body, made, keys);
        }
        body.aload(keys);
        body.callStatic(Containers.class, "fillSet", Collection.class, Collection.class, Object[].class);
    }

    /** A map from the arrays of keys and values; a key that is repeated is a fault. */
    static void map(Body body, ProgramBuilder program, CompiledMap compiled, int charged) {
        Class<?> made = NativeContainers.made(compiled.raw);
        int values = body.local(Object[].class);
        int keys = body.local(Object[].class);
        body.store(Object[].class, values);
        body.store(Object[].class, keys);
        reserve(body, made, compiled.key.raw, charged);
        if (NativeContainers.enumerated(made)) {
            body.begin(EnumMap.class);
            program.constant(body, compiled.key.raw, Class.class);
            body.construct(EnumMap.class, Class.class);
        } else {
            construct(body, made, keys);
        }
        body.aload(keys);
        body.aload(values);
        body.callStatic(Containers.class, "fillMap", Map.class, Map.class, Object[].class, Object[].class);
    }

    /** Sets cells aside for a native container that takes more memory than the format charges for one. */
    static void reserve(Body body, Class<?> made, Class<?> key, int charged) {
        int cells = NativeContainers.extraCells(made, key, charged);
        if (cells > 0) {
            body.aload(0);
            body.code.visitLdcInsn((long) cells);
            body.call(Reader.class, "reserve", void.class, long.class);
        }
    }

    private static void construct(Body body, Class<?> made, int keys) {
        body.begin(made);
        if (NativeContainers.hashed(made)) {
            body.aload(keys);
            body.op(Opcodes.ARRAYLENGTH);
            body.callStatic(Containers.class, "capacity", int.class, int.class);
            body.construct(made, int.class);
        } else {
            body.construct(made);
        }
    }
}
