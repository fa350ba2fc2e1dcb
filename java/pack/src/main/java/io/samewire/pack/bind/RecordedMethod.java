package io.samewire.pack.bind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A method of a program, recorded as {@link Instruction}s. It knows the instructions that this package's code is made
 * of, and refuses others when they are recorded.
 */
final class RecordedMethod extends MethodVisitor {
    /** What is thrown in the instructions from {@code from} to before {@code to} goes to {@code handler}. */
    private record Handler(Label from, Label to, Label handler, Class<?> type) {}

    /** The locals of the parameters. */
    final int[] parameters;
    final char result;
    private final RecordedClass owner;
    private final List<Instruction> recorded = new ArrayList<>();
    private final List<Handler> handlers = new ArrayList<>();
    private final Map<Label, Integer> positions = new HashMap<>();
    /** How many entries the stack has at a label that something before it jumps to. */
    private final Map<Label, Integer> depths = new HashMap<>();
    private Instruction[] instructions;
    private int locals;
    private int depth;
    private int deepest;

    RecordedMethod(RecordedClass owner, String descriptor, boolean instance) {
        super(Opcodes.ASM9);
        this.owner = owner;
        Type[] types = Type.getArgumentTypes(descriptor);
        this.parameters = new int[types.length];
        this.locals = instance ? 1 : 0;
        for (int i = 0; i < types.length; i++) {
            parameters[i] = locals;
            locals += types[i].getSize();
        }
        this.result = letter(Type.getReturnType(descriptor));
    }

    private static char letter(Type type) {
        char letter = type.getDescriptor().charAt(0);
        return letter == '[' ? 'L' : letter;
    }

    Instruction[] instructions() {
        return instructions;
    }

    /** Where the stack begins. */
    int stack() {
        return locals;
    }

    /** Entries of its frame: one more than it has at once, for an object that is made, and to exchange two. */
    int frameSize() {
        return locals + deepest + 1;
    }

    /** Where to go on after something was thrown; -1 to throw it on. */
    int handler(int at, Throwable thrown) {
        for (Handler handler : handlers) {
            if (positions.get(handler.from) <= at && at < positions.get(handler.to)
                && handler.type.isInstance(thrown)) {
                return positions.get(handler.handler);
            }
        }
        return -1;
    }

    void link() {
        for (Instruction each : recorded) {
            if (each.opcode == Instruction.CALL_RECORDED) {
                each.object = owner.method((String) each.object);
            } else if (each.object instanceof Label label) {
                each.operand = positions.get(label);
            } else if (each.object instanceof Label[] labels) {
                int[] targets = new int[labels.length];
                for (int i = 0; i < targets.length; i++) {
                    targets[i] = positions.get(labels[i]);
                }
                each.object = targets;
            }
        }
        instructions = recorded.toArray(new Instruction[0]);
    }

    /** Records an instruction that changes the depth of the stack by so much. */
    private void add(int opcode, int change, int operand, long number, Object object) {
        recorded.add(new Instruction(opcode, operand, number, object));
        depth += change;
        deepest = Math.max(deepest, depth);
    }

    private void add(int opcode, int change) {
        add(opcode, change, 0, 0, null);
    }

