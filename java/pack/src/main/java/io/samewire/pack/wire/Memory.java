package io.samewire.pack.wire;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Words in byte arrays, and the bytes inside a {@link String}, by the quickest way that this JVM allows. {@code
 * sun.misc.Unsafe} is up to twice as fast as any other way to read strings, and ready at once where handles cost 15 ms;
 * it is called from a class made here, because the compiler rightly warns of it. JVMs that warn of its use (24 and
 * later) are left alone unless they were started with {@code --sun-misc-unsafe-memory-access=allow}, as are those
 * without compact strings, those where no class can be defined, and processors that may mind where a word begins.
 * {@code -Dsamewire.unsafe=false} turns it off; nothing but speed depends on it.
 *
 * <p>Callers check bounds: see {@link Bytes}. A string's array may be read in whole words up to the word that holds its
 * last byte: objects end at a multiple of 8, and this way is taken only where arrays of bytes begin at one.
 */
public abstract class Memory {
    private static final String NAME = Type.getInternalName(Memory.class) + "ByUnsafe";
    private static final String UNSAFE = "sun/misc/Unsafe";
    private static final int LAST_QUIET_VERSION = 23;
    private static final List<Class<?>> ROWS = List.of(short[].class, int[].class, long[].class, float[].class,
        double[].class);
    private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64");

    /** The implementation for this JVM. */
    static final Memory MEMORY = open();
    /** Whether {@link #value} and {@link #coder} are supported. */
    static final boolean SEES_STRINGS = !(MEMORY instanceof MemoryViews);

    /** For the generated class. */
    protected Memory() {}

    /** The array inside a string: one byte a character, or two, little-endian. The string is not null. */
    abstract byte[] value(String text);

    /** 0 if a string's array holds one byte a character. The string is not null. */
    abstract byte coder(String text);

    /**
     * The string of one character at least in such an array of UTF-16, little-endian, which becomes the string's own if
     * that is possible.
     */
    final String wideText(byte[] utf16) {
        for (int i = 0; i < utf16.length; i += Character.BYTES) {
            if (utf16[i + 1] != 0) {
                return wide(utf16);
            }
        }
        // The JDK's own code relies on it that Latin-1 is kept as such.
        return new String(utf16, StandardCharsets.UTF_16LE);
    }

    /** The string of an array with a character above U+00FF. */
    abstract String wide(byte[] utf16);

    abstract long getLong(byte[] bytes, int at);

    abstract int getInt(byte[] bytes, int at);

    abstract char getChar(byte[] bytes, int at);

    abstract void putLong(byte[] bytes, int at, long value);

    abstract void putInt(byte[] bytes, int at, int value);

    abstract void putChar(byte[] bytes, int at, char value);

    /** Fills the first {@code n} numbers of a row from bytes, little-endian. */
    abstract void getRow(byte[] bytes, int at, short[] row, int n);

    abstract void getRow(byte[] bytes, int at, int[] row, int n);

    abstract void getRow(byte[] bytes, int at, long[] row, int n);

    abstract void getRow(byte[] bytes, int at, float[] row, int n);

    abstract void getRow(byte[] bytes, int at, double[] row, int n);

    /** Writes a row as bytes, little-endian. */
    abstract void putRow(byte[] bytes, int at, short[] row);

    abstract void putRow(byte[] bytes, int at, int[] row);

    abstract void putRow(byte[] bytes, int at, long[] row);

    abstract void putRow(byte[] bytes, int at, float[] row);

    abstract void putRow(byte[] bytes, int at, double[] row);

    private static Memory open() {
        Memory made = null;
        if (isQuiet() && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            && PROCESSORS.contains(System.getProperty("os.arch"))
            && !"false".equals(System.getProperty("samewire.unsafe")) && !ClassDefinition.isForbidden()) {
            try {
                made = byUnsafe();
            } catch (ReflectiveOperationException | RuntimeException | LinkageError refused) {
                made = null;
            }
        }
        return made != null && made.works() ? made : new MemoryViews();
    }

    /** Whether this JVM lets Unsafe be used without a warning. The launcher makes that property of its option. */
    private static boolean isQuiet() {
        return Runtime.version().feature() <= LAST_QUIET_VERSION
            || "allow".equals(System.getProperty("sun.misc.unsafe.memory.access"));
    }

