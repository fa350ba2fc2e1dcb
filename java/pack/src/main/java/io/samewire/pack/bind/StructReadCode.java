package io.samewire.pack.bind;

import io.samewire.core.Path;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Reader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * Generates the code that reads a struct or tuple: its slots go to locals in the writer's order, and from there to the
 * constructor in the reader's.
 */
final class StructReadCode {
    private final ProgramBuilder program;
    private final MessageRules rules;
    private final PrepaidCells cells;
    private final ReadCode code;
    private final Body body;
    private final CompiledStruct reader;
    private final Map<Slot, Integer> locals = new HashMap<>();

    StructReadCode(ProgramBuilder program, MessageRules rules, PrepaidCells cells, ReadCode code, Body body,
        CompiledStruct reader) {
        this.program = program;
        this.rules = rules;
        this.cells = cells;
        this.code = code;
        this.body = body;
        this.reader = reader;
    }

    /** The step of a path that leads to a slot. */
    static String step(CompiledStruct struct, Slot slot) {
        return struct.type() instanceof SchemaType.Struct ? Path.field(slot.name)
            : Path.element(struct.slots.indexOf(slot));
    }

    /** Leaves the object. */
    void make() {
        new MakeCode(program, body).make(reader, locals);
    }

    /** An option in a field that the reader requires: null takes the field's default. */
    private void orDefault(SchemaType.Option writer, Slot slot, Push flag) {
        Label absent = body.label();
        Label done = body.label();
        new MakeCode(program, body).mayDefault(slot);
        flag.push(body);
        body.jump(Opcodes.IFEQ, absent);
        ReadCode.charge(body, cells.present(writer.item, slot.compiled.type()));
        code.inner(body, writer.item, slot.compiled);
        body.jump(Opcodes.GOTO, done);
        body.mark(absent);
        new MakeCode(program, body).makeDefault(slot);
        body.mark(done);
    }

    /** Reads the slots. */
    void slots(SchemaType writer) {
        List<SchemaType> types = writer.parts();
        int flagged = 0;
        for (SchemaType each : types) {
            flagged += each.flagged() ? 1 : 0;
        }
        int[] flags = new int[(flagged + 7) / 8];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = body.local(int.class);
            body.aload(0);
            body.push((1 << Math.min(8, flagged - 8 * i)) - 1);
            body.call(Reader.class, "flags", int.class, int.class);
            body.istore(flags[i]);
        }
        int bit = 0;
        for (int i = 0; i < types.size(); i++) {
            Push flag = null;
            if (types.get(i).flagged()) {
                flag = new Push.Bit(flags[bit >> 3], bit & 7);
                bit++;
            }
            Slot slot = ReadCode.slotFor(writer, reader, i);
            if (slot == null) {
                SkipCode.skip(program, body, rules, types.get(i), flag);
                continue;
            }
            Region part = new Region(body);
            if (types.get(i) instanceof SchemaType.Option option && !(slot.compiled instanceof CompiledOption)) {
                orDefault(option, slot, flag);
            } else {
                code.slot(body, types.get(i), slot.compiled, flag);
            }
            part.step(step(reader, slot));
            Class<?> type = program.access.named(slot.compiled.raw);
            int local = body.local(type);
            body.store(type, local);
            locals.put(slot, local);
        }
    }
}
