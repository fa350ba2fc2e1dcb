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
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Containers;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Skip;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates the code that reads columnar lists and maps ({@code spec/columns.md}): a method for each struct and
 * container, which reads the columns of all its values, and then makes them in one loop. In every method the reader is
 * local 0, and the number of values local 1.
 */
final class ColumnReadCode {
    private enum Role {
        /** The elements of a columnar list or map, whose count is marked. */
        LIST, MAP,
        /** An array of such values. */
        STRUCTS, LISTS, SETS, MAPS, SLOTS,
        /** Some fields of structs that have been made. */
        FIELDS
    }

    /** A method that is yet to be generated. */
    private record Pending(Role role, String name, SchemaType writer, CompiledType reader, int first) {}

    private static final int COUNT = 1;
    /** Columns that one method reads of structs with more fields: there is a limit to what the JIT compiles. */
    private static final int MOST_TOGETHER = 64;

    private final ProgramBuilder program;
    private final MessageRules rules;
    private final ReadCode rows;
    /** Methods of structs, by the writer's and then the reader's. */
    private final Map<SchemaType, Map<CompiledType, String>> structs = new IdentityHashMap<>();
    private final Deque<Pending> later = new ArrayDeque<>();

    ColumnReadCode(ProgramBuilder program, MessageRules rules, ReadCode rows) {
        this.program = program;
        this.rules = rules;
        this.rows = rows;
    }

    /** Leaves the list whose marked count is in a local. */
    void list(Body body, SchemaType.ListOf writer, CompiledList reader, int marked) {
        columnar(body, Role.LIST, writer, reader, marked);
    }

    /** Leaves the map whose marked count is in a local. */
    void map(Body body, SchemaType.MapOf writer, CompiledMap reader, int marked) {
        columnar(body, Role.MAP, writer, reader, marked);
    }

    private void columnar(Body body, Role role, SchemaType writer, CompiledType reader, int marked) {
        body.aload(0);
        body.iload(marked);
        program.call(body, method(role, writer, reader, 0), jvm(reader.raw), Reader.class, int.class);
    }

