package io.samewire.pack.bind;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** A loop of generated code over indices, the test at its end. */
final class Loop {
    /** The local that holds the index. */
    final int index;
    private final Body body;
    private final Label next;
    private final Label test;

    /** Begins a loop from 0. */
    Loop(Body body) {
        this(body, -1);
    }

    /** Begins a loop from what the local {@code from} holds. */
    Loop(Body body, int from) {
        this.body = body;
        index = body.local(int.class);
        next = body.label();
        test = body.label();
        if (from < 0) {
            body.push(0);
        } else {
            body.iload(from);
        }
        body.istore(index);
        body.jump(Opcodes.GOTO, test);
        body.mark(next);
    }

    /** Goes on below what the local {@code to} holds. */
    void end(int to) {
        body.code.visitIincInsn(index, 1);
        body.mark(test);
        body.iload(index);
        body.iload(to);
        body.jump(Opcodes.IF_ICMPLT, next);
    }
}
