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
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Containers;
import io.samewire.pack.wire.Conversions;
import io.samewire.pack.wire.Entries;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.Flags;
import io.samewire.pack.wire.LostFields;
import io.samewire.pack.wire.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * Generates the writing half of a program: a method for each struct, collection and row. In every method the writer is
 * local 0.
 */
final class WriteCode {
    /** A method that is yet to be generated. */
    private static final class Pending {
        final String name;
        final CompiledType compiled;
        /** Whether it writes a row of such slots. */
        final boolean row;

        Pending(String name, CompiledType compiled, boolean row) {
            this.name = name;
            this.compiled = compiled;
            this.row = row;
        }
    }

    /** A slot of a struct in a local. */
    private final class SlotValue extends Push {
        private final Slot slot;
        private final Push.Local struct;

        SlotValue(Slot slot, Push.Local struct) {
            this.slot = slot;
            this.struct = struct;
        }

        @Override
        void push(Body body) {
            get(body, slot, struct);
        }
    }

    /**
     * Locals of a loop over elements: what they are taken from, of that class; the row's flags; the index, and where it
     * ends.
     */
    private record Row(int from, Class<?> source, int flags, int index, int end) {}

    private static final int VALUE = 1;
    /** Most bytes reserved at once: a message that just fits its limit must not fail for unused room. */
    private static final int MOST_ROOM = 1024;
    /** Structs of no more slots are written in the loop over a row of them. */
    private static final int MOST_INLINE = 8;
    /** Elements after which a loop asks whether its texts are still looked up; a power of two. */
    private static final int STRETCH = 32;

    private final ProgramBuilder program;
    private final SchemaFacts facts;
    private final PrepaidCells cells;
    private final Map<CompiledType, String> methods = new IdentityHashMap<>();
    private final Deque<Pending> later = new ArrayDeque<>();
    private final ColumnWriteCode columns;

    WriteCode(ProgramBuilder program, SchemaFacts facts, Cells cells) {
        this.program = program;
        this.facts = facts;
        this.cells = new PrepaidCells(cells);
        this.columns = new ColumnWriteCode(program, facts, cells, this);
    }

    /** The root value is a row of one slot. */
    void entry(CompiledType root) {
        String name = program.name("root");
        Class<?> type = jvm(root.raw);
        Body body = program.method(name, void.class, Writer.class, type);
        charge(body, cells.slot(root.type(), root.type()));
        if (root.type().flagged()) {
            int flags = body.local(int.class);
            body.push(0);
            body.istore(flags);
            flag(body, root, VALUE, flags, 0);
            body.aload(0);
            body.iload(flags);
            body.call(Writer.class, "u8", void.class, int.class);
        }
        reserve(body, room(root));
        slot(body, root, new Push.Local(type, VALUE));
        body.op(Opcodes.RETURN);
        body.end();
        program.writeEntry(name, type);
        while (!later.isEmpty() || columns.generate()) {
            Pending method = later.poll();
            if (method == null) {
                continue;
            }
            if (method.row) {
                loop(method.name, method.compiled);
            } else if (method.compiled instanceof CompiledStruct struct) {
                struct(method.name, struct);
            } else {
                part(method.name, method.compiled);
            }
        }
    }

    private Class<?> jvm(Class<?> type) {
        return program.access.named(type);
    }

    /** Sets bit {@code bit} of the local {@code flags} where a bool is true or an option present. */
    private void flag(Body body, CompiledType compiled, int value, int flags, int bit) {
        Label no = body.label();
        present(body, compiled, new Push.Local(jvm(compiled.raw), value), no);
        body.iload(flags);
        body.push(1 << bit);
        body.op(Opcodes.IOR);
        body.istore(flags);
        body.mark(no);
    }

    /** Jumps to {@code no} where a bool is false or an option absent. */
    void present(Body body, CompiledType compiled, Push load, Label no) {
        load.push(body);
        if (compiled instanceof CompiledOption option) {
            if (option.isNullable()) {
                body.jump(Opcodes.IFNULL, no);
                return;
            }
            body.call(option.raw, option.isScala() ? "isDefined" : "isPresent", boolean.class);
        } else if (compiled.raw == Boolean.class) {
            body.unbox(boolean.class);
        }
        body.jump(Opcodes.IFEQ, no);
    }

