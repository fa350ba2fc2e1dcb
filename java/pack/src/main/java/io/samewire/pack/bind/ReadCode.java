package io.samewire.pack.bind;

import io.samewire.pack.Converter;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Boxing;
import io.samewire.pack.wire.Containers;
import io.samewire.pack.wire.Conversions;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.Flags;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.RowForm;
import io.samewire.pack.wire.SharedStructs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates the reading half of a program, from the writer's schema and the reader's compiled type, which are the
 * same or resolve. In every method the reader is local 0.
 */
final class ReadCode {
    /** What a method reads: a value, a row of slots into an array, or the elements of a list that has some. */
    private enum Role {
        VALUE, ROW, ELEMENTS
    }

    /** A method that is yet to be generated. */
    private static final class Pending {
        final Role role;
        final String name;
        /** Of a value, or of the slots of a row, or of elements. */
        final SchemaType writer;
        final CompiledType reader;

        Pending(Role role, String name, SchemaType writer, CompiledType reader) {
            this.role = role;
            this.name = name;
            this.writer = writer;
            this.reader = reader;
        }
    }

    private final ProgramBuilder program;
    private final MessageRules rules;
    private final PrepaidCells cells;
    /** Methods of structs, by the writer's and then the reader's. */
    private final Map<SchemaType, Map<CompiledType, String>> structs = new IdentityHashMap<>();
    /** Methods of the elements of lists of recursive structs, likewise. */
    private final Map<SchemaType, Map<CompiledType, String>> elements = new IdentityHashMap<>();
    private final Deque<Pending> later = new ArrayDeque<>();
    private final ColumnReadCode columns;

    ReadCode(ProgramBuilder program, MessageRules rules) {
        this.program = program;
        this.rules = rules;
        this.cells = new PrepaidCells(rules.cells());
        this.columns = new ColumnReadCode(program, rules, this);
    }

    /** The root value is a row of one slot. */
    void entry(CompiledType root) {
        String name = program.name("root");
        Body body = program.method(name, Object.class, Reader.class);
        SchemaType writer = rules.writer();
        charge(body, cells.slot(writer, root.type()));
        int flags = body.local(int.class);
        if (writer.flagged()) {
            body.aload(0);
            body.push(1);
            body.call(Reader.class, "flags", int.class, int.class);
            body.istore(flags);
        }
        slot(body, writer, root, new Push.Local(int.class, flags));
        body.box(root.raw);
        body.op(Opcodes.ARETURN);
        body.end();
        program.readEntry(name);
        while (!later.isEmpty() || columns.generate()) {
            if (!later.isEmpty()) {
                generate(later.poll());
            }
        }
    }

