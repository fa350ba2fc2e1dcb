package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.wire.Program;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Where generated code lives and what it may touch. It is made a nest mate of one of the user's own classes, so that it
 * sees what that class sees, private members of its nest included. What it cannot name or call from there it reaches
 * through method handles, which the compiler inlines as well.
 */
final class Access {
    private static final MethodHandles.Lookup OURS = MethodHandles.lookup();

    /** The lookup that defines the code; full access to its class. */
    final MethodHandles.Lookup host;
    /** Whether the code is in the nest of a user's class. */
    final boolean nestMate;

    private Access(MethodHandles.Lookup host, boolean nestMate) {
        this.host = host;
        this.nestMate = nestMate;
    }

    /** Returns the best place for the code of a compiled type. */
    static Access of(CompiledType root) {
        List<Class<?>> candidates = new ArrayList<>();
        collect(root, candidates, Collections.newSetFromMap(new IdentityHashMap<>()));
        // A class that is not public is reached most easily from within.
        Access within = within(candidates, false);
        if (within == null) {
            within = within(candidates, true);
        }
        return within == null ? new Access(OURS, false) : within;
    }

    private static Access within(List<Class<?>> candidates, boolean isPublic) {
        for (Class<?> candidate : candidates) {
            if (Modifier.isPublic(candidate.getModifiers()) == isPublic && seesUs(candidate)) {
                try {
                    MethodHandles.Lookup within = lookup(candidate);
                    // Beside a class of another module (another class loader's, too) no code can be defined.
                    if (within.hasFullPrivilegeAccess()) {
                        return new Access(within, true);
                    }
                } catch (IllegalAccessException closed) {
                    continue;
                }
            }
        }
        return null;
    }

    private static void collect(CompiledType compiled, List<Class<?>> found, Set<CompiledType> seen) {
        if (!seen.add(compiled)) {
            return;
        }
        if (compiled instanceof CompiledOption option) {
            collect(option.item, found, seen);
        } else if (compiled instanceof CompiledConverted converted) {
            collect(converted.wire, found, seen);
        } else if (compiled instanceof CompiledList list) {
            collect(list.item, found, seen);
        } else if (compiled instanceof CompiledSet set) {
            collect(set.item, found, seen);
        } else if (compiled instanceof CompiledMap map) {
            collect(map.key, found, seen);
            collect(map.value, found, seen);
        } else if (compiled instanceof CompiledRef ref) {
            collect(ref.struct, found, seen);
        } else if (compiled instanceof CompiledUnion union) {
            for (CompiledStruct member : union.members) {
                collect(member, found, seen);
            }
        } else if (compiled instanceof CompiledStruct struct) {
            found.add(struct.raw);
            for (CompiledType.Slot slot : struct.slots) {
                collect(slot.compiled, found, seen);
            }
        } else if (compiled instanceof CompiledEnum) {
            found.add(compiled.raw);
        }
    }

    private static boolean seesUs(Class<?> type) {
        return type.getClassLoader() != null && sees(type.getClassLoader(), Program.class);
    }