    /**
     * Writes what stands in a slot, behind its flag, in room that is there for what has a {@link #room}; {@code load}
     * pushes the value as its class or, where that has no name, as an object.
     */
    private void slot(Body body, CompiledType compiled, Push load) {
        if (compiled instanceof CompiledOption option) {
            Label absent = body.label();
            present(body, compiled, load, absent);
            charge(body, present(option.item));
            put(body, option.item, content(option, load));
            body.mark(absent);
        } else if (!compiled.type().flagged()) {
            put(body, compiled, load);
        }
    }

    /** What is in an option that {@code load} pushes, and that is present. */
    Push content(CompiledOption option, Push load) {
        return option.isNullable() ? load
            : new Push.Content(load, option.raw, option.item.raw, jvm(option.item.raw));
    }

    /** A slot of a struct in a local. */
    Push slotOf(Slot slot, Push.Local struct) {
        return new SlotValue(slot, struct);
    }

    int dedupSlot(CompiledScalar compiled) {
        return facts.dedupSlot(compiled.type);
    }

    /** Writes the value that {@code load} pushes, without a flag. */
    void inner(Body body, CompiledType compiled, Push load) {
        reserve(body, room(compiled));
        put(body, compiled, load);
    }

    /** Likewise, in room that is there for what has a {@link #room}. */
    private void put(Body body, CompiledType compiled, Push load) {
        if (compiled instanceof CompiledConverted converted) {
            put(body, converted.wire, wire(converted, load));
        } else if (compiled instanceof CompiledScalar scalar) {
            body.aload(0);
            load.push(body);
            ScalarCode.write(body, scalar, facts);
        } else if (compiled instanceof CompiledEnum e) {
            body.aload(0);
            program.constant(body, indices(e), int[].class);
            load.push(body);
            body.cast(Enum.class);
            body.call(Enum.class, "ordinal", int.class);
            body.op(Opcodes.IALOAD);
            body.call(Writer.class, "putU32", void.class, int.class);
        } else {
            body.aload(0);
            load.push(body);
            program.call(body, method(compiled), void.class, Writer.class, jvm(compiled.raw));
        }
    }

    /** The most bytes that such a value takes behind its flag; 0 where it makes its own room. */
    private static int room(CompiledType compiled) {
        if (compiled instanceof CompiledOption option) {
            return room(option.item);
        } else if (compiled.wire() instanceof CompiledScalar scalar) {
            return ScalarCode.room(scalar.kind());
        }
        return compiled.wire() instanceof CompiledEnum ? Writer.MOST_VARINT : 0;
    }

    private static void reserve(Body body, int bytes) {
        if (bytes > 0) {
            body.aload(0);
            body.push(bytes);
            body.call(Writer.class, "reserve", void.class, int.class);
        }
    }

    /** What is written for a value that {@code load} pushes: the value, unless a converter makes another of it. */
    Push wire(CompiledType compiled, Push load) {
        return compiled instanceof CompiledConverted converted ? new Push.Encoded(load, program, converted) : load;
    }

    /** Likewise for values in an array that {@code load} pushes. */
    Push allWire(CompiledType compiled, Push load) {
        return compiled instanceof CompiledConverted converted ? new Push.AllEncoded(load, program, converted) : load;
    }

    /** From the ordinal of a constant to the index of its symbol. */
    static int[] indices(CompiledEnum compiled) {
        int[] indices = new int[compiled.constants.size()];
        for (int i = 0; i < indices.length; i++) {
            indices[compiled.constants.get(i).ordinal()] = i;
        }
        return indices;
    }

    /**
     * The method that writes such values: one for both ways of writing a list, or each list in a list would double the
     * code.
     */
    private String method(CompiledType compiled) {
        String name = methods.get(compiled);
        if (name == null) {
            name = program.name(compiled instanceof CompiledStruct ? "writeStruct" : "write");
            methods.put(compiled, name);
            later.add(new Pending(name, compiled, false));
        }
        return name;
    }