    private void generate(Pending method) {
        if (method.role == Role.ROW) {
            loop(method.name, method.writer, method.reader);
        } else if (method.role == Role.ELEMENTS) {
            recursion(method.name, method.writer, (CompiledStruct) method.reader);
        } else if (method.reader instanceof CompiledStruct struct) {
            struct(method.name, method.writer, struct);
        } else {
            part(method.name, method.writer, method.reader);
        }
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /**
     * Reads a slot of a row; {@code flag} pushes what is not zero where its flag is set. Leaves a value of the reader's
     * class.
     */
    void slot(Body body, SchemaType writer, CompiledType reader, Push flag) {
        if (writer.is(Kind.BOOL)) {
            Label no = body.label();
            Label done = body.label();
            flag.push(body);
            body.jump(Opcodes.IFEQ, no);
            body.push(1);
            body.jump(Opcodes.GOTO, done);
            body.mark(no);
            body.push(0);
            body.mark(done);
            CompiledScalar bool = (CompiledScalar) (reader instanceof CompiledOption option ? option.item : reader);
            if (bool.raw == Boolean.class) {
                body.box(boolean.class);
            }
            wrap(body, reader);
        } else if (writer instanceof SchemaType.Option option) {
            Label absent = body.label();
            Label done = body.label();
            flag.push(body);
            body.jump(Opcodes.IFEQ, absent);
            CompiledType item = ((CompiledOption) reader).item;
            charge(body, cells.present(option.item, item.type()));
            inner(body, option.item, item);
            wrap(body, reader);
            body.jump(Opcodes.GOTO, done);
            body.mark(absent);
            absent(body, (CompiledOption) reader, jvm(reader.raw));
            body.mark(done);
        } else {
            inner(body, writer, reader instanceof CompiledOption option ? option.item : reader);
            wrap(body, reader);
        }
    }

    /** Turns a value that is present into what the reader declares. */
    static void wrap(Body body, CompiledType reader) {
        if (!(reader instanceof CompiledOption option) || option.isNullable()) {
            return;
        }
        Class<?> taken = option.item.raw.isPrimitive() ? option.item.raw : Object.class;
        body.callStatic(option.raw, option.isScala() ? "apply" : "of", option.raw, taken);
    }

    /** Pushes what stands for nothing, as the class by which code names the reader's. */
    static void absent(Body body, CompiledOption reader, Class<?> type) {
        if (reader.isNullable()) {
            body.op(Opcodes.ACONST_NULL);
            body.cast(type);
        } else {
            body.callStatic(reader.raw, "empty", reader.raw);
        }
    }

    /** Reads what stands in a slot behind its flag. Leaves a value of the reader's class. */
    void inner(Body body, SchemaType writer, CompiledType reader) {
        if (reader instanceof CompiledConverted converted) {
            inner(body, writer, converted.wire);
            decode(program, body, converted);
            return;
        }
        body.aload(0);
        if (writer instanceof SchemaType.Scalar scalar) {
            Kind to = ((CompiledScalar) reader).kind();
            ScalarCode.read(body, scalar.kind);
            ScalarCode.widen(body, scalar.kind, to);
            if (!reader.raw.isPrimitive()) {
                body.box(ScalarCode.natural(to));
            }
        } else {
            program.call(body, method(writer, reader), jvm(reader.raw), Reader.class);
        }
    }

    /** Makes of what was read, on top of the stack, the value of a converter. */
    static void decode(ProgramBuilder program, Body body, CompiledConverted compiled) {
        body.box(compiled.wire.raw);
        program.constant(body, compiled.converter, Converter.class);
        body.op(Opcodes.SWAP);
        body.aload(0);
        body.callStatic(Conversions.class, "decode", Object.class, Converter.class, Object.class, Reader.class);
        if (compiled.raw.isPrimitive()) {
            body.unbox(compiled.raw);
        } else {
            body.cast(program.access.named(compiled.raw));
        }
    }

    /** Puts each element of the array on top of the stack into Scala's {@code Option}, if the reader has those. */
    private void scalaOptions(Body body, CompiledType reader) {
        if (!(reader instanceof CompiledOption option) || !option.isScala()) {
            return;
        }
        int elements = body.local(Object[].class);
        int length = body.local(int.class);
        body.store(Object[].class, elements);
        body.aload(elements);
        body.op(Opcodes.ARRAYLENGTH);
        body.istore(length);
        Loop loop = new Loop(body);
        body.aload(elements);
        body.iload(loop.index);
        body.aload(elements);
        body.iload(loop.index);
        body.op(Opcodes.AALOAD);
        wrap(body, reader);
        body.op(Opcodes.AASTORE);
        loop.end(length);
        body.aload(elements);
    }

    private String method(SchemaType writer, CompiledType reader) {
        if (writer instanceof SchemaType.Struct) {
            return once(structs, Role.VALUE, "readStruct", writer, reader);
        }
        String name = program.name(reader instanceof CompiledStruct ? "readStruct" : "read");
        later.add(new Pending(Role.VALUE, name, writer, reader));
        return name;
    }

    /** The one method of that role for a pair. */
    private String once(Map<SchemaType, Map<CompiledType, String>> made, Role role, String prefix, SchemaType writer,
        CompiledType reader) {
        Map<CompiledType, String> known = made.get(writer);
        if (known == null) {
            known = new IdentityHashMap<>();
            made.put(writer, known);
        }
        String name = known.get(reader);
        if (name == null) {
            name = program.name(prefix);
            known.put(reader, name);
            later.add(new Pending(role, name, writer, reader));
        }
        return name;
    }

    private void part(String name, SchemaType writer, CompiledType reader) {
        Body body = program.method(name, jvm(reader.raw), Reader.class);
        if (writer instanceof SchemaType.EnumOf t) {
            enumeration(body, t, (CompiledEnum) reader);
        } else if (writer instanceof SchemaType.ListOf t) {
            Region all = new Region(body);
            list(body, t, (CompiledList) reader);
            all.elements("");
        } else if (writer instanceof SchemaType.SetOf t) {
            Region all = new Region(body);
            set(body, t, (CompiledSet) reader);
            all.elements("");
        } else if (writer instanceof SchemaType.MapOf t) {
            map(body, t, (CompiledMap) reader);
        } else if (writer instanceof SchemaType.Union t) {
            union(body, t, (CompiledUnion) reader);
        } else if (writer instanceof SchemaType.Ref t) {
            ref(body, (SchemaType.Struct) t.item, (CompiledRef) reader);
        }
        body.cast(jvm(reader.raw));
        body.op(Opcodes.ARETURN);
        body.end();
    }

    private void enumeration(Body body, SchemaType.EnumOf writer, CompiledEnum reader) {
        Object[] constants = constants(writer, reader);
        program.constant(body, constants, Object[].class);
        body.aload(0);
        body.push(constants.length);
        body.call(Reader.class, "index", int.class, int.class);
        body.op(Opcodes.AALOAD);
        if (Arrays.asList(constants).contains(null)) {
            refuseNull(body);
        }
    }

    /** The reader's constants of the writer's symbols; null for those that it lacks. */
    static Object[] constants(SchemaType.EnumOf writer, CompiledEnum reader) {
        Object[] constants = new Object[writer.symbols.size()];
        for (int i = 0; i < constants.length; i++) {
            int known = reader.type().symbols.indexOf(reader.type().known(writer.symbols.get(i)));
            constants[i] = known < 0 ? null : reader.constants.get(known);
        }
        return constants;
    }

    static void refuseNull(Body body) {
        Label some = body.label();
        body.op(Opcodes.DUP);
        body.jump(Opcodes.IFNONNULL, some);
        fault(body);
        body.mark(some);
    }

    static void fault(Body body) {
        body.code.visitFieldInsn(Opcodes.GETSTATIC, Type.getInternalName(Fault.class), "FAULT",
            Type.getDescriptor(Fault.class));
        body.op(Opcodes.ATHROW);
    }

    static void charge(Body body, int cells) {
        if (cells > 0) {
            body.aload(0);
            body.push(cells);
            body.call(Reader.class, "charge", void.class, int.class);
        }
    }

    /** Pushes a checked count of elements, which take {@code cells} each. */
    private static void count(Body body, SchemaType item, int cells) {
        body.aload(0);
        int form = RowForm.of(item);
        if (form == RowForm.PLAIN) {
            body.push(cells);
            body.call(Reader.class, "count", int.class, int.class);
        } else {
            body.push(form);
            body.push(cells);
            body.call(Reader.class, "count", int.class, int.class, int.class);
        }
    }

    private void list(Body body, SchemaType.ListOf writer, CompiledList reader) {
        Class<?> made = NativeContainers.made(reader.raw);
        if (made == ArrayList.class && isRecursive(writer.item) && reader.item instanceof CompiledStruct) {
            recursive(body, writer.item, reader.item);
            return;
        }
        int n = body.local(int.class);
        int elementCells = cells.element(writer, (SchemaType.ListOf) reader.type());
        if (rules.facts().isFlat(writer.item)) {
            Label inRows = marked(body, n);
            columns.list(body, writer, reader, n);
            body.op(Opcodes.ARETURN);
            body.mark(inRows);
            body.aload(0);
            body.iload(n);
            body.push(elementCells);
            body.call(Reader.class, "claimElements", void.class, int.class, int.class);
        } else {
            count(body, writer.item, elementCells);
            body.istore(n);
        }
        if (isWidenedToObjects(writer.item, reader.item)) {
            body.aload(0);
            body.iload(n);
            body.op(Opcodes.I2L);
            body.call(Reader.class, "reserve", void.class, long.class);
        }
        if (reader.raw.isArray() && reader.item.raw.isPrimitive()) {
            body.aload(0);
            body.iload(n);
            if (reader.item.raw == boolean.class) {
                body.callStatic(Flags.class, "read", boolean[].class, Reader.class, int.class);
            } else {
                numbers(body, writer.item.numeric(), ((CompiledScalar) reader.item).kind());
            }
        } else if (reader.raw.isArray()) {
            row(body, writer.item, reader.item, n, () -> {
                program.constant(body, reader.raw.getComponentType(), Class.class);
                body.iload(n);
                body.callStatic(Containers.class, "array", Object[].class, Class.class, int.class);
            });
        } else if (made == ArrayList.class && writer.item.numeric() == null) {
            int list = body.local(ArrayList.class);
            body.begin(ArrayList.class);
            body.iload(n);
            body.construct(ArrayList.class, int.class);
            body.store(ArrayList.class, list);
            elements(body, writer.item, reader.item, list, n, ArrayList.class);
            body.aload(list);
        } else {
            row(body, writer.item, reader.item, n);
            ContainerCode.list(body, made, ContainerCode.READ);
        }
    }

    /** Reads a count into a local. Jumps to the label that it returns unless the count is marked as that of columns. */
    private static Label marked(Body body, int count) {
        Label inRows = body.label();
        body.aload(0);
        body.call(Reader.class, "u32", int.class);
        body.istore(count);
        body.iload(count);
        body.jump(Opcodes.IFGE, inRows);
        return inRows;
    }

    /** Whether elements of one cell each become {@link java.math.BigInteger}s, which take two. */
    static boolean isWidenedToObjects(SchemaType writer, CompiledType reader) {
        CompiledType item = reader instanceof CompiledOption option ? option.item : reader;
        return writer.numeric() != null && item.type().is(Kind.BIGINT);
    }

    private boolean isRecursive(SchemaType type) {
        return type instanceof SchemaType.Struct struct && rules.facts().recursive(struct);
    }

    /**
     * A list of recursive structs. Most of those in a tree are empty, and for them nothing is called: code calls itself
     * only where there are elements, not for each struct. A tenth of a tree's time.
     */
    private void recursive(Body body, SchemaType item, CompiledType reader) {
        int n = body.local(int.class);
        Label some = body.label();
        Label done = body.label();
        body.aload(0);
        body.call(Reader.class, "length", int.class);
        body.istore(n);
        body.iload(n);
        body.jump(Opcodes.IFNE, some);
        body.begin(ArrayList.class);
        body.push(0);
        body.construct(ArrayList.class, int.class);
        body.jump(Opcodes.GOTO, done);
        body.mark(some);
        body.aload(0);
        body.iload(n);
        program.call(body, once(elements, Role.ELEMENTS, "elements", item, reader), ArrayList.class, Reader.class,
            int.class);
        body.mark(done);
    }

    /** The elements of such a list, whose number is local 1; all of them are on one level. */
    private void recursion(String name, SchemaType item, CompiledStruct reader) {
        Body body = program.method(name, ArrayList.class, Reader.class, int.class);
        int list = body.local(ArrayList.class);
        int i = body.local(int.class);
        Label next = body.label();
        body.aload(0);
        body.iload(1);
        body.push(Cells.capped((long) cells.slot(item, reader.type()) + cells.row(item, reader.type())));
        body.call(Reader.class, "claimElements", void.class, int.class, int.class);
        body.aload(0);
        body.call(Reader.class, "enter", void.class);
        body.begin(ArrayList.class);
        body.iload(1);
        body.construct(ArrayList.class, int.class);
        body.store(ArrayList.class, list);
        body.push(0);
        body.istore(i);
        body.mark(next);
        Region element = new Region(body);
        StructReadCode code = new StructReadCode(program, rules, cells, this, body, reader);
        code.slots(item);
        body.aload(list);
        code.make();
        element.at(i);
        body.call(ArrayList.class, "add", boolean.class, Object.class);
        body.op(Opcodes.POP);
        body.code.visitIincInsn(i, 1);
        body.iload(i);
        body.iload(1);
        body.jump(Opcodes.IF_ICMPLT, next);
        body.aload(0);
        body.call(Reader.class, "leave", void.class);
        body.aload(list);
        body.op(Opcodes.ARETURN);
        body.unreachable();
        body.end();
    }

    /** Reads a row of numbers of one kind as another, with the count on top of the stack and the reader below it. */
    private static void numbers(Body body, Kind from, Kind to) {
        ScalarCode.readRow(body, from);
        if (from != to) {
            kind(body, from);
            kind(body, to);
            body.callStatic(Boxing.class, "widened", Object.class, Object.class, Kind.class, Kind.class);
            if (to != Kind.BIGINT) {
                body.cast(ScalarCode.natural(to).arrayType());
            }
        }
    }

    private static void kind(Body body, Kind kind) {
        body.code.visitLdcInsn(kind.word());
        body.callStatic(Boxing.class, "kind", Kind.class, String.class);
    }

    /** Reads a row into an array of objects that it makes, of which {@code n} holds the length; leaves it. */
    private void row(Body body, SchemaType writer, CompiledType reader, int n) {
        row(body, writer, reader, n, () -> {
            body.iload(n);
            body.code.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
        });
    }

    /**
     * Reads a row into the array of objects that {@code array} pushes, of which {@code n} holds the length; leaves it.
     * A row of numbers comes in an array of its own first: only when all of it is there, room is made for their boxes.
     */
    private void row(Body body, SchemaType writer, CompiledType reader, int n, Runnable array) {
        Kind kind = writer.numeric();
        if (kind != null) {
            CompiledType item = reader instanceof CompiledOption option ? option.item : reader;
            if (item instanceof CompiledConverted converted) {
                program.constant(body, converted.converter, Converter.class);
                row(body, writer, converted.wire, n);
                array.run();
                body.push(reader instanceof CompiledOption option && !option.isNullable() && !option.isScala() ? 1 : 0);
                body.aload(0);
                body.callStatic(Conversions.class, "decodeAll", Object[].class, Converter.class, Object[].class,
                    Object[].class, boolean.class, Reader.class);
                scalaOptions(body, reader);
                return;
            }
            body.aload(0);
            body.iload(n);
            numbers(body, kind, ((CompiledScalar) item).kind());
            if (reader instanceof CompiledOption option && !option.isNullable() && !option.isScala()) {
                array.run();
                program.constant(body, option.raw, Class.class);
                body.callStatic(Boxing.class, "optional", Object[].class, Object.class, Object[].class, Class.class);
            } else {
                array.run();
                body.callStatic(Boxing.class, "boxed", Object[].class, Object.class, Object[].class);
                scalaOptions(body, reader);
            }
            return;
        }
        array.run();
        String name = program.name("row");
        int into = body.local(Object[].class);
        body.store(Object[].class, into);
        body.aload(0);
        body.aload(into);
        body.iload(n);
        program.call(body, name, void.class, Reader.class, Object[].class, int.class);
        later.add(new Pending(Role.ROW, name, writer, reader));
        body.aload(into);
    }

    /** Reads slots into an array that is local 1; their number is local 2. */
    private void loop(String name, SchemaType writer, CompiledType reader) {
        Body body = program.method(name, void.class, Reader.class, Object[].class, int.class);
        elements(body, writer, reader, 1, 2, Object[].class);
        body.op(Opcodes.RETURN);
        body.end();
    }

    /** Reads the slots of a row, {@code n} of them, into the list or array in the local {@code into}. */
    private void elements(Body body, SchemaType writer, CompiledType reader, int into, int n, Class<?> target) {
        int flags = body.local(int.class);
        int i = body.local(int.class);
        int element = body.local(Object.class);
        if (writer.flagged()) {
            body.aload(0);
            body.iload(n);
            body.call(Reader.class, "flagRow", int.class, int.class);
            body.istore(flags);
        }
        body.push(0);
        body.istore(i);
        Label next = body.label();
        Label done = body.label();
        body.mark(next);
        body.iload(i);
        body.iload(n);
        body.jump(Opcodes.IF_ICMPGE, done);
        Region value = new Region(body);
        slot(body, writer, reader, new Push.RowFlag(flags, i));
        value.at(i);
        body.box(reader.raw);
        body.store(Object.class, element);
        body.aload(into);
        if (target == ArrayList.class) {
            body.aload(element);
            body.call(ArrayList.class, "add", boolean.class, Object.class);
            body.op(Opcodes.POP);
        } else {
            body.iload(i);
            body.aload(element);
            body.op(Opcodes.AASTORE);
        }
        body.code.visitIincInsn(i, 1);
        body.jump(Opcodes.GOTO, next);
        body.mark(done);
    }

    private void set(Body body, SchemaType.SetOf writer, CompiledSet reader) {
        int n = body.local(int.class);
        count(body, writer.item, cells.element(writer));
        body.istore(n);
        row(body, writer.item, reader.item, n);
        ContainerCode.set(body, program, reader, ContainerCode.READ);
    }

    private void map(Body body, SchemaType.MapOf writer, CompiledMap reader) {
        int n = body.local(int.class);
        if (rules.facts().isFlat(writer.value)) {
            Label inRows = marked(body, n);
            columns.map(body, writer, reader, n);
            body.op(Opcodes.ARETURN);
            body.mark(inRows);
        } else {
            body.aload(0);
            body.call(Reader.class, "length", int.class);
            body.istore(n);
        }
        body.aload(0);
        body.iload(n);
        body.push(RowForm.of(writer.key));
        body.push(RowForm.of(writer.value));
        body.push(cells.element(writer, (SchemaType.MapOf) reader.type()));
        body.call(Reader.class, "claimEntries", void.class, int.class, int.class, int.class, int.class);
        Region keys = new Region(body);
        row(body, writer.key, reader.key, n);
        keys.elements(".key");
        Region values = new Region(body);
        row(body, writer.value, reader.value, n);
        values.elements(".value");
        ContainerCode.map(body, program, reader, ContainerCode.READ);
    }

    private void union(Body body, SchemaType.Union writer, CompiledUnion reader) {
        int members = writer.members.size();
        Label[] cases = new Label[members];
        Label lacking = body.label();
        List<CompiledStruct> known = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            known.add(reader.known(writer.members.get(i).name));
            cases[i] = known.get(i) == null ? lacking : body.label();
        }
        body.aload(0);
        body.push(members);
        body.call(Reader.class, "index", int.class, int.class);
        body.code.visitTableSwitchInsn(0, members - 1, lacking, cases);
        Label done = body.label();
        for (int i = 0; i < members; i++) {
            if (cases[i] != lacking) {
                body.mark(cases[i]);
                charge(body, member(writer.members.get(i), known.get(i)));
                inner(body, writer.members.get(i), known.get(i));
                body.cast(jvm(reader.raw));
                body.jump(Opcodes.GOTO, done);
            }
        }
        body.mark(lacking);
        fault(body);
        body.mark(done);
    }

