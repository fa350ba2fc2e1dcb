package io.samewire.pack.bind;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import org.objectweb.asm.Opcodes;

/**
 * Runs recorded methods. Each instruction costs a branch, each call of a method of the library a method handle and the
 * boxes of its arguments: on a list of records with texts, 30 to 130 times what compiled code takes.
 */
final class Interpreter {
    private Interpreter() {}

    /** Runs a method whose parameters are in the frame; what it returns is then in the frame's first entry. */
    static void run(RecordedMethod method, Frame frame) throws Throwable {
        int next = 0;
        int top = method.stack();
        while (next >= 0) {
            try {
                execute(method, frame, next, top);
                next = -1;
            } catch (Throwable thrown) {
                next = method.handler(frame.at, thrown);
                if (next < 0) {
                    throw thrown;
                }
                frame.objects[method.stack()] = thrown;
                top = method.stack() + 1;
            }
        }
    }

    private static void execute(RecordedMethod method, Frame frame, int first, int stack) throws Throwable {
        Instruction[] instructions = method.instructions();
        long[] numbers = frame.numbers;
        Object[] objects = frame.objects;
        int next = first;
        int top = stack;
        while (true) {
            frame.at = next;
            Instruction now = instructions[next++];
            switch (now.opcode) {
                case Instruction.NUMBER -> numbers[top++] = now.number;
                case Instruction.OBJECT -> objects[top++] = now.object;
                case Instruction.LOAD -> frame.copy(now.operand, top++);
                case Instruction.STORE -> frame.copy(--top, now.operand);
                case Opcodes.IINC -> numbers[now.operand] = (int) (numbers[now.operand] + now.number);
                case Opcodes.POP -> top--;
                case Opcodes.DUP -> {
                    frame.copy(top - 1, top);
                    top++;
                }
                case Opcodes.SWAP -> {
                    frame.copy(top - 1, top);
                    frame.copy(top - 2, top - 1);
                    frame.copy(top, top - 2);
                }
                case Opcodes.GOTO -> next = now.operand;
                case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE -> {
                    top--;
                    next = compare(now.opcode, numbers[top], 0) ? now.operand : next;
                }
                case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE, Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE, Opcodes.IF_ICMPGT,
                    Opcodes.IF_ICMPLE -> {
                    top -= 2;
                    int opcode = now.opcode - Opcodes.IF_ICMPEQ + Opcodes.IFEQ;
                    next = compare(opcode, numbers[top], numbers[top + 1]) ? now.operand : next;
                }
                case Opcodes.IFNULL -> next = objects[--top] == null ? now.operand : next;
                case Opcodes.IFNONNULL -> next = objects[--top] != null ? now.operand : next;
                case Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE -> {
                    top -= 2;
                    boolean same = objects[top] == objects[top + 1];
                    next = same == (now.opcode == Opcodes.IF_ACMPEQ) ? now.operand : next;
                }
                case Opcodes.TABLESWITCH -> next = target((int[]) now.object, numbers[--top] - now.operand);
                case Instruction.CALL_RECORDED -> top = call((RecordedMethod) now.object, frame, top);
                case Instruction.CALL -> top = call((Linked) now.object, frame, top);
                case Instruction.CONSTRUCT -> {
                    // Into the place of the first of the two nulls that stood for it.
                    top = call((Linked) now.object, frame, top) - 2;
                    frame.copy(top + 1, top - 1);
                }
                case Instruction.CALL_HANDLE -> top = callHandle((char[]) now.object, frame, top);
                case Instruction.RETURN_VALUE -> {
                    frame.copy(top - 1, 0);
                    return;
                }
                case Opcodes.RETURN -> {
                    return;
                }
                case Opcodes.ATHROW -> throw (Throwable) objects[top - 1];
                case Opcodes.CHECKCAST -> ((Class<?>) now.object).cast(objects[top - 1]);
                case Opcodes.INSTANCEOF ->
                    numbers[top - 1] = ((Class<?>) now.object).isInstance(objects[top - 1]) ? 1 : 0;
                case Opcodes.ANEWARRAY ->
                    objects[top - 1] = Array.newInstance((Class<?>) now.object, (int) numbers[top - 1]);
                case Opcodes.ARRAYLENGTH -> numbers[top - 1] = Array.getLength(objects[top - 1]);
                case Opcodes.AALOAD -> {
                    top--;
                    objects[top - 1] = ((Object[]) objects[top - 1])[(int) numbers[top]];
                }
                case Opcodes.AASTORE -> {
                    top -= 3;
                    ((Object[]) objects[top])[(int) numbers[top + 1]] = objects[top + 2];
                }
                case Opcodes.IALOAD, Opcodes.LALOAD, Opcodes.FALOAD, Opcodes.DALOAD, Opcodes.BALOAD, Opcodes.CALOAD,
                    Opcodes.SALOAD -> {
                    top--;
                    Object array = objects[top - 1];
                    frame.unboxed(top - 1, component(array), Array.get(array, (int) numbers[top]));
                }
                case Opcodes.IASTORE, Opcodes.LASTORE, Opcodes.FASTORE, Opcodes.DASTORE, Opcodes.BASTORE,
                    Opcodes.CASTORE, Opcodes.SASTORE -> {
                    top -= 3;
                    Object array = objects[top];
                    Array.set(array, (int) numbers[top + 1], frame.boxed(top + 2, component(array)));
                }
                case Opcodes.IADD, Opcodes.ISUB, Opcodes.IAND, Opcodes.IOR, Opcodes.ISHL -> {
                    top--;
                    numbers[top - 1] = ints(now.opcode, (int) numbers[top - 1], (int) numbers[top]);
                }
                case Opcodes.LAND -> {
                    top--;
                    numbers[top - 1] &= numbers[top];
                }
                default -> numbers[top - 1] = converted(now.opcode, numbers[top - 1]);
            }
        }
    }

