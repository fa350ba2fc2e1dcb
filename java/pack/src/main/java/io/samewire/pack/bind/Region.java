package io.samewire.pack.bind;

import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Traced;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A part of a method that reads. Where its program traces, what is thrown there gets a step of a path
 * ({@link Traced}), which one of the methods that end the region adds. No code is made in other programs.
 */
final class Region {
    private final Body body;
    private final Label from = new Label();

    /** Begins at the next instruction; regions that begin later end before. */
    Region(Body body) {
        this.body = body;
        if (body.tracing) {
            body.mark(from);
        }
    }

    /** Ends with the field or element of a tuple that {@code step} leads to. */
    void step(String step) {
        if (body.tracing) {
            Label after = caught();
            body.code.visitLdcInsn(step);
            rethrow(after, "step", String.class);
        }
    }

    /** Ends with the value of a row or column whose index is in a local. */
    void at(int index) {
        if (body.tracing) {
            Label after = caught();
            body.iload(index);
            rethrow(after, "at", int.class);
        }
    }

    /** Ends with the row or column of all elements of a container, or of a part of a map's entries. */
    void elements(String part) {
        if (body.tracing) {
            Label after = caught();
            body.code.visitLdcInsn(part);
            rethrow(after, "element", String.class);
        }
    }

    /** Ends with the element of a container whose index is in a local, counted from that in another. */
    void element(int index, int first, String part) {
        if (body.tracing) {
            Label after = caught();
            body.iload(index);
            body.iload(first);
            body.op(Opcodes.ISUB);
            body.code.visitLdcInsn(part);
            rethrow(after, "element", int.class, String.class);
        }
    }

    /** Ends with the column of the elements of as many containers as a local says, whose bounds are in another. */
    void run(int bounds, int count, String part) {
        if (body.tracing) {
            Label after = caught();
            body.code.visitLdcInsn(part);
            body.aload(bounds);
            body.iload(count);
            rethrow(after, "run", String.class, long[].class, int.class);
        }
    }

    /** Ends with the column of what is present of as many values as a local says, whose flags are at another. */
    void present(int flags, int count) {
        if (body.tracing) {
            Label after = caught();
            body.aload(0);
            body.iload(flags);
            body.iload(count);
            rethrow(after, "present", Reader.class, int.class, int.class);
        }
    }

    private Label caught() {
        Label to = new Label();
        Label handler = new Label();
        Label after = new Label();
        body.mark(to);
        body.jump(Opcodes.GOTO, after);
        body.mark(handler);
        body.code.visitTryCatchBlock(from, to, handler, Type.getInternalName(Exception.class));
        return after;
    }

    private void rethrow(Label after, String name, Class<?>... parameters) {
        Class<?>[] all = new Class<?>[parameters.length + 1];
        all[0] = Exception.class;
        System.arraycopy(parameters, 0, all, 1, parameters.length);
        body.callStatic(Traced.class, name, Traced.class, all);
        body.op(Opcodes.ATHROW);
        body.mark(after);
    }
}