    private void number(long number) {
        add(Instruction.NUMBER, 1, 0, number, null);
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.NOP -> { }
            case Opcodes.ACONST_NULL -> add(Instruction.OBJECT, 1);
            case Opcodes.ICONST_M1, Opcodes.ICONST_0, Opcodes.ICONST_1, Opcodes.ICONST_2, Opcodes.ICONST_3,
                Opcodes.ICONST_4, Opcodes.ICONST_5 -> number(opcode - Opcodes.ICONST_0);
            case Opcodes.LCONST_0, Opcodes.FCONST_0, Opcodes.DCONST_0 -> number(0);
            case Opcodes.IALOAD, Opcodes.LALOAD, Opcodes.FALOAD, Opcodes.DALOAD, Opcodes.AALOAD, Opcodes.BALOAD,
                Opcodes.CALOAD, Opcodes.SALOAD, Opcodes.POP, Opcodes.IADD, Opcodes.ISUB, Opcodes.IAND, Opcodes.IOR,
                Opcodes.ISHL, Opcodes.LAND, Opcodes.ATHROW -> add(opcode, -1);
            case Opcodes.IASTORE, Opcodes.LASTORE, Opcodes.FASTORE, Opcodes.DASTORE, Opcodes.AASTORE,
                Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE -> add(opcode, -3);
            case Opcodes.DUP -> add(opcode, 1);
            case Opcodes.I2L -> { }
            case Opcodes.SWAP, Opcodes.ARRAYLENGTH, Opcodes.L2I, Opcodes.I2B, Opcodes.I2S, Opcodes.I2F, Opcodes.I2D,
                Opcodes.L2D, Opcodes.F2D -> add(opcode, 0);
            case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN ->
                add(Instruction.RETURN_VALUE, -1);
            case Opcodes.RETURN -> add(opcode, 0);
            default -> throw unknown(opcode);
        }
    }

    private static IllegalStateException unknown(int opcode) {
        return new IllegalStateException("the interpreter has no instruction " + opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        if (opcode == Opcodes.NEWARRAY) {
            Class<?> component = switch (operand) {
                case Opcodes.T_BOOLEAN -> boolean.class;
                case Opcodes.T_CHAR -> char.class;
                case Opcodes.T_FLOAT -> float.class;
                case Opcodes.T_DOUBLE -> double.class;
                case Opcodes.T_BYTE -> byte.class;
                case Opcodes.T_SHORT -> short.class;
                case Opcodes.T_INT -> int.class;
                default -> long.class;
            };
            add(Opcodes.ANEWARRAY, 0, 0, 0, component);
        } else {
            number(operand);
        }
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
        locals = Math.max(locals, local + 2);
        boolean loads = opcode <= Opcodes.ALOAD;
        add(loads ? Instruction.LOAD : Instruction.STORE, loads ? 1 : -1, local, 0, null);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW) {
            // The constructor makes the object: until then, a null is in its place.
            add(Instruction.OBJECT, 1);
        } else {
            add(opcode, 0, 0, 0, owner.linker.type(type));
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String declaring, String name, String descriptor) {
        if (declaring.equals(owner.self)) {
            add(Instruction.OBJECT, 1, 0, 0, owner.constants.get(Integer.parseInt(name.substring(1))));
        } else {
            int change = opcode == Opcodes.GETSTATIC ? 1 : opcode == Opcodes.GETFIELD ? 0 : -2;
            add(Instruction.CALL, change, 0, 0, owner.linker.field(opcode, declaring, name, descriptor));
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String declaring, String name, String descriptor, boolean isInterface) {
        Type[] types = Type.getArgumentTypes(descriptor);
        char returned = letter(Type.getReturnType(descriptor));
        int change = (returned == 'V' ? 0 : 1) - types.length;
        if (declaring.equals(owner.self)) {
            add(Instruction.CALL_RECORDED, change, 0, 0, name);
        } else if (declaring.equals("java/lang/invoke/MethodHandle")) {
            char[] letters = new char[types.length + 1];
            for (int i = 0; i < types.length; i++) {
                letters[i] = letter(types[i]);
            }
            letters[types.length] = returned;
            add(Instruction.CALL_HANDLE, change - 1, 0, 0, letters);
        } else if (opcode == Opcodes.INVOKESPECIAL) {
            // Of the two references that NEW and DUP left, the constructor takes one.
            add(Instruction.CONSTRUCT, change - 1, 0, 0, owner.linker.method(opcode, declaring, name, descriptor));
        } else {
            add(Instruction.CALL, opcode == Opcodes.INVOKESTATIC ? change : change - 1, 0, 0,
                owner.linker.method(opcode, declaring, name, descriptor));
        }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        int popped = switch (opcode) {
            case Opcodes.GOTO -> 0;
            case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE, Opcodes.IFNULL,
                Opcodes.IFNONNULL -> 1;
            case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE, Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE, Opcodes.IF_ICMPGT,
                Opcodes.IF_ICMPLE, Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> 2;
            default -> throw unknown(opcode);
        };
        add(opcode, -popped, 0, 0, label);
        depths.put(label, depth);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        Label[] all = new Label[labels.length + 1];
        System.arraycopy(labels, 0, all, 0, labels.length);
        all[labels.length] = otherwise;
        add(Opcodes.TABLESWITCH, -1, min, 0, all);
        for (Label each : all) {
            depths.put(each, depth);
        }
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        throw unknown(Opcodes.LOOKUPSWITCH);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        throw unknown(Opcodes.INVOKEDYNAMIC);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        throw unknown(Opcodes.MULTIANEWARRAY);
    }

    @Override
    public void visitLabel(Label label) {
        positions.put(label, recorded.size());
        depth = depths.getOrDefault(label, depth);
    }

    @Override
    public void visitTryCatchBlock(Label from, Label to, Label handler, String type) {
        handlers.add(new Handler(from, to, handler, owner.linker.type(type)));
        // Said behind the handler's label, with the exception on the stack.
        depth = 1;
        deepest = Math.max(deepest, depth);
    }

    @Override
    public void visitIincInsn(int local, int increment) {
        add(Opcodes.IINC, 0, local, increment, null);
    }

    @Override
    public void visitLdcInsn(Object value) {
        if (value instanceof String) {
            add(Instruction.OBJECT, 1, 0, 0, value);
        } else {
            number(((Number) value).longValue());
        }
    }
}