    private void part(String name, CompiledType compiled) {
        Body body = program.method(name, void.class, Writer.class, jvm(compiled.raw));
        if (compiled instanceof CompiledList list) {
            list(body, list);
        } else if (compiled instanceof CompiledSet set) {
            set(body, set);
        } else if (compiled instanceof CompiledMap map) {
            new MapWriteCode(program, this, columns).write(body, map);
        } else if (compiled instanceof CompiledUnion union) {
            union(body, union);
        } else if (compiled instanceof CompiledRef ref) {
            ref(body, ref);
        }
        body.op(Opcodes.RETURN);
        body.end();
    }

    private void struct(String name, CompiledStruct compiled) {
        Class<?> type = jvm(compiled.raw);
        Body body = program.method(name, void.class, Writer.class, type);
        boolean recursive = recursive(compiled);
        if (recursive) {
            body.aload(0);
            body.push(cells.row(compiled.type(), compiled.type()));
            body.call(Writer.class, "enter", void.class, int.class);
        }
        slots(body, compiled, new Push.Local(type, VALUE), Map.of());
        if (recursive) {
            body.aload(0);
            body.call(Writer.class, "leave", void.class);
        }
        body.op(Opcodes.RETURN);
        if (recursive) {
            body.unreachable();
        }
        body.end();
    }

    /** The texts that a loop over such elements writes itself: no texts of large structs, and of recursive ones. */
    private List<CompiledType> texts(CompiledType item) {
        if (item.type().is(Kind.STRING)) {
            return List.of(item);
        }
        List<CompiledType> texts = new ArrayList<>();
        if (item instanceof CompiledStruct struct && struct.slots.size() <= MOST_INLINE && !recursive(struct)) {
            for (Slot slot : struct.slots) {
                if (slot.compiled.type().is(Kind.STRING)) {
                    texts.add(slot.compiled);
                }
            }
        }
        return texts;
    }

    private boolean recursive(CompiledStruct compiled) {
        return compiled.type() instanceof SchemaType.Struct struct && facts.recursive(struct);
    }

    /** Writes a struct's flags and slots; {@code texts} says how to write some of them. */
    private void slots(Body body, CompiledStruct compiled, Push.Local struct, Map<CompiledType, TextCode> texts) {
        checkClass(body, compiled, struct);
        Map<Slot, Integer> locals = flags(body, compiled, struct);
        int room = 0;
        for (int i = 0; i < compiled.slots.size(); i++) {
            Slot slot = compiled.slots.get(i);
            Integer local = locals.get(slot);
            Push load = local != null ? new Push.Local(jvm(slot.compiled.raw), local) : new SlotValue(slot, struct);
            int needed = room(slot.compiled);
            if (room < needed) {
                room = roomFrom(compiled, i);
                reserve(body, room);
            }
            TextCode text = texts.get(slot.compiled);
            if (text != null) {
                text.write(body, wire(slot.compiled, load));
            } else {
                slot(body, slot.compiled, load);
            }
            room = needed == 0 ? 0 : room - needed;
        }
    }

    /** Refuses an object of a subclass with more fields. */
    void checkClass(Body body, CompiledStruct compiled, Push.Local struct) {
        if (!Modifier.isFinal(compiled.raw.getModifiers())) {
            struct.push(body);
            program.constant(body, compiled.raw, Class.class);
            body.callStatic(LostFields.class, "check", void.class, Object.class, Class.class);
        }
    }

    /** The room for a slot and those behind it, up to one that makes its own: what is reserved is not kept for them. */
    private static int roomFrom(CompiledStruct compiled, int first) {
        int room = 0;
        for (int i = first; i < compiled.slots.size(); i++) {
            int needed = room(compiled.slots.get(i).compiled);
            if (needed == 0 || room + needed > MOST_ROOM) {
                break;
            }
            room += needed;
        }
        return room;
    }

