package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.wire.Reader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.Opcodes;

/**
 * Resolves the names in a recorded program as the JVM would in a class: by the loader of the class that the program
 * lives in, with the rights of that class.
 */
final class Linker {
    /** Members of this library and of the JDK, which every program resolves alike. */
    private static final Map<String, Linked> SHARED = new ConcurrentHashMap<>();

    private final MethodHandles.Lookup host;
    private final Map<String, Class<?>> classes = new HashMap<>();
    private final Map<String, Linked> members = new HashMap<>();

    Linker(MethodHandles.Lookup host) {
        this.host = host;
    }

    /** The class of an internal name. */
    Class<?> type(String name) {
        Class<?> known = classes.get(name);
        if (known == null) {
            try {
                known = Class.forName(name.replace('/', '.'), false, host.lookupClass().getClassLoader());
            } catch (ClassNotFoundException absent) {
                throw missing(name, absent);
            }
            classes.put(name, known);
        }
        return known;
    }

    /** A method or constructor, called by the instruction {@code opcode}. */
    Linked method(int opcode, String owner, String name, String descriptor) {
        return member(opcode, owner, name, descriptor);
    }

    /** A field that is read or set by the instruction {@code opcode}. */
    Linked field(int opcode, String owner, String name, String descriptor) {
        return member(opcode, owner, name, descriptor);
    }

    private Linked member(int opcode, String owner, String name, String descriptor) {
        Class<?> declaring = type(owner);
        Map<String, Linked> linked =
            owner.startsWith("java/") || declaring.getPackage() == Reader.class.getPackage() ? SHARED : members;
        String key = opcode + owner + '.' + name + descriptor;
        Linked known = linked.get(key);
        if (known == null) {
            try {
                known = new Linked(handle(opcode, declaring, name, descriptor));
            } catch (ReflectiveOperationException absent) {
                throw missing(owner + '.' + name, absent);
            }
            linked.put(key, known);
        }
        return known;
    }

    private MethodHandle handle(int opcode, Class<?> owner, String name, String descriptor)
        throws ReflectiveOperationException {
        switch (opcode) {
            case Opcodes.GETSTATIC:
                return host.findStaticGetter(owner, name, fieldType(descriptor));
            case Opcodes.GETFIELD:
                return host.findGetter(owner, name, fieldType(descriptor));
            case Opcodes.PUTFIELD:
                return host.findSetter(owner, name, fieldType(descriptor));
            default:
                break;
        }
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, host.lookupClass().getClassLoader());
        return switch (opcode) {
            case Opcodes.INVOKESTATIC -> host.findStatic(owner, name, type);
            case Opcodes.INVOKESPECIAL -> host.findConstructor(owner, type);
            default -> host.findVirtual(owner, name, type);
        };
    }

    private Class<?> fieldType(String descriptor) {
        return MethodType.fromMethodDescriptorString("()" + descriptor, host.lookupClass().getClassLoader())
            .returnType();
    }

    /** The names of all classes that were resolved. */
    Set<String> resolved() {
        Set<String> names = new TreeSet<>();
        classes.values().forEach(type -> names.add(type.getTypeName()));
        return names;
    }

    private static SamewireException missing(String name, ReflectiveOperationException cause) {
        return new SamewireException(Code.UNSUPPORTED, -1, null, name.replace('/', '.')
            + " cannot be reached by reflection: register its class with all its constructors, methods and fields in"
            + " the native image", cause);
    }
}