    /** What a member of a union is charged before it is read; nothing of one that is not known is paid in advance. */
    private int member(SchemaType.Struct writer, CompiledStruct reader) {
        if (reader.standInCells == 0) {
            return cells.present(writer, reader.type());
        }
        return isRecursive(writer) ? 0 : rowCells(writer, reader);
    }

    private int rowCells(SchemaType writer, CompiledStruct reader) {
        return reader.standInCells == 0 ? cells.row(writer, reader.type())
            : Cells.capped((long) rules.cells().row(writer) + reader.standInCells);
    }

    private void ref(Body body, SchemaType.Struct writer, CompiledRef reader) {
        int number = body.local(int.class);
        Label known = body.label();
        body.aload(0);
        body.call(Reader.class, "u32", int.class);
        body.istore(number);
        body.aload(0);
        body.iload(number);
        body.code.visitLdcInsn(writer.name);
        body.callStatic(SharedStructs.class, "find", Object.class, Reader.class, int.class, String.class);
        body.op(Opcodes.DUP);
        body.jump(Opcodes.IFNONNULL, known);
        body.op(Opcodes.POP);
        body.aload(0);
        body.iload(number);
        body.code.visitLdcInsn(writer.name);
        charge(body, cells.present(writer, reader.struct.type()));
        inner(body, writer, reader.struct);
        body.callStatic(SharedStructs.class, "end", Object.class, Reader.class, int.class, String.class, Object.class);
        body.mark(known);
    }

    private void struct(String name, SchemaType writer, CompiledStruct reader) {
        Body body = program.method(name, jvm(reader.raw), Reader.class);
        StructReadCode code = new StructReadCode(program, rules, cells, this, body, reader);
        boolean recursive = isRecursive(writer);
        if (recursive) {
            body.aload(0);
            body.push(rowCells(writer, reader));
            body.call(Reader.class, "enter", void.class, int.class);
        }
        code.slots(writer);
        if (recursive) {
            body.aload(0);
            body.call(Reader.class, "leave", void.class);
        }
        code.make();
        body.op(Opcodes.ARETURN);
        if (recursive) {
            body.unreachable();
        }
        body.end();
    }

    /** The reader's slot for a part of the writer's struct or tuple; null if it lacks that. */
    static Slot slotFor(SchemaType writer, CompiledStruct reader, int index) {
        if (reader.standInCells > 0) {
            return null;
        } else if (writer instanceof SchemaType.Struct struct) {
            String name = struct.fields.get(index).name();
            for (Slot slot : reader.slots) {
                if (slot.name.equals(name)) {
                    return slot;
                }
            }
            return null;
        }
        return reader.slots.get(index);
    }
}