    private static Memory byUnsafe() throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object theUnsafe = instance.get(null);
        Field value = String.class.getDeclaredField("value");
        if (value.getType() != byte[].class) {
            return null;
        }
        Field coder = String.class.getDeclaredField("coder");
        Method fieldOffset = unsafe.getMethod("objectFieldOffset", Field.class);
        Method arrayOffset = unsafe.getMethod("arrayBaseOffset", Class.class);
        int arrays = (int) arrayOffset.invoke(theUnsafe, byte[].class);
        if (arrays % Long.BYTES != 0) {
            return null;
        }
        ClassWriter made = code((long) fieldOffset.invoke(theUnsafe, value),
            (long) fieldOffset.invoke(theUnsafe, coder), arrays);
        for (Class<?> row : ROWS) {
            rowCode(made, row, (int) arrayOffset.invoke(theUnsafe, row), arrays);
        }
        return (Memory) MethodHandles.lookup().defineHiddenClass(made.toByteArray(), true).lookupClass()
            .getDeclaredConstructor(unsafe).newInstance(theUnsafe);
    }

    private boolean works() {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        byte[] latin = value("aé");
        byte[] wide = value("\u0416");
        String made = wide(wide.clone());
        return coder("aé") == 0 && latin.length == 2 && latin[1] == (byte) 0xe9
            && coder("\u0416") != 0 && wide.length == 2 && wide[0] == 0x16
            && made.equals("\u0416") && made.hashCode() == 0x416
            && getLong(bytes, 1) == 0x0908070605040302L;
    }

    private static ClassWriter code(long valueOffset, long coderOffset, long arrayOffset) {
        ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        made.visit(Opcodes.V17, Opcodes.ACC_FINAL, NAME, null, Type.getInternalName(Memory.class), null);
        made.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, "unsafe", "L" + UNSAFE + ";", null, null);

        MethodVisitor init = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(L" + UNSAFE + ";)V", null, null);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(Memory.class), "<init>", "()V", false);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitVarInsn(Opcodes.ALOAD, 1);
        init.visitFieldInsn(Opcodes.PUTFIELD, NAME, "unsafe", "L" + UNSAFE + ";");
        init.visitInsn(Opcodes.RETURN);
        init.visitMaxs(0, 0);

        MethodVisitor value = begin(made, "value", "(Ljava/lang/String;)[B", 1);
        value.visitLdcInsn(valueOffset);
        value.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "getObject", "(Ljava/lang/Object;J)Ljava/lang/Object;",
            false);
        value.visitTypeInsn(Opcodes.CHECKCAST, "[B");
        value.visitInsn(Opcodes.ARETURN);
        value.visitMaxs(0, 0);
        MethodVisitor coder = begin(made, "coder", "(Ljava/lang/String;)B", 1);
        coder.visitLdcInsn(coderOffset);
        coder.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "getByte", "(Ljava/lang/Object;J)B", false);
        coder.visitInsn(Opcodes.IRETURN);
        coder.visitMaxs(0, 0);
        wideCode(made, valueOffset, coderOffset);
        for (Type type : new Type[] {Type.LONG_TYPE, Type.INT_TYPE, Type.CHAR_TYPE}) {
            String name = Character.toUpperCase(type.getClassName().charAt(0)) + type.getClassName().substring(1);
            MethodVisitor get = begin(made, "get" + name, "([BI)" + type, 1);
            address(get, arrayOffset);
            get.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "get" + name, "(Ljava/lang/Object;J)" + type, false);
            get.visitInsn(type.getOpcode(Opcodes.IRETURN));
            get.visitMaxs(0, 0);
            MethodVisitor put = begin(made, "put" + name, "([BI" + type + ")V", 1);
            address(put, arrayOffset);
            put.visitVarInsn(type.getOpcode(Opcodes.ILOAD), 3);
            put.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "put" + name, "(Ljava/lang/Object;J" + type + ")V",
                false);
            put.visitInsn(Opcodes.RETURN);
            put.visitMaxs(0, 0);
        }
        return made;
    }

    /**
     * {@code wide}: a string around the array. What the JDK offers for UTF-16 copies it three times, which takes a
     * quarter of the time of texts of East Asia.
     */
    private static void wideCode(ClassWriter made, long valueOffset, long coderOffset) {
        MethodVisitor wide = made.visitMethod(0, "wide", "([B)Ljava/lang/String;", null, null);
        wide.visitVarInsn(Opcodes.ALOAD, 0);
        wide.visitFieldInsn(Opcodes.GETFIELD, NAME, "unsafe", "L" + UNSAFE + ";");
        wide.visitVarInsn(Opcodes.ASTORE, 2);
        wide.visitVarInsn(Opcodes.ALOAD, 2);
        wide.visitLdcInsn(Type.getType(String.class));
        wide.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "allocateInstance",
            "(Ljava/lang/Class;)Ljava/lang/Object;", false);
        wide.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/String");
        wide.visitVarInsn(Opcodes.ASTORE, 3);
        wide.visitVarInsn(Opcodes.ALOAD, 2);
        wide.visitVarInsn(Opcodes.ALOAD, 3);
        wide.visitLdcInsn(valueOffset);
        wide.visitVarInsn(Opcodes.ALOAD, 1);
        wide.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "putObject", "(Ljava/lang/Object;JLjava/lang/Object;)V",
            false);
        wide.visitVarInsn(Opcodes.ALOAD, 2);
        wide.visitVarInsn(Opcodes.ALOAD, 3);
        wide.visitLdcInsn(coderOffset);
        wide.visitInsn(Opcodes.ICONST_1);
        wide.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "putByte", "(Ljava/lang/Object;JB)V", false);
        // As behind a constructor that sets final fields: threads that meet the string must see its array.
        wide.visitVarInsn(Opcodes.ALOAD, 2);
        wide.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "storeFence", "()V", false);
        wide.visitVarInsn(Opcodes.ALOAD, 3);
        wide.visitInsn(Opcodes.ARETURN);
        wide.visitMaxs(0, 0);
    }

    /** {@code getRow} and {@code putRow}: one copy, without the views that a buffer would need for it. */
    private static void rowCode(ClassWriter made, Class<?> row, long rowOffset, long arrayOffset) {
        String numbers = "([BI" + Type.getDescriptor(row);
        MethodVisitor get = begin(made, "getRow", numbers + "I)V", 1);
        address(get, arrayOffset);
        get.visitVarInsn(Opcodes.ALOAD, 3);
        get.visitLdcInsn(rowOffset);
        get.visitVarInsn(Opcodes.ILOAD, 4);
        copy(get, row);
        MethodVisitor put = begin(made, "putRow", numbers + ")V", 3);
        put.visitLdcInsn(rowOffset);
        put.visitVarInsn(Opcodes.ALOAD, 1);
        address(put, arrayOffset);
        put.visitVarInsn(Opcodes.ALOAD, 3);
        put.visitInsn(Opcodes.ARRAYLENGTH);
        copy(put, row);
    }

    /** Copies as many numbers as the count on the stack says, and ends the method. */
    private static void copy(MethodVisitor method, Class<?> row) {
        method.visitInsn(Opcodes.I2L);
        method.visitLdcInsn((long) width(row));
        method.visitInsn(Opcodes.LMUL);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, UNSAFE, "copyMemory",
            "(Ljava/lang/Object;JLjava/lang/Object;JJ)V", false);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
    }

    private static int width(Class<?> row) {
        Class<?> of = row.getComponentType();
        return of == short.class ? Short.BYTES : of == int.class || of == float.class ? Integer.BYTES : Long.BYTES;
    }

    /** Begins a method: pushes the Unsafe and an argument. */
    private static MethodVisitor begin(ClassWriter made, String name, String type, int argument) {
        MethodVisitor method = made.visitMethod(0, name, type, null, null);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitFieldInsn(Opcodes.GETFIELD, NAME, "unsafe", "L" + UNSAFE + ";");
        method.visitVarInsn(Opcodes.ALOAD, argument);
        return method;
    }

    /**
     * Makes an array on the stack and the index in variable 2 an address. What may be null may also be an address of
     * any memory, for which HotSpot would fetch all fields again after each access: so it has to see first that there
     * is an array.
     */
    private static void address(MethodVisitor method, long arrayOffset) {
        method.visitInsn(Opcodes.DUP);
        method.visitInsn(Opcodes.ARRAYLENGTH);
        method.visitInsn(Opcodes.POP);
        method.visitVarInsn(Opcodes.ILOAD, 2);
        method.visitInsn(Opcodes.I2L);
        method.visitLdcInsn(arrayOffset);
        method.visitInsn(Opcodes.LADD);
    }
}
