package io.samewire.pack.bind;

import io.samewire.pack.wire.Writer;
import org.objectweb.asm.Opcodes;

/**
 * What a loop over structs remembers of a slot of text: the string of the struct before and its number, or -1. The same object
 * again is the same text, so that nothing has to be looked up. In locals, because a reference that is stored in an object costs
 * the collector's barrier.
 */
record TextBefore(int text, int number) {
    /** Begins a loop. */
    static TextBefore begin(Body body) {
        TextBefore before = new TextBefore(body.local(String.class), body.local(int.class));
        body.op(Opcodes.ACONST_NULL);
        body.store(String.class, before.text);
        body.push(-1);
        body.istore(before.number);
        return before;
    }

    /** Writes the string that {@code load} pushes. */
    void write(Body body, Push load, int site) {
        int text = body.local(String.class);
        var other = body.label();
        var done = body.label();
        load.push(body);
        body.store(String.class, text);
        body.aload(text);
        body.aload(this.text);
        body.jump(Opcodes.IF_ACMPNE, other);
        body.iload(number);
        body.jump(Opcodes.IFLT, other);
        body.aload(0);
        body.iload(number);
        body.push(site);
        body.call(Writer.class, "earlier", void.class, int.class, int.class);
        body.jump(Opcodes.GOTO, done);
        body.mark(other);
        body.aload(0);
        body.aload(text);
        body.push(site);
        body.call(Writer.class, "text", int.class, String.class, int.class);
        body.istore(number);
        body.aload(text);
        body.store(String.class, this.text);
        body.mark(done);
    }
}
