package io.samewire.pack.bind;

import org.objectweb.asm.Opcodes;

/**
 * An instruction of a {@link RecordedMethod}: one of the JVM, by its opcode, with its operands resolved. Where the JVM
 * has an instruction for each type of a value, one of them stands for all, because an entry of a {@link Frame} holds
 * any.
 */
final class Instruction {
    /** Pushes {@link #number}; {@code LDC} in the JVM, and {@code ICONST_0} and the like. */
    static final int NUMBER = Opcodes.LDC;
    /** Pushes {@link #object}, which may be null. */
    static final int OBJECT = Opcodes.ACONST_NULL;
    /** Pushes a local, the operand. */
    static final int LOAD = Opcodes.ALOAD;
    /** Pops a local, the operand. */
    static final int STORE = Opcodes.ASTORE;
    /** Returns the value on top of the stack. */
    static final int RETURN_VALUE = Opcodes.ARETURN;
    /** Calls the {@link RecordedMethod} that is the object. */
    static final int CALL_RECORDED = Opcodes.INVOKESTATIC;
    /** Calls the {@link Linked} that is the object: a method, or an access to a field. */
    static final int CALL = Opcodes.INVOKEVIRTUAL;
    /** Makes an object by the constructor that is the {@link Linked} in {@link #object}. */
    static final int CONSTRUCT = Opcodes.INVOKESPECIAL;
    /** Calls the method handle that lies below its arguments. */
    static final int CALL_HANDLE = Opcodes.INVOKEDYNAMIC;

    final int opcode;
    /** A local, the instruction to go on at, or the lowest number of a switch. */
    int operand;
    final long number;
    Object object;

    Instruction(int opcode, int operand, long number, Object object) {
        this.opcode = opcode;
        this.operand = operand;
        this.number = number;
        this.object = object;
    }
}