    /** Gets the slots that have flags into locals and writes the flags. */
    private Map<Slot, Integer> flags(Body body, CompiledStruct compiled, Push.Local struct) {
        Map<Slot, Integer> locals = new HashMap<>();
        int flags = -1;
        for (Slot slot : compiled.slots) {
            if (!slot.compiled.type().flagged()) {
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
            int local = body.local(jvm(slot.compiled.raw));
            get(body, slot, struct);
            body.store(jvm(slot.compiled.raw), local);
            flag(body, slot.compiled, local, flags, bit);
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

    /** Pushes a slot of a struct. */
    private void get(Body body, Slot slot, Push.Local struct) {
        if (program.access.uses(slot.getter) && program.access.names(slot.compiled.raw)) {
            struct.push(body);
            if (slot.getter instanceof Method accessor) {
                body.call(accessor);
            } else {
                body.get((Field) slot.getter);
            }
            // An accessor of a generic type returns the erasure of its type variable.
            Class<?> got = slot.getter instanceof Method accessor ? accessor.getReturnType()
                : ((Field) slot.getter).getType();
            if (got != slot.compiled.raw) {
                body.cast(slot.compiled.raw);
            }
        } else {
            var getter = program.access.getter(slot.getter, slot.compiled.raw);
            program.constant(body, getter, java.lang.invoke.MethodHandle.class);
            struct.push(body);
            program.invoke(body, getter);
        }
    }

    private void list(Body body, CompiledList compiled) {
        if (compiled.raw.isArray() && compiled.item.raw.isPrimitive()) {
            count(body, compiled, compiled.raw, VALUE);
            body.aload(0);
            body.load(compiled.raw, VALUE);
            if (compiled.item.raw == boolean.class) {
                body.callStatic(Flags.class, "write", void.class, Writer.class, boolean[].class);
            } else {
                ScalarCode.writeRow(body, ((CompiledScalar) compiled.item).kind());
            }
            return;
        }
        if (compiled.raw.isAssignableFrom(ArrayList.class) && compiled.item.type().numeric() == null) {
            arrayList(body, compiled);
        }
        int n = body.local(int.class);
        int elements = body.local(Object[].class);
        body.load(jvm(compiled.raw), VALUE);
        if (compiled.raw.isArray()) {
            body.cast(Object[].class);
        } else {
            body.callInterface(Collection.class, "toArray", Object[].class);
        }
        body.store(Object[].class, elements);
        body.aload(elements);
        body.op(Opcodes.ARRAYLENGTH);
        body.istore(n);
        columns.list(body, compiled, n, new Push.Local(Object[].class, elements));
        count(body, compiled, n);
        row(body, compiled.item, elements);
    }

    /** Returns early with what is by far the commonest list, element by element, without a copy of its array. */
    private void arrayList(Body body, CompiledList compiled) {
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
        columns.list(body, compiled, n, new Push.AsArray(list));
        count(body, compiled, n);
        elements(body, compiled.item, list, ArrayList.class, n);
        body.op(Opcodes.RETURN);
        body.mark(other);
    }

    /** Writes the count of a list, set or map, which is in the local {@code n}; takes the cells of what it holds. */
    void count(Body body, CompiledType compiled, int n) {
        body.aload(0);
        body.iload(n);
        body.push(cells.elements(compiled.type()));
        body.call(Writer.class, "count", void.class, int.class, int.class);
    }

    /** Likewise, where an array of its elements or keys is in a local. */
    void count(Body body, CompiledType compiled, Class<?> array, int elements) {
        body.aload(0);
        body.load(array, elements);
        body.op(Opcodes.ARRAYLENGTH);
        body.push(cells.elements(compiled.type()));
        body.call(Writer.class, "count", void.class, int.class, int.class);
    }

    private static void charge(Body body, int cells) {
        if (cells > 0) {
            body.aload(0);
            body.push(cells);
            body.call(Writer.class, "charge", void.class, int.class);
        }
    }

    /** What is charged for a value of an option that is present, a member of a union, and a new struct of a ref. */
    private int present(CompiledType compiled) {
        return cells.present(compiled.type(), compiled.type());
    }

    private void set(Body body, CompiledSet compiled) {
        int keys = body.local(Object[].class);
        body.load(jvm(compiled.raw), VALUE);
        sorted(body, compiled);
        body.store(Object[].class, keys);
        count(body, compiled, Object[].class, keys);
        row(body, compiled.item.wire(), keys);
    }

    /** Makes the set on top of the stack an array of its keys, as they are written and in order. */
    void sorted(Body body, CompiledSet compiled) {
        body.callInterface(Collection.class, "toArray", Object[].class);
        if (compiled.item instanceof CompiledConverted key) {
            encodeAll(body, key);
        }
        program.constant(body, order(compiled.item.wire()), Comparator.class);
        body.callStatic(Containers.class, "sorted", Object[].class, Object[].class, Comparator.class);
    }

    /** Makes of the values in the array on top of the stack, in a new one, what a converter writes for them. */
    private void encodeAll(Body body, CompiledConverted compiled) {
        program.constant(body, compiled.converter, Converter.class);
        body.op(Opcodes.SWAP);
        body.callStatic(Conversions.class, "encodeAll", Object[].class, Converter.class, Object[].class);
    }

    /** Makes the map on top of the stack its entries, with the keys as they are written, and in that order. */
    void entries(Body body, CompiledMap compiled) {
        body.aload(0);
        body.callStatic(Entries.class, "of", Entries.class, Map.class, Writer.class);
        if (compiled.key instanceof CompiledConverted key) {
            program.constant(body, key.converter, Converter.class);
            body.call(Entries.class, "encodeKeys", Entries.class, Converter.class);
        }
        program.constant(body, order(compiled.key.wire()), Comparator.class);
        body.call(Entries.class, "inOrder", Entries.class, Comparator.class);
    }

    /** The ascending order of keys, in which sets are written, and maps that have no order. */
    @SuppressWarnings("unchecked")
    private static Comparator<Object> order(CompiledType key) {
        if (key instanceof CompiledEnum compiled) {
            int[] indices = indices(compiled);
            return Comparator.comparingInt(constant -> indices[((Enum<?>) constant).ordinal()]);
        }
        Kind kind = ((CompiledScalar) key).kind();
        if (kind == Kind.UUID) {
            return Containers::compareUuids;
        } else if (kind.isInteger() && !kind.isSigned()) {
            return Containers::compareUnsigned;
        }
        return (Comparator<Object>) (Comparator<?>) Comparator.<Comparable<Object>>naturalOrder();
    }

    /** Writes a row of the elements in a local. */
    void row(Body body, CompiledType item, int elements) {
        body.aload(0);
        body.aload(elements);
        Kind kind = item.type().numeric();
        if (kind != null) {
            if (item instanceof CompiledConverted converted) {
                encodeAll(body, converted);
            }
            ScalarCode.unboxRow(body, kind);
            ScalarCode.writeRow(body, kind);
            return;
        }
        String name = program.name("row");
        program.call(body, name, void.class, Writer.class, Object[].class);
        later.add(new Pending(name, item, true));
    }

    private void loop(String name, CompiledType item) {
        Body body = program.method(name, void.class, Writer.class, Object[].class);
        int n = body.local(int.class);
        body.aload(VALUE);
        body.op(Opcodes.ARRAYLENGTH);
        body.istore(n);
        elements(body, item, VALUE, Object[].class, n);
        body.op(Opcodes.RETURN);
        body.end();
    }

    /** Writes the slots of a row: {@code n} elements of the list, array or iterator in the local {@code from}. */
    void elements(Body body, CompiledType item, int from, Class<?> source, int n) {
        boolean flagged = item.type().flagged();
        int flags = body.local(int.class);
        if (flagged) {
            body.aload(0);
            body.iload(n);
            body.call(Writer.class, "flagRow", int.class, int.class);
            body.istore(flags);
        }
        int i = body.local(int.class);
        body.push(0);
        body.istore(i);
        Row row = new Row(from, source, flags, i, n);
        List<CompiledType> texts = texts(item);
        boolean ahead = !texts.isEmpty() && noneBetween(item);
        Map<CompiledType, TextCode> before = new HashMap<>();
        Map<CompiledType, TextCode> unseen = new HashMap<>();
        for (CompiledType text : texts) {
            int dedupSlot = facts.dedupSlot(text.type());
            unseen.put(text, new NewText(dedupSlot, text == item, ahead));
            if (text != item) {
                before.put(text, new TextBefore(body, dedupSlot));
            }
        }
        if (!texts.isEmpty()) {
            each(body, item, row, before, texts);
        }
        if (ahead) {
            // That each text were to find and leave the next number in memory would take a tenth of the time.
            body.aload(0);
            body.iload(n);
            body.iload(i);
            body.op(Opcodes.ISUB);
            body.push(texts.size());
            body.call(Writer.class, "number", void.class, int.class, int.class);
        }
        each(body, item, row, unseen, List.of());
    }

    /**
     * Whether elements hold no text but what their loop writes itself, so that no other text gets a number meanwhile.
     */
    private static boolean noneBetween(CompiledType item) {
        if (item instanceof CompiledStruct struct) {
            for (Slot slot : struct.slots) {
                if (!(slot.compiled.wire() instanceof CompiledScalar scalar) || scalar.kind() == Kind.ANY) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Writes the elements from the local {@code row.index} on, as long as texts are looked up at one of the dedup slots
     * of {@code asked}, if it has any: every so often it asks.
     */
    private void each(Body body, CompiledType item, Row row, Map<CompiledType, TextCode> texts,
        List<CompiledType> asked) {
        int element = body.local(Object.class);
        Class<?> type = jvm(Body.boxOf(item.raw));
        Label next = body.label();
        Label done = body.label();
        body.mark(next);
        body.iload(row.index);
        body.iload(row.end);
        body.jump(Opcodes.IF_ICMPGE, done);
        if (!asked.isEmpty()) {
            ask(body, row, asked, done);
        }
        next(body, row);
        body.cast(type);
        body.store(type, element);
        Push.Local load = new Push.Local(type, element);
        if (item.type().flagged()) {
            Label absent = body.label();
            present(body, item, load, absent);
            body.aload(0);
            body.iload(row.flags);
            body.iload(row.index);
            body.call(Writer.class, "flag", void.class, int.class, int.class);
            if (item instanceof CompiledOption option) {
                charge(body, present(option.item));
                inner(body, option.item, content(option, load));
            }
            body.mark(absent);
        } else if (texts.containsKey(item)) {
            reserve(body, Writer.MOST_TOKEN);
            texts.get(item).write(body, wire(item, load));
        } else if (texts.isEmpty()) {
            inner(body, item, load);
        } else {
            slots(body, (CompiledStruct) item, load, texts);
        }
        body.code.visitIincInsn(row.index, 1);
        body.jump(Opcodes.GOTO, next);
        body.mark(done);
    }

    /** Pushes the next element. */
    private static void next(Body body, Row row) {
        body.aload(row.from);
        if (row.source == Iterator.class) {
            body.callInterface(Iterator.class, "next", Object.class);
            return;
        }
        body.iload(row.index);
        if (row.source == ArrayList.class) {
            body.call(ArrayList.class, "get", Object.class, int.class);
        } else {
            body.op(Opcodes.AALOAD);
        }
    }

    /** Jumps to {@code closed} if no text is looked up any more, where the row's index says that it is time to ask. */
    private void ask(Body body, Row row, List<CompiledType> asked, Label closed) {
        Label open = body.label();
        body.iload(row.index);
        body.push(STRETCH - 1);
        body.op(Opcodes.IAND);
        body.jump(Opcodes.IFNE, open);
        for (CompiledType text : asked) {
            body.aload(0);
            body.push(facts.dedupSlot(text.type()));
            body.call(Writer.class, "looksUp", boolean.class, int.class);
            body.jump(Opcodes.IFNE, open);
        }
        body.jump(Opcodes.GOTO, closed);
        body.mark(open);
    }

    private void union(Body body, CompiledUnion compiled) {
        for (CompiledStruct member : compiled.nearestFirst) {
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
            body.push(compiled.members.indexOf(member));
            body.call(Writer.class, "u32", void.class, int.class);
            charge(body, present(member));
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

    private void ref(Body body, CompiledRef compiled) {
        Label before = body.label();
        Class<?> type = jvm(compiled.raw);
        body.aload(0);
        body.aload(VALUE);
        body.call(Writer.class, "sharedBefore", boolean.class, Object.class);
        body.jump(Opcodes.IFNE, before);
        charge(body, present(compiled.struct));
        body.aload(0);
        body.aload(VALUE);
        program.call(body, method(compiled.struct), void.class, Writer.class, type);
        body.aload(0);
        body.aload(VALUE);
        body.call(Writer.class, "share", void.class, Object.class);
        body.mark(before);
    }
}