    private String method(Role role, SchemaType writer, CompiledType reader, int first) {
        String name = program.name("columns");
        later.add(new Pending(role, name, writer, reader, first));
        return name;
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /** Generates one of the methods that are called and not there yet; returns whether there was one. */
    boolean generate() {
        Pending method = later.poll();
        if (method == null) {
            return false;
        }
        SchemaType writer = method.writer;
        switch (method.role) {
            case LIST -> columnarList(method.name, (SchemaType.ListOf) writer, (CompiledList) method.reader);
            case MAP -> columnarMap(method.name, (SchemaType.MapOf) writer, (CompiledMap) method.reader);
            case STRUCTS -> structs(method.name, writer, (CompiledStruct) method.reader);
            case FIELDS -> fields(method.name, writer, (CompiledStruct) method.reader, method.first);
            case LISTS -> lists(method.name, (SchemaType.ListOf) writer, (CompiledList) method.reader);
            case SETS -> sets(method.name, (SchemaType.SetOf) writer, (CompiledSet) method.reader);
            case MAPS -> maps(method.name, (SchemaType.MapOf) writer, (CompiledMap) method.reader);
            case SLOTS -> slots(method.name, writer, method.reader);
        }
        return true;
    }

    private ColumnReader column(SchemaType writer, CompiledType reader) {
        if (writer instanceof SchemaType.Option option) {
            CompiledOption compiled = (CompiledOption) reader;
            int cells = rules.facts().isFlat(option.item) ? rules.cells().row(option.item) : 0;
            return new ColumnReader.Options(column(option.item, compiled.item), compiled, jvm(reader.raw), cells);
        } else if (reader instanceof CompiledOption option) {
            return new ColumnReader.Wrapped(column(writer, option.item), option);
        } else if (reader instanceof CompiledConverted converted) {
            return new ColumnReader.Decoded(program, column(writer, converted.wire), converted);
        } else if (writer instanceof SchemaType.EnumOf symbols) {
            return ColumnReader.symbols(program, symbols, (CompiledEnum) reader);
        }
        if (writer instanceof SchemaType.Scalar scalar) {
            ColumnReader column = ColumnReader.scalar(scalar.kind, (CompiledScalar) reader);
            if (column != null) {
                return column;
            }
        }
        return new ColumnReader.Objects(program, objects(writer, reader), jvm(reader.raw));
    }

    /** The column of a field. Null in one that the reader requires takes its default. */
    private ColumnReader field(SchemaType writer, Slot slot) {
        if (writer instanceof SchemaType.Option option && !(slot.compiled instanceof CompiledOption)) {
            int cells = rules.facts().isFlat(option.item) ? rules.cells().row(option.item) : 0;
            return new ColumnReader.OrDefault(program, column(option.item, slot.compiled), slot, cells);
        }
        return column(writer, slot.compiled);
    }

    /** The method that reads a column of objects. */
    private String objects(SchemaType writer, CompiledType reader) {
        if (rules.facts().isFlat(writer)) {
            Map<CompiledType, String> known = structs.get(writer);
            if (known == null) {
                known = new IdentityHashMap<>();
                structs.put(writer, known);
            }
            String name = known.get(reader);
            if (name == null) {
                name = method(Role.STRUCTS, writer, reader, 0);
                known.put(reader, name);
            }
            return name;
        }
        Role role = writer instanceof SchemaType.ListOf ? Role.LISTS : writer instanceof SchemaType.SetOf ? Role.SETS
            : writer instanceof SchemaType.MapOf ? Role.MAPS : Role.SLOTS;
        return method(role, writer, reader, 0);
    }

    /** Begins to use arrays, which {@link #release} frees. Returns a local. */
    private static int mark(Body body) {
        int mark = body.local(int.class);
        body.aload(0);
        body.call(Reader.class, "mark", int.class);
        body.istore(mark);
        return mark;
    }

    private static void release(Body body, int mark) {
        body.aload(0);
        body.iload(mark);
        body.call(Reader.class, "release", void.class, int.class);
    }

    private void columnarList(String name, SchemaType.ListOf writer, CompiledList reader) {
        Body body = program.method(name, jvm(reader.raw), Reader.class, int.class);
        int n = columnarCount(body, 1, rules.cells().element(writer));
        int mark = mark(body);
        ColumnReader elements = column(writer.item, reader.item);
        Region column = new Region(body);
        elements.read(body, n);
        column.elements("");
        if (elements instanceof ColumnReader.Objects all && NativeContainers.made(reader.raw) == ArrayList.class) {
            all.pushAll(body);
            body.callStatic(Containers.class, "copied", ArrayList.class, Object[].class);
        } else {
            int from = body.local(int.class);
            body.push(0);
            body.istore(from);
            listOf(body, reader, elements, from, n);
        }
        end(body, mark, reader);
    }

    private static int columnarCount(Body body, int columns, int cells) {
        int n = body.local(int.class);
        body.aload(0);
        body.iload(COUNT);
        body.push(columns);
        body.push(cells);
        body.call(Reader.class, "columnarCount", int.class, int.class, int.class, int.class);
        body.istore(n);
        return n;
    }

    private void columnarMap(String name, SchemaType.MapOf writer, CompiledMap reader) {
        Body body = program.method(name, jvm(reader.raw), Reader.class, int.class);
        int n = columnarCount(body, 2, rules.cells().element(writer));
        int mark = mark(body);
        ColumnReader keys = column(writer.key, reader.key);
        ColumnReader values = column(writer.value, reader.value);
        Region allKeys = new Region(body);
        keys.read(body, n);
        allKeys.elements(".key");
        Region allValues = new Region(body);
        values.read(body, n);
        allValues.elements(".value");
        int from = body.local(int.class);
        body.push(0);
        body.istore(from);
        mapOf(body, reader, keys, values, from, n);
        end(body, mark, reader);
    }

    private void end(Body body, int mark, CompiledType reader) {
        release(body, mark);
        body.cast(jvm(reader.raw));
        body.op(Opcodes.ARETURN);
        body.end();
    }

    private void structs(String name, SchemaType writer, CompiledStruct reader) {
        Body body = program.method(name, Object[].class, Reader.class, int.class);
        int made = body.local(Object[].class);
        int count = writer.parts().size();
        if (count > MOST_TOGETHER && reader.constructor.getParameterCount() == 0) {
            array(body, made);
            Loop loop = new Loop(body);
            Region struct = new Region(body);
            body.aload(made);
            body.iload(loop.index);
            new MakeCode(program, body).make(reader, Map.of());
            body.op(Opcodes.AASTORE);
            struct.at(loop.index);
            loop.end(COUNT);
            for (int first = 0; first < count; first += MOST_TOGETHER) {
                body.aload(0);
                body.iload(COUNT);
                body.aload(made);
                program.call(body, method(Role.FIELDS, writer, reader, first), void.class, Reader.class, int.class,
                    Object[].class);
            }
        } else {
            int mark = mark(body);
            Map<Slot, ColumnReader> columns = read(body, writer, reader, 0, count);
            array(body, made);
            Loop loop = new Loop(body);
            Region struct = new Region(body);
            Map<Slot, Integer> locals = values(body, reader, columns, loop.index);
            body.aload(made);
            body.iload(loop.index);
            new MakeCode(program, body).make(reader, locals);
            body.op(Opcodes.AASTORE);
            struct.at(loop.index);
            loop.end(COUNT);
            release(body, mark);
        }
        body.aload(made);
        body.op(Opcodes.ARETURN);
        body.end();
    }

    /** Sets some fields of structs that are in local 2. */
    private void fields(String name, SchemaType writer, CompiledStruct reader, int first) {
        int structs = 2;
        Body body = program.method(name, void.class, Reader.class, int.class, Object[].class);
        int mark = mark(body);
        int last = Math.min(writer.parts().size(), first + MOST_TOGETHER);
        Map<Slot, ColumnReader> columns = read(body, writer, reader, first, last);
        Loop loop = new Loop(body);
        Region all = new Region(body);
        Map<Slot, Integer> locals = values(body, reader, columns, loop.index);
        int struct = body.local(jvm(reader.raw));
        body.aload(structs);
        body.iload(loop.index);
        body.op(Opcodes.AALOAD);
        body.cast(jvm(reader.raw));
        body.store(jvm(reader.raw), struct);
        new MakeCode(program, body).fill(locals, struct);
        all.at(loop.index);
        loop.end(COUNT);
        release(body, mark);
        body.op(Opcodes.RETURN);
        body.end();
    }

    /** Reads the columns of parts, and moves over those that the reader lacks. */
    private Map<Slot, ColumnReader> read(Body body, SchemaType writer, CompiledStruct reader, int first, int last) {
        Map<Slot, ColumnReader> columns = new LinkedHashMap<>();
        for (int i = first; i < last; i++) {
            SchemaType part = writer.parts().get(i);
            Slot slot = ReadCode.slotFor(writer, reader, i);
            if (slot == null) {
                program.constant(body, new Skip(rules, part, false), Skip.class);
                body.aload(0);
                body.iload(COUNT);
                body.call(Skip.class, "skipColumn", void.class, Reader.class, int.class);
            } else {
                ColumnReader column = field(part, slot);
                Region all = new Region(body);
                column.read(body, COUNT);
                all.step(StructReadCode.step(reader, slot));
                columns.put(slot, column);
            }
        }
        return columns;
    }

    /** Gets value number {@code index} of each column into a local. */
    private Map<Slot, Integer> values(Body body, CompiledStruct reader, Map<Slot, ColumnReader> columns, int index) {
        Map<Slot, Integer> locals = new LinkedHashMap<>();
        for (Map.Entry<Slot, ColumnReader> each : columns.entrySet()) {
            Class<?> type = jvm(each.getKey().compiled.raw);
            int local = body.local(type);
            Region value = new Region(body);
            each.getValue().push(body, index);
            value.step(StructReadCode.step(reader, each.getKey()));
            body.store(type, local);
            locals.put(each.getKey(), local);
        }
        return locals;
    }

    /** Makes an array of objects for all values. */
    private static void array(Body body, int local) {
        body.iload(COUNT);
        body.code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
        body.store(Object[].class, local);
    }

    /** Containers of a column: their bounds, and an array for them. */
    private final class Runs {
        private final Body body;
        private final int mark;
        private final int bounds;
        private final int total;
        private int made;
        private Loop loop;
        private Region container;
        /** Where the elements of the container begin and end. */
        private int from;
        private int to;

        Runs(String name, int columns, int cells) {
            body = program.method(name, Object[].class, Reader.class, int.class);
            mark = mark(body);
            bounds = body.local(long[].class);
            total = body.local(int.class);
            body.aload(0);
            body.iload(COUNT);
            body.push(columns);
            body.push(cells);
            body.callStatic(IntegerColumns.class, "readBounds", long[].class, Reader.class, int.class, int.class,
                int.class);
            body.store(long[].class, bounds);
            bound(COUNT);
            body.istore(total);
        }

        private void bound(int index) {
            body.aload(bounds);
            body.iload(index);
            body.op(Opcodes.LALOAD);
            body.op(Opcodes.L2I);
        }

        /** Reads the column of all elements, or of a part of all entries. */
        void read(ColumnReader column, String part) {
            Region all = new Region(body);
            column.read(body, total);
            all.run(bounds, COUNT, part);
        }

        /** Begins the loop over containers. */
        void begin() {
            made = body.local(Object[].class);
            from = body.local(int.class);
            to = body.local(int.class);
            array(body, made);
            loop = new Loop(body);
            bound(loop.index);
            body.istore(from);
            body.aload(bounds);
            body.iload(loop.index);
            body.push(1);
            body.op(Opcodes.IADD);
            body.op(Opcodes.LALOAD);
            body.op(Opcodes.L2I);
            body.istore(to);
            container = new Region(body);
        }

        /** Stores the container on top of the stack. */
        void end() {
            container.at(loop.index);
            int one = body.local(Object.class);
            body.store(Object.class, one);
            body.aload(made);
            body.iload(loop.index);
            body.aload(one);
            body.op(Opcodes.AASTORE);
            loop.end(COUNT);
            release(body, mark);
            body.aload(made);
            body.op(Opcodes.ARETURN);
            body.end();
        }
    }

    private void lists(String name, SchemaType.ListOf writer, CompiledList reader) {
        Runs runs = new Runs(name, 1, rules.cells().element(writer));
        if (ReadCode.isWidenedToObjects(writer.item, reader.item)) {
            runs.body.aload(0);
            runs.body.iload(runs.total);
            runs.body.op(Opcodes.I2L);
            runs.body.call(Reader.class, "reserve", void.class, long.class);
        }
        ColumnReader elements = column(writer.item, reader.item);
        runs.read(elements, "");
        runs.begin();
        listOf(runs.body, reader, elements, runs.from, runs.to);
        runs.end();
    }

    private void sets(String name, SchemaType.SetOf writer, CompiledSet reader) {
        Runs runs = new Runs(name, 1, rules.cells().element(writer));
        ColumnReader keys = column(writer.item, reader.item);
        runs.read(keys, "");
        runs.begin();
        setOf(runs.body, reader, keys, runs.from, runs.to);
        runs.end();
    }

    private void maps(String name, SchemaType.MapOf writer, CompiledMap reader) {
        Runs runs = new Runs(name, 2, rules.cells().element(writer));
        ColumnReader keys = column(writer.key, reader.key);
        ColumnReader values = column(writer.value, reader.value);
        runs.read(keys, ".key");
        runs.read(values, ".value");
        runs.begin();
        mapOf(runs.body, reader, keys, values, runs.from, runs.to);
        runs.end();
    }

    /** Leaves a list or array of the values from one local to another. */
    private void listOf(Body body, CompiledList reader, ColumnReader elements, int from, int to) {
        if (reader.raw.isArray()) {
            arrayOf(body, reader, elements, from, to);
            return;
        }
        Class<?> made = NativeContainers.made(reader.raw);
        int list = body.local(made);
        if (made == ArrayList.class) {
            body.begin(made);
            length(body, from, to);
            body.construct(made, int.class);
        } else {
            ContainerCode.reserve(body, made, Object.class, ContainerCode.READ);
            body.begin(made);
            body.construct(made);
        }
        body.store(made, list);
        Loop loop = new Loop(body, from);
        body.aload(list);
        push(body, elements, loop.index, from, "");
        body.box(reader.item.raw);
        if (made == ArrayList.class) {
            body.call(made, "add", boolean.class, Object.class);
        } else {
            body.callInterface(Collection.class, "add", boolean.class, Object.class);
        }
        body.op(Opcodes.POP);
        loop.end(to);
        body.aload(list);
    }

    private void arrayOf(Body body, CompiledList reader, ColumnReader elements, int from, int to) {
        Class<?> component = reader.raw.getComponentType();
        Class<?> type = component.isPrimitive() ? reader.raw : Object[].class;
        int array = body.local(type);
        if (component.isPrimitive()) {
            length(body, from, to);
            body.code.visitIntInsn(Opcodes.NEWARRAY, typeCode(component));
        } else {
            program.constant(body, component, Class.class);
            length(body, from, to);
            body.callStatic(Containers.class, "array", Object[].class, Class.class, int.class);
        }
        body.store(type, array);
        Loop loop = new Loop(body, from);
        body.aload(array);
        length(body, from, loop.index);
        push(body, elements, loop.index, from, "");
        body.code.visitInsn(component.isPrimitive() ? Type.getType(component).getOpcode(Opcodes.IASTORE)
            : Opcodes.AASTORE);
        loop.end(to);
        body.aload(array);
    }

    /** Pushes an element of the container that begins at {@code first}, or a part of an entry. */
    private static void push(Body body, ColumnReader column, int index, int first, String part) {
        Region element = new Region(body);
        column.push(body, index);
        element.element(index, first, part);
    }

    private static int typeCode(Class<?> primitive) {
        return switch (primitive.getName()) {
            case "boolean" -> Opcodes.T_BOOLEAN;
            case "byte" -> Opcodes.T_BYTE;
            case "short" -> Opcodes.T_SHORT;
            case "int" -> Opcodes.T_INT;
            case "long" -> Opcodes.T_LONG;
            case "float" -> Opcodes.T_FLOAT;
            default -> Opcodes.T_DOUBLE;
        };
    }

    private static void length(Body body, int from, int to) {
        body.iload(to);
        body.iload(from);
        body.op(Opcodes.ISUB);
    }

    private void setOf(Body body, CompiledSet reader, ColumnReader keys, int from, int to) {
        Class<?> made = NativeContainers.made(reader.raw);
        int set = body.local(Collection.class);
        ContainerCode.reserve(body, made, reader.item.raw, ContainerCode.READ);
        if (NativeContainers.enumerated(made)) {
            program.constant(body, reader.item.raw, Class.class);
            body.callStatic(EnumSet.class, "noneOf", EnumSet.class, Class.class);
        } else {
            construct(body, made, from, to);
        }
        body.store(Collection.class, set);
        Loop loop = new Loop(body, from);
        body.aload(set);
        push(body, keys, loop.index, from, "");
        body.box(reader.item.raw);
        body.callInterface(Collection.class, "add", boolean.class, Object.class);
        body.op(Opcodes.POP);
        loop.end(to);
        body.aload(set);
        body.callInterface(Collection.class, "size", int.class);
        distinct(body, from, to);
        body.aload(set);
    }

    private void mapOf(Body body, CompiledMap reader, ColumnReader keys, ColumnReader values, int from, int to) {
        Class<?> made = NativeContainers.made(reader.raw);
        int map = body.local(Map.class);
        ContainerCode.reserve(body, made, reader.key.raw, ContainerCode.READ);
        if (NativeContainers.enumerated(made)) {
            body.begin(EnumMap.class);
            program.constant(body, reader.key.raw, Class.class);
            body.construct(EnumMap.class, Class.class);
        } else {
            construct(body, made, from, to);
        }
        body.store(Map.class, map);
        Loop loop = new Loop(body, from);
        body.aload(map);
        push(body, keys, loop.index, from, ".key");
        body.box(reader.key.raw);
        push(body, values, loop.index, from, ".value");
        body.box(reader.value.raw);
        body.callInterface(Map.class, "put", Object.class, Object.class, Object.class);
        body.op(Opcodes.POP);
        loop.end(to);
        body.aload(map);
        body.callInterface(Map.class, "size", int.class);
        distinct(body, from, to);
        body.aload(map);
    }

    /** Refuses a size on top of the stack that is not the number of keys. */
    private static void distinct(Body body, int from, int to) {
        Label all = body.label();
        length(body, from, to);
        body.jump(Opcodes.IF_ICMPEQ, all);
        ReadCode.fault(body);
        body.mark(all);
    }

    private static void construct(Body body, Class<?> made, int from, int to) {
        body.begin(made);
        if (NativeContainers.hashed(made)) {
            length(body, from, to);
            body.callStatic(Containers.class, "capacity", int.class, int.class);
            body.construct(made, int.class);
        } else {
            body.construct(made);
        }
    }

    private void slots(String name, SchemaType writer, CompiledType reader) {
        Body body = program.method(name, Object[].class, Reader.class, int.class);
        int made = body.local(Object[].class);
        body.aload(0);
        body.iload(COUNT);
        body.op(Opcodes.I2L);
        body.call(Reader.class, "need", void.class, long.class);
        array(body, made);
        Loop loop = new Loop(body);
        body.aload(made);
        body.iload(loop.index);
        Region value = new Region(body);
        rows.inner(body, writer, reader);
        value.at(loop.index);
        body.op(Opcodes.AASTORE);
        loop.end(COUNT);
        body.aload(made);
        body.op(Opcodes.ARETURN);
        body.end();
    }
}
