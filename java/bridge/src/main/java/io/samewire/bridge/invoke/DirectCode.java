package io.samewire.bridge.invoke;

import io.samewire.bridge.value.Primitives;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * Generated code that calls one method of the JDK, for the first calls of a JVM. {@code Method.invoke} reads the
 * annotations of boot classes' methods, and {@code Math.max} has one: that loads the JDK's proxies, which takes 20 to
 * 35 ms of CPU time on JDK 17. A class of 400 bytes, written here without a library, takes half a millisecond.
 */
final class DirectCode {
    /**
     * The most generated classes, which the JVM never unloads. A program with more sites can afford reflection's time.
     */
    private static final int MOST_MADE = 64;
    private static final int MOST_PARAMETERS = 16;
    private static final String OBJECT = "java/lang/Object";
    private static final String CALL = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    private static final int ALOAD_1 = 0x2b;
    private static final int ALOAD_2 = 0x2c;
    private static final int ACONST_NULL = 0x01;
    private static final int BIPUSH = 0x10;
    private static final int AALOAD = 0x32;
    private static final int ALOAD_0 = 0x2a;
    private static final int ARETURN = 0xb0;
    private static final int RETURN = 0xb1;
    private static final int INVOKEVIRTUAL = 0xb6;
    private static final int INVOKESPECIAL = 0xb7;
    private static final int INVOKESTATIC = 0xb8;
    private static final int INVOKEINTERFACE = 0xb9;
    private static final int CHECKCAST = 0xc0;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private final ByteArrayOutputStream codeBytes = new ByteArrayOutputStream();
    private final DataOutputStream code = new DataOutputStream(codeBytes);
    private int constants = 1;

    private DirectCode() {}

    /** Returns a function that calls a method with a receiver, or null, and arguments; null if none can be made. */
    static BiFunction<Object, Object[], Object> of(Method method) {
        return suits(method) && MADE.get() < MOST_MADE && MADE.incrementAndGet() <= MOST_MADE ? make(method) : null;
    }

    /** Returns the function for a suitable method. */
    @SuppressWarnings("unchecked")
    static BiFunction<Object, Object[], Object> make(Method method) {
        try {
            MethodHandles.Lookup caller = MethodCaller.ofProgram().lookup();
            String name = caller.lookupClass().getPackageName().replace('.', '/') + "/Direct";
            Class<?> made = caller.defineHiddenClass(new DirectCode().write(name, method), false).lookupClass();
            return (BiFunction<Object, Object[], Object>) made.getConstructor().newInstance();
        } catch (ReflectiveOperationException | IOException | LinkageError refused) {
            // Reflection will call it.
            return null;
        }
    }

    /**
     * Whether it is a public method of the JDK with types that every class may access. Not of {@code java.lang.invoke},
     * whose signature-polymorphic methods reflection cannot call.
     */
    static boolean suits(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean suits = isNamed(method.getDeclaringClass()) && Modifier.isPublic(method.getModifiers())
            && parameters.length <= MOST_PARAMETERS
            && !method.getDeclaringClass().getPackageName().equals("java.lang.invoke");
        for (Class<?> parameter : parameters) {
            suits &= parameter.isPrimitive() || isNamed(parameter);
        }
        return suits;
    }

