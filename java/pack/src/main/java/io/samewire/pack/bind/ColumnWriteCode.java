package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.ColumnWidths;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.wire.ColumnForm;
import io.samewire.pack.wire.Entries;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * Generates the code that writes columnar lists and maps ({@code spec/columns.md}): a method for each struct and
 * container, which goes once over its values to collect their columns, and then writes these. In every method the
 * writer is local 0, the number of values local 1, and the array of values local 2.
 */
final class ColumnWriteCode {
    private enum Role {
        STRUCTS, SLOTS_OF, LISTS, SETS, MAPS, SLOTS
    }

    /** A method that is yet to be generated; of a struct, from that slot on. */
    private record Pending(Role role, String name, CompiledType compiled, int first) {}

    private static final int COUNT = 1;
    private static final int VALUES = 2;
    /** Columns that are collected together: more would not fit the nearest cache. */
    private static final int MOST_TOGETHER = 32;

    private final ProgramBuilder program;
    private final SchemaFacts facts;
    private final Cells cells;
    private final WriteCode rows;
    private final ColumnWidths widths;
    private final Map<CompiledType, String> methods = new IdentityHashMap<>();
    private final Deque<Pending> later = new ArrayDeque<>();

    ColumnWriteCode(ProgramBuilder program, SchemaFacts facts, Cells cells, WriteCode rows) {
        this.program = program;
        this.facts = facts;
        this.cells = cells;
        this.rows = rows;
        this.widths = new ColumnWidths(facts);
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /**
     * Writes a list as columns and returns, if it is long enough and the profile has columns.
     *
     * @param n a local with the number of elements
     * @param elements pushes them as an array of objects, which is not changed
     */
    void list(Body body, CompiledList compiled, int n, Push elements) {
        if (facts.isFlat(compiled.item.type())) {
            Label inRows = columnar(body, compiled, n);
            body.aload(0);
            body.iload(n);
            rows.allWire(compiled.item, elements).push(body);
            program.call(body, method(compiled.item.wire()), void.class, Writer.class, int.class, Object[].class);
            body.op(Opcodes.RETURN);
            body.mark(inRows);
        }
    }

    /** Likewise a map, whose keys and values are in locals, as arrays of objects. */
    void map(Body body, CompiledMap compiled, int keys, int values) {
        if (facts.isFlat(compiled.value.type())) {
            int n = body.local(int.class);
            body.aload(keys);
            body.op(Opcodes.ARRAYLENGTH);
            body.istore(n);
            Label inRows = columnar(body, compiled, n);
            int mark = mark(body);
            each(body, compiled.key.wire(), keys, n);
            release(body, mark);
            body.aload(0);
            body.iload(n);
            rows.allWire(compiled.value, new Push.Local(Object[].class, values)).push(body);
            program.call(body, method(compiled.value.wire()), void.class, Writer.class, int.class, Object[].class);
            body.op(Opcodes.RETURN);
            body.mark(inRows);
        }
    }

    /** Jumps to a label if a map of the number of entries in the local {@code n} is written as columns. */
    void ifColumnar(Body body, CompiledMap compiled, int n, Label columnar) {
        if (facts.isFlat(compiled.value.type())) {
            isColumnar(body, compiled, n);
            body.jump(Opcodes.IFNE, columnar);
        }
    }

    /** Writes the count of a columnar container, or jumps to the label that it returns. */
    private Label columnar(Body body, CompiledType compiled, int n) {
        Label inRows = body.label();
        isColumnar(body, compiled, n);
        body.jump(Opcodes.IFEQ, inRows);
        body.aload(0);
        body.iload(n);
        body.push(cells.element(compiled.type()));
        body.call(Writer.class, "columnarCount", void.class, int.class, int.class);
        return inRows;
    }

    private void isColumnar(Body body, CompiledType compiled, int n) {
        body.aload(0);
        body.iload(n);
        body.push(ColumnForm.leastRows(compiled.type(), widths));
        body.call(Writer.class, "isColumnar", boolean.class, int.class, int.class);
    }

    /** Writes the column of the objects in an array. */
    private void each(Body body, CompiledType compiled, int array, int n) {
        ColumnWriter column = column(compiled);
        column.begin(body, n);
        Loop loop = new Loop(body);
        column.take(body, element(body, compiled, array, loop.index), loop.index);
        loop.end(n);
        column.write(body, n);
    }

    /** Gets an element of an array of objects into a local, as its class. */
    private Push element(Body body, CompiledType compiled, int array, int index) {
        Class<?> type = jvm(Body.boxOf(compiled.raw));
        int local = body.local(type);
        body.aload(array);
        body.iload(index);
        body.op(Opcodes.AALOAD);
        body.cast(type);
        body.store(type, local);
        Push element = new Push.Local(type, local);
        return compiled.raw.isPrimitive() ? new Push.Unboxed(element, compiled.raw) : element;
    }

    private String method(CompiledType compiled) {
        String name = methods.get(compiled);
        if (name == null) {
            Role role = facts.isFlat(compiled.type()) ? Role.STRUCTS : compiled instanceof CompiledList ? Role.LISTS
                : compiled instanceof CompiledSet ? Role.SETS : compiled instanceof CompiledMap ? Role.MAPS
                : Role.SLOTS;
            name = method(role, compiled, 0);
            methods.put(compiled, name);
        }
        return name;
    }

    private String method(Role role, CompiledType compiled, int first) {
        String name = program.name("columns");
        later.add(new Pending(role, name, compiled, first));
        return name;
    }

    private ColumnWriter column(CompiledType compiled) {
        if (compiled instanceof CompiledOption option) {
            int present = facts.isFlat(option.item.type()) ? cells.row(option.item.type()) : 0;
            return new ColumnWriter.Options(rows, column(option.item), option, jvm(option.raw), present);
        } else if (compiled instanceof CompiledConverted converted) {
            return new ColumnWriter.Encoded(rows, column(converted.wire), converted);
        } else if (compiled instanceof CompiledEnum symbols) {
            return ColumnWriter.symbols(program, symbols);
        }
        if (compiled instanceof CompiledScalar scalar) {
            ColumnWriter column = ColumnWriter.scalar(scalar, rows);
            if (column != null) {
                return column;
            }
        }
        return new ColumnWriter.Objects(program, method(compiled));
    }

    /** Generates one of the methods that are called and not there yet; returns whether there was one. */
    boolean generate() {
        Pending method = later.poll();
        if (method == null) {
            return false;
        }
        Body body = program.method(method.name, void.class, Writer.class, int.class, Object[].class);
        switch (method.role) {
            case STRUCTS -> structs(body, (CompiledStruct) method.compiled);
            case SLOTS_OF -> slotsOf(body, (CompiledStruct) method.compiled, method.first);
            case LISTS -> lists(body, (CompiledList) method.compiled);
            case SETS -> sets(body, (CompiledSet) method.compiled);
            case MAPS -> maps(body, (CompiledMap) method.compiled);
            case SLOTS -> slots(body, method.compiled);
        }
        body.op(Opcodes.RETURN);
        body.end();
        return true;
    }

    /** Begins to use arrays, which {@link #release} frees. Returns a local. */
    private static int mark(Body body) {
        int mark = body.local(int.class);
        body.aload(0);
        body.call(Writer.class, "mark", int.class);
        body.istore(mark);
        return mark;
    }

    private static void release(Body body, int mark) {
        body.aload(0);
        body.iload(mark);
        body.call(Writer.class, "release", void.class, int.class);
    }

    private void structs(Body body, CompiledStruct compiled) {
        if (compiled.slots.size() <= MOST_TOGETHER) {
            slotsOf(body, compiled, 0);
            return;
        }
        for (int first = 0; first < compiled.slots.size(); first += MOST_TOGETHER) {
            body.aload(0);
            body.iload(COUNT);
            body.aload(VALUES);
            program.call(body, method(Role.SLOTS_OF, compiled, first), void.class, Writer.class, int.class,
                Object[].class);
        }
    }

    /** The columns of some slots of structs. */
    private void slotsOf(Body body, CompiledStruct compiled, int first) {
        List<Slot> slots = compiled.slots.subList(first, Math.min(first + MOST_TOGETHER, compiled.slots.size()));
        List<ColumnWriter> columns = new ArrayList<>();
        int mark = mark(body);
        for (Slot slot : slots) {
            ColumnWriter column = column(slot.compiled);
            column.begin(body, COUNT);
            columns.add(column);
        }
        Class<?> type = jvm(compiled.raw);
        Loop loop = new Loop(body);
        int local = body.local(type);
        body.aload(VALUES);
        body.iload(loop.index);
        body.op(Opcodes.AALOAD);
        body.cast(type);
        body.store(type, local);
        if (first == 0) {
            rows.checkClass(body, compiled, new Push.Local(type, local));
        }
        for (int i = 0; i < slots.size(); i++) {
            columns.get(i).take(body, rows.slotOf(slots.get(i), new Push.Local(type, local)), loop.index);
        }
        loop.end(COUNT);
        for (ColumnWriter column : columns) {
            column.write(body, COUNT);
        }
        release(body, mark);
    }

    /** The counts of containers. */
    private final class Counts {
        private final Body body;
        private final int each;
        private final int mark;
        private final int counts;
        private final int total;
        private final Loop loop;

        Counts(Body body, CompiledType compiled) {
            this.body = body;
            each = cells.element(compiled.type());
            mark = mark(body);
            counts = body.local(long[].class);
            body.aload(0);
            body.iload(COUNT);
            body.call(Writer.class, "longs", long[].class, int.class);
            body.store(long[].class, counts);
            total = body.local(int.class);
            body.push(0);
            body.istore(total);
            loop = new Loop(body);
        }

        /** Pushes the container, as a class that code can name. */
        void container(Class<?> type) {
            body.aload(VALUES);
            body.iload(loop.index);
            body.op(Opcodes.AALOAD);
            body.cast(type);
        }

        /** Replaces the container in the array of values, which is this column's own, by the object in a local. */
        void replace(int local) {
            body.aload(VALUES);
            body.iload(loop.index);
            body.aload(local);
            body.op(Opcodes.AASTORE);
        }

        /** Takes the count on top of the stack; writes all counts when the loop ends. */
        void end() {
            int count = body.local(int.class);
            body.istore(count);
            body.aload(counts);
            body.iload(loop.index);
            body.iload(count);
            body.op(Opcodes.I2L);
            body.op(Opcodes.LASTORE);
            body.aload(0);
            body.iload(total);
            body.iload(count);
            body.callStatic(IntegerColumns.class, "sum", int.class, Writer.class, int.class, int.class);
            body.istore(total);
            loop.end(COUNT);
            body.aload(0);
            body.aload(counts);
            body.iload(COUNT);
            body.iload(total);
            body.push(each);
            body.callStatic(IntegerColumns.class, "writeCounts", void.class, Writer.class, long[].class, int.class,
                int.class, int.class);
        }

        /** Writes the column of all elements, of the arrays of objects that {@code array} pushes. */
        void elements(CompiledType item, Array array) {
            ColumnWriter column = column(item);
            column.begin(body, total);
            int at = body.local(int.class);
            body.push(0);
            body.istore(at);
            Loop containers = new Loop(body);
            int elements = body.local(array.type);
            int length = body.local(int.class);
            body.aload(VALUES);
            body.iload(containers.index);
            body.op(Opcodes.AALOAD);
            array.get(body);
            body.store(array.type, elements);
            body.aload(elements);
            body.op(Opcodes.ARRAYLENGTH);
            body.istore(length);
            Loop each = new Loop(body);
            Push element = array.type == Object[].class ? element(body, item, elements, each.index)
                : new Push.Element(array.type, elements, each.index);
            column.take(body, element, at);
            body.code.visitIincInsn(at, 1);
            each.end(length);
            containers.end(COUNT);
            column.write(body, at);
        }
    }

    /** How the array of a container's elements is had from the object that stands for it. */
    private static final class Array {
        static final Array OBJECTS = new Array(Object[].class, null);
        static final Array KEYS = new Array(Object[].class, "keys");
        static final Array ENTRY_VALUES = new Array(Object[].class, "values");

        private final Class<?> type;
        private final String ofEntries;

        Array(Class<?> type, String ofEntries) {
            this.type = type;
            this.ofEntries = ofEntries;
        }

        void get(Body body) {
            if (ofEntries == null) {
                body.cast(type);
            } else {
                body.cast(Entries.class);
                body.call(Entries.class, ofEntries, Object[].class);
            }
        }
    }

    private void lists(Body body, CompiledList compiled) {
        Counts counts = new Counts(body, compiled);
        Array array = Array.OBJECTS;
        if (compiled.raw.isArray()) {
            array = compiled.item.raw.isPrimitive() ? new Array(compiled.raw, null) : array;
            counts.container(array.type);
        } else {
            int elements = body.local(Object[].class);
            counts.container(Collection.class);
            body.callInterface(Collection.class, "toArray", Object[].class);
            body.store(Object[].class, elements);
            counts.replace(elements);
            body.aload(elements);
        }
        body.op(Opcodes.ARRAYLENGTH);
        counts.end();
        counts.elements(compiled.item, array);
        release(body, counts.mark);
    }

    private void sets(Body body, CompiledSet compiled) {
        Counts counts = new Counts(body, compiled);
        int keys = body.local(Object[].class);
        counts.container(Collection.class);
        rows.sorted(body, compiled);
        body.store(Object[].class, keys);
        counts.replace(keys);
        body.aload(keys);
        body.op(Opcodes.ARRAYLENGTH);
        counts.end();
        counts.elements(compiled.item.wire(), Array.OBJECTS);
        release(body, counts.mark);
    }

    private void maps(Body body, CompiledMap compiled) {
        Counts counts = new Counts(body, compiled);
        int entries = body.local(Entries.class);
        counts.container(Map.class);
        rows.entries(body, compiled);
        body.store(Entries.class, entries);
        counts.replace(entries);
        body.aload(entries);
        body.call(Entries.class, "size", int.class);
        counts.end();
        counts.elements(compiled.key.wire(), Array.KEYS);
        counts.elements(compiled.value, Array.ENTRY_VALUES);
        release(body, counts.mark);
    }

    private void slots(Body body, CompiledType compiled) {
        Loop loop = new Loop(body);
        rows.inner(body, compiled, element(body, compiled, VALUES, loop.index));
        loop.end(COUNT);
    }
}
