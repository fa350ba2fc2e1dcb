package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.wire.Entries;
import io.samewire.pack.wire.Writer;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** Generates the code that writes a map: a row of its keys and one of its values, or columns. */
final class MapWriteCode {
    private static final int MAP = 1;

    private final ProgramBuilder program;
    private final WriteCode rows;
    private final ColumnWriteCode columns;

    MapWriteCode(ProgramBuilder program, WriteCode rows, ColumnWriteCode columns) {
        this.program = program;
        this.rows = rows;
        this.columns = columns;
    }

    /** Writes the map in local 1. */
    void write(Body body, CompiledMap compiled) {
        linked(body, compiled);
        int keys = body.local(Object[].class);
        int values = body.local(Object[].class);
        int entries = body.local(Entries.class);
        body.load(program.access.named(compiled.raw), MAP);
        rows.entries(body, compiled);
        body.store(Entries.class, entries);
        body.aload(entries);
        body.call(Entries.class, "keys", Object[].class);
        body.store(Object[].class, keys);
        body.aload(entries);
        body.call(Entries.class, "values", Object[].class);
        body.store(Object[].class, values);
        columns.map(body, compiled, keys, values);
        rows.count(body, compiled, Object[].class, keys);
        rows.row(body, compiled.key.wire(), keys);
        rows.row(body, compiled.value, values);
    }

    /**
     * Returns early with what is by far the commonest map, in two walks: copies of its keys and values would cost the
     * collector's barrier for each of them. A fifth of the time of records with small maps.
     */
    private void linked(Body body, CompiledMap compiled) {
        if (!compiled.raw.isAssignableFrom(LinkedHashMap.class) || compiled.key instanceof CompiledConverted
            || compiled.key.type().numeric() != null || compiled.value.type().numeric() != null) {
            return;
        }
        Label other = body.label();
        int map = body.local(LinkedHashMap.class);
        int n = body.local(int.class);
        body.load(program.access.named(compiled.raw), MAP);
        body.call(Object.class, "getClass", Class.class);
        program.constant(body, LinkedHashMap.class, Class.class);
        body.jump(Opcodes.IF_ACMPNE, other);
        body.aload(0);
        body.call(Writer.class, "sortsAllMaps", boolean.class);
        body.jump(Opcodes.IFNE, other);
        body.load(program.access.named(compiled.raw), MAP);
        body.cast(LinkedHashMap.class);
        body.store(LinkedHashMap.class, map);
        body.aload(map);
        body.call(LinkedHashMap.class, "size", int.class);
        body.istore(n);
        columns.ifColumnar(body, compiled, n, other);
        rows.count(body, compiled, n);
        body.aload(map);
        body.call(LinkedHashMap.class, "keySet", Set.class);
        each(body, compiled.key, n);
        body.aload(map);
        body.call(LinkedHashMap.class, "values", Collection.class);
        each(body, compiled.value, n);
        body.op(Opcodes.RETURN);
        body.mark(other);
    }

    /** Writes a row of the {@code n} elements of the collection on top of the stack. */
    private void each(Body body, CompiledType item, int n) {
        int iterator = body.local(Iterator.class);
        body.callInterface(Collection.class, "iterator", Iterator.class);
        body.store(Iterator.class, iterator);
        rows.elements(body, item, iterator, Iterator.class, n);
    }
}