    private static boolean sees(ClassLoader loader, Class<?> type) {
        if (loader == type.getClassLoader() || type.getClassLoader() == null) {
            return true;
        }
        try {
            return Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /**
     * What reaches the members of a class: all of them if its package is open to us, else those that are public to
     * everyone.
     */
    private static MethodHandles.Lookup reach(Class<?> type) {
        try {
            return lookup(type);
        } catch (IllegalAccessException closed) {
            return OURS;
        }
    }

    /** Whether private members of a class are in reach. */
    static boolean isOpen(Class<?> type) {
        return reach(type) != OURS;
    }

    private static MethodHandles.Lookup lookup(Class<?> type) throws IllegalAccessException {
        Access.class.getModule().addReads(type.getModule());
        return MethodHandles.privateLookupIn(type, OURS);
    }

    /** Whether the code can name a class. */
    boolean names(Class<?> type) {
        Class<?> leaf = type;
        while (leaf.isArray()) {
            leaf = leaf.getComponentType();
        }
        Class<?> from = host.lookupClass();
        if (leaf.isPrimitive() || leaf == from) {
            return true;
        }
        if (from.getClassLoader() == null ? leaf.getClassLoader() != null : !sees(from.getClassLoader(), leaf)) {
            return false;
        }
        if (samePackage(leaf)) {
            return true;
        }
        Module theirs = leaf.getModule();
        if (from.getModule() == Access.class.getModule()) {
            // Before the first question: the answer must be the same for all of a program, and `lookup` adds it later.
            from.getModule().addReads(theirs);
        }
        return Modifier.isPublic(leaf.getModifiers()) && from.getModule().canRead(theirs)
            && theirs.isExported(leaf.getPackageName(), from.getModule());
    }

    private boolean samePackage(Class<?> type) {
        Class<?> from = host.lookupClass();
        return type.getClassLoader() == from.getClassLoader() && type.getPackageName().equals(from.getPackageName());
    }

    /** Whether the code can use a member as it stands. */
    boolean uses(Member member) {
        Class<?> owner = member.getDeclaringClass();
        if (!names(owner)) {
            return false;
        }
        if (Modifier.isPublic(member.getModifiers())) {
            return true;
        }
        if (Modifier.isPrivate(member.getModifiers())) {
            return nestMate && owner.getNestHost() == host.lookupClass().getNestHost();
        }
        return samePackage(owner);
    }

    /** A class as the code names it: itself, or {@link Object}. */
    Class<?> named(Class<?> type) {
        return names(type) ? type : Object.class;
    }

    /** Reads a slot of an object, both erased to what the code can name. */
    MethodHandle getter(Member member, Class<?> value) {
        return handle(member, MethodType.methodType(named(value), Object.class));
    }

    /** Sets a field of an object. */
    MethodHandle setter(Field field) {
        try {
            return reach(field.getDeclaringClass()).unreflectSetter(field)
                .asType(MethodType.methodType(void.class, Object.class, named(field.getType())));
        } catch (IllegalAccessException closed) {
            throw closed(field, closed);
        }
    }

    /** Calls a constructor. */
    MethodHandle maker(Constructor<?> constructor) {
        MethodType type = MethodType.methodType(Object.class);
        for (Class<?> parameter : constructor.getParameterTypes()) {
            type = type.appendParameterTypes(named(parameter));
        }
        return handle(constructor, type);
    }

    /** Calls a constructor without parameters, for code that is not hot. */
    static MethodHandle reflectiveMaker(Constructor<?> constructor) {
        return handle(constructor, MethodType.methodType(Object.class));
    }

    private static MethodHandle handle(Member member, MethodType type) {
        try {
            MethodHandles.Lookup lookup = reach(member.getDeclaringClass());
            MethodHandle handle = member instanceof Method method ? lookup.unreflect(method)
                : member instanceof Field field ? lookup.unreflectGetter(field)
                : lookup.unreflectConstructor((Constructor<?>) member);
            return handle.asType(type);
        } catch (IllegalAccessException closed) {
            throw closed(member, closed);
        }
    }

    private static SamewireException closed(Member member, IllegalAccessException cause) {
        return new SamewireException(Code.MISUSE, -1, null,
            member + " cannot be reached: make it public, or open its package to io.samewire.pack", cause);
    }

    /** Calls a method, for code that is not hot. */
    static MethodHandle called(Method method) {
        try {
            return reach(method.getDeclaringClass()).unreflect(method);
        } catch (IllegalAccessException closed) {
            throw closed(method, closed);
        }
    }

    /** What a static field holds. */
    static Object constant(Field field) {
        try {
            return reach(field.getDeclaringClass()).unreflectGetter(field).invoke();
        } catch (IllegalAccessException closed) {
            throw closed(field, closed);
        } catch (Throwable thrown) {
            throw new SamewireException(Code.MISUSE, -1, null, field + " cannot be read: " + thrown, thrown);
        }
    }

    /** Returns a handle, for code that is not hot. */
    static MethodHandle reflective(Member member) {
        return handle(member, MethodType.methodType(Object.class, Object.class));
    }
}