    private static boolean compare(int opcode, long left, long right) {
        return switch (opcode) {
            case Opcodes.IFEQ -> left == right;
            case Opcodes.IFNE -> left != right;
            case Opcodes.IFLT -> left < right;
            case Opcodes.IFGE -> left >= right;
            case Opcodes.IFGT -> left > right;
            default -> left <= right;
        };
    }

    private static int target(int[] targets, long index) {
        int otherwise = targets.length - 1;
        return targets[index >= 0 && index < otherwise ? (int) index : otherwise];
    }

    private static int ints(int opcode, int left, int right) {
        return switch (opcode) {
            case Opcodes.IADD -> left + right;
            case Opcodes.ISUB -> left - right;
            case Opcodes.IAND -> left & right;
            case Opcodes.IOR -> left | right;
            default -> left << right;
        };
    }

    private static long converted(int opcode, long number) {
        return switch (opcode) {
            case Opcodes.L2I -> (int) number;
            case Opcodes.I2B -> (byte) number;
            case Opcodes.I2S -> (short) number;
            case Opcodes.I2F -> Float.floatToRawIntBits((int) number);
            case Opcodes.I2D, Opcodes.L2D -> Double.doubleToRawLongBits(number);
            case Opcodes.F2D -> Double.doubleToRawLongBits(Float.intBitsToFloat((int) number));
            default -> throw new IllegalStateException("the interpreter has no instruction " + opcode);
        };
    }

    /** The descriptor of an array's components; an array of booleans has the JVM's instructions of bytes. */
    private static char component(Object array) {
        return Linked.letter(array.getClass().getComponentType());
    }

    private static int call(RecordedMethod method, Frame caller, int top) throws Throwable {
        int first = top - method.parameters.length;
        Frame frame = new Frame(method.frameSize());
        for (int i = 0; i < method.parameters.length; i++) {
            frame.numbers[method.parameters[i]] = caller.numbers[first + i];
            frame.objects[method.parameters[i]] = caller.objects[first + i];
        }
        run(method, frame);
        if (method.result == 'V') {
            return first;
        }
        caller.numbers[first] = frame.numbers[0];
        caller.objects[first] = frame.objects[0];
        return first + 1;
    }

    private static int call(Linked linked, Frame frame, int top) throws Throwable {
        int first = top - linked.parameters.length;
        Object[] arguments = new Object[linked.parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = frame.boxed(first + i, linked.parameters[i]);
        }
        Object result = linked.handle.invokeWithArguments(arguments);
        if (linked.result == 'V') {
            return first;
        }
        frame.unboxed(first, linked.result, result);
        return first + 1;
    }

    /** {@code types} are those of the arguments and of the result. */
    private static int callHandle(char[] types, Frame frame, int top) throws Throwable {
        int count = types.length - 1;
        int first = top - count;
        Object[] arguments = new Object[count];
        for (int i = 0; i < count; i++) {
            arguments[i] = frame.boxed(first + i, types[i]);
        }
        MethodHandle handle = (MethodHandle) frame.objects[first - 1];
        Object result = handle.invokeWithArguments(arguments);
        if (types[count] == 'V') {
            return first - 1;
        }
        frame.unboxed(first - 1, types[count], result);
        return first;
    }
}
