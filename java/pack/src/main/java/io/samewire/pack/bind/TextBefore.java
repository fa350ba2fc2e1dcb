package io.samewire.pack.bind;

import io.samewire.pack.wire.Writer;
import org.objectweb.asm.Opcodes;

/**
 * A text of a loop over structs that remembers the string of the struct before and its number, or -1. The same object
 * again is the same text, so that nothing has to be looked up. In locals, because a reference that is stored in an
 * object costs the collector's barrier.
 */
final class TextBefore extends TextCode {
    private final int before;
    private final int number;

    /** Begins the loop. */
    TextBefore(Body body, int dedupSlot) {
        super(dedupSlot);
        before = body.local(String.class);
        number = body.local(int.class);
        body.op(Opcodes.ACONST_NULL);
        body.store(String.class, before);
        body.push(-1);
        body.istore(number);
    }

    @Override
    void write(Body body, Push load) {
        int text = body.local(String.class);
        var other = body.label();
        var done = body.label();
        load.push(body);
        body.store(String.class, text);
        body.aload(text);
        body.aload(before);
        body.jump(Opcodes.IF_ACMPNE, other);
        body.iload(number);
        body.jump(Opcodes.IFLT, other);
        body.aload(0);
        body.iload(number);
        body.push(dedupSlot);
        body.call(Writer.class, "earlier", void.class, int.class, int.class);
        body.jump(Opcodes.GOTO, done);
        body.mark(other);
        call(body, new Push.Local(String.class, text), "text", int.class);
        body.istore(number);
        body.aload(text);
        body.store(String.class, before);
        body.mark(done);
    }
}
