package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Session;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.HashSet;
import java.util.Set;

/** Finds classes by the names and numbers in definitions. */
public final class ClassNames {
    private static final Class<?>[] PRIMITIVES = {int.class, long.class, double.class, boolean.class, byte.class,
        short.class, char.class, float.class, void.class};

    /** The most unknown names that are passed to a loader without first checking for a class file. */
    static final int MOST_ABSENT = 10_000;
    private static final int MOST_LENGTH = 256;

    /**
     * Names without a class. A loader keeps a lock for every name that it was ever asked for, so a client could fill
     * the heap with unknown names. So after this many, a loader is asked only for names with a class file.
     */
    private static final Set<String> ABSENT = new HashSet<>();

    private ClassNames() {}

    /**
     * Returns a class by its binary name, or by {@code #} and its number.
     *
     * @throws SamewireException {@code misuse} if there is none; {@code unsupported} if it may not be named
     */
    public static Class<?> find(Session session, String name) {
        if (!name.isEmpty() && name.charAt(0) == '#') {
            return session.classes().get(number(name));
        }
        Class<?> type = named(session, name);
        if (type == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "there is no class " + name
                + " on the gateway's class path");
        }
        return type;
    }

    private static long number(String name) {
        long number = 0;
        for (int i = 1; i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i > 10) {
                return 0;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /**
     * Returns a class by its binary name, also of a primitive type or an array as in source ({@code int[]}); null if
     * there is none. It is not initialised.
     *
     * @throws SamewireException {@code unsupported} if the policy denies it
     */
    public static Class<?> named(Session session, String name) {
        if (name.endsWith("[]")) {
            Class<?> component = named(session, name.substring(0, name.length() - 2));
            return component == null || component == void.class ? null : component.arrayType();
        }
        for (Class<?> primitive : PRIMITIVES) {
            if (primitive.getName().equals(name)) {
                return primitive;
            }
        }
        if (name.isEmpty() || name.charAt(0) == '[') {
            return null;
        }
        if (!session.policy().admitsName(name)) {
            throw session.policy().denied(name);
        }
        Class<?> type = load(name);
        if (type != null) {
            session.policy().checkNamed(type);
        }
        return type;
    }

    /** Asks the thread's context class loader, which an application server may have set, then our own. */
    private static Class<?> load(String name) {
        boolean known = isFewAbsent(name);
        ClassLoader ours = ours();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        Class<?> found = context == null || context == ours ? null : load(name, context, known);
        if (found == null) {
            found = load(name, ours, known);
        }
        if (found == null && known) {
            absent(name);
        }
        return found;
    }

    /** Asks a loader. If too many names were unknown, only for a name whose class file it has. */
    private static Class<?> load(String name, ClassLoader loader, boolean known) {
        try {
            return known || loader.getResource(name.replace('.', '/') + ".class") != null
                ? Class.forName(name, false, loader) : null;
        } catch (ClassNotFoundException absent) {
            return null;
        } catch (LinkageError broken) {
            throw broken(name, broken);
        }
    }

    /**
     * Returns whether a loader may be asked for a name: it was asked for it before, or few names were unknown so far.
     */
    private static boolean isFewAbsent(String name) {
        synchronized (ABSENT) {
            return name.length() <= MOST_LENGTH && (ABSENT.size() < MOST_ABSENT || ABSENT.contains(name));
        }
    }

    private static void absent(String name) {
        synchronized (ABSENT) {
            if (ABSENT.size() < MOST_ABSENT) {
                ABSENT.add(name);
            }
        }
    }

    private static ClassLoader ours() {
        ClassLoader ours = ClassNames.class.getClassLoader();
        // The loader of a launched gateway is the boot loader, which does not know the class path.
        return ours != null ? ours : ClassLoader.getSystemClassLoader();
    }

    private static SamewireException broken(String name, LinkageError broken) {
        // On a case-insensitive file system the file has a class with a name in another case.
        return new SamewireException(Code.MISUSE, -1, null, "the class " + name + " cannot be loaded: " + broken,
            broken);
    }
}
