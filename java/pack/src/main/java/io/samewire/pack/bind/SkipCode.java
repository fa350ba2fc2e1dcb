package io.samewire.pack.bind;

import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Skip;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** Moves over a slot that the reader lacks. */
final class SkipCode {
    private SkipCode() {}

    static void skip(ProgramBuilder program, Body body, MessageRules rules, SchemaType type, Push flag) {
        if (type.is(Kind.BOOL)) {
            return;
        }
        Label absent = body.label();
        SchemaType inner = type;
        if (type instanceof SchemaType.Option option) {
            flag.push(body);
            body.jump(Opcodes.IFEQ, absent);
            inner = option.item;
        }
        program.constant(body, new Skip(rules, inner, inner != type), Skip.class);
        body.aload(0);
        body.call(Skip.class, "skip", void.class, Reader.class);
        body.mark(absent);
    }
}