    private static boolean isNamed(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) && type.getClassLoader() == null && !type.isArray()
            && type.getName().startsWith("java.") && type.getModule() == Object.class.getModule();
    }

    /** Returns whether a method takes the arguments without reflection's conversions. */
    static boolean fits(Method method, Object receiver, Object[] arguments) {
        if (!Modifier.isStatic(method.getModifiers()) && !method.getDeclaringClass().isInstance(receiver)) {
            return false;
        }
        Class<?>[] parameters = method.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            if (!(arguments[i] == null ? !parameters[i].isPrimitive()
                : Primitives.boxed(parameters[i]).isInstance(arguments[i]))) {
                return false;
            }
        }
        return true;
    }

    private byte[] write(String name, Method method) throws IOException {
        int self = type(name);
        int object = type(OBJECT);
        int function = type("java/util/function/BiFunction");
        int constructor = text("<init>");
        int nothing = text("()V");
        int apply = text("apply");
        int call = text(CALL);
        int codeName = text("Code");
        code.writeByte(ALOAD_0);
        code.writeByte(INVOKESPECIAL);
        code.writeShort(member(OBJECT, "<init>", "()V", false));
        code.writeByte(RETURN);
        byte[] construct = codeBytes.toByteArray();
        codeBytes.reset();
        writeCall(method);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(61);
        out.writeShort(constants);
        out.write(poolBytes.toByteArray());
        out.writeShort(Modifier.PUBLIC | Modifier.FINAL | Modifier.SYNCHRONIZED);
        out.writeShort(self);
        out.writeShort(object);
        out.writeShort(1);
        out.writeShort(function);
        out.writeShort(0);
        out.writeShort(2);
        method(out, constructor, nothing, codeName, construct);
        method(out, apply, call, codeName, codeBytes.toByteArray());
        out.writeShort(0);
        return bytes.toByteArray();
    }

    private static void method(DataOutputStream out, int name, int type, int codeName, byte[] code)
            throws IOException {
        out.writeShort(Modifier.PUBLIC);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1);
        out.writeShort(codeName);
        out.writeInt(12 + code.length);
        // Arguments take at most two slots each on the stack.
        out.writeShort(2 * MOST_PARAMETERS + 3);
        out.writeShort(3);
        out.writeInt(code.length);
        out.write(code);
        out.writeInt(0);
    }

    private void writeCall(Method method) throws IOException {
        Class<?> owner = method.getDeclaringClass();
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        StringBuilder descriptor = new StringBuilder("(");
        int places = 1;
        if (!isStatic) {
            code.writeByte(ALOAD_1);
            cast(owner);
        }
        Class<?>[] parameters = method.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            code.writeByte(ALOAD_2);
            cast(Object[].class);
            code.writeByte(BIPUSH);
            code.writeByte(i);
            code.writeByte(AALOAD);
            Class<?> boxed = Primitives.boxed(parameters[i]);
            cast(boxed);
            if (parameters[i].isPrimitive()) {
                code.writeByte(INVOKEVIRTUAL);
                code.writeShort(member(path(boxed), parameters[i].getName() + "Value",
                    "()" + parameters[i].descriptorString(), false));
            }
            descriptor.append(parameters[i].descriptorString());
            places += parameters[i] == long.class || parameters[i] == double.class ? 2 : 1;
        }
        Class<?> result = method.getReturnType();
        descriptor.append(')').append(result.descriptorString());
        code.writeByte(isStatic ? INVOKESTATIC : owner.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL);
        code.writeShort(member(path(owner), method.getName(), descriptor.toString(), owner.isInterface()));
        if (!isStatic && owner.isInterface()) {
            code.writeByte(places);
            code.writeByte(0);
        }
        if (result == void.class) {
            code.writeByte(ACONST_NULL);
        } else if (result.isPrimitive()) {
            Class<?> boxed = Primitives.boxed(result);
            code.writeByte(INVOKESTATIC);
            code.writeShort(member(path(boxed), "valueOf",
                '(' + result.descriptorString() + ')' + boxed.descriptorString(), false));
        }
        code.writeByte(ARETURN);
    }

    private void cast(Class<?> type) throws IOException {
        code.writeByte(CHECKCAST);
        code.writeShort(type(path(type)));
    }

    private static String path(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private int text(String text) throws IOException {
        pool.writeByte(1);
        pool.writeUTF(text);
        return constants++;
    }

    private int type(String path) throws IOException {
        int text = text(path);
        pool.writeByte(7);
        pool.writeShort(text);
        return constants++;
    }

    private int member(String owner, String name, String descriptor, boolean ofInterface) throws IOException {
        int type = type(owner);
        int nameText = text(name);
        int descriptorText = text(descriptor);
        pool.writeByte(12);
        pool.writeShort(nameText);
        pool.writeShort(descriptorText);
        int both = constants++;
        pool.writeByte(ofInterface ? 11 : 10);
        pool.writeShort(type);
        pool.writeShort(both);
        return constants++;
    }
}
