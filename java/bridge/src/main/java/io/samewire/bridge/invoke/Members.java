package io.samewire.bridge.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The accessible members of classes: public ones of public classes in exported packages. A public method of another
 * class is found through a public superclass or interface that also declares it.
 */
public final class Members {
    private static final Module OURS = Members.class.getModule();

    private Members() {}

    /** Returns the methods of a class by a name, static or not; one of each list of parameters. */
    public static List<Overload> methods(Class<?> type, String name) {
        List<Overload> found = new ArrayList<>();
        Method[] all = type.getMethods();
        for (int i = 0; i < all.length; i++) {
            if (all[i].getName().equals(name)) {
                add(found, type, all[i]);
            }
        }
        if (type.isInterface()) {
            // An interface declares those of Object implicitly (JLS 9.2).
            for (Method method : Object.class.getMethods()) {
                if (method.getName().equals(name)) {
                    add(found, type, method);
                }
            }
        }
        return found;
    }

    private static void add(List<Overload> found, Class<?> type, Method method) {
        Method reached = BridgeMethods.isCompilers(type, method) ? null : reachable(type, method);
        if (reached == null) {
            return;
        }
        Overload added = new Overload(reached);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).hasParameters(added)) {
                if (isBetter(reached, (Method) found.get(i).member())) {
                    found.set(i, added);
                }
                return;
            }
        }
        found.add(added);
    }

    /** Of two methods with the same parameters, whether the first one is the one that Java calls. */
    private static boolean isBetter(Method one, Method other) {
        if (one.isBridge() != other.isBridge()) {
            return other.isBridge();
        }
        Class<?> mine = one.getReturnType();
        Class<?> theirs = other.getReturnType();
        if (mine != theirs) {
            return theirs.isAssignableFrom(mine);
        }
        return Modifier.isAbstract(other.getModifiers()) && !Modifier.isAbstract(one.getModifiers());
    }

    /** Returns every public method of a class that can be reached, one of each name and parameters. */
    public static List<Method> all(Class<?> type) {
        List<Method> found = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        // Most methods are of one class, which is checked once: a first call runs this in the interpreter.
        Class<?> owner = null;
        boolean open = false;
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() != owner) {
                owner = method.getDeclaringClass();
                open = isReachable(owner);
            }
            if (BridgeMethods.isCompilers(type, method)) {
                continue;
            }
            Method reached = open ? method : elsewhere(type, method);
            if (reached == null) {
                continue;
            }
            String key = reached.getName() + '(' + Signatures.names(reached.getParameterTypes(), ",");
            Integer place = places.get(key);
            if (place == null) {
                places.put(key, found.size());
                found.add(reached);
            } else if (isBetter(reached, found.get(place))) {
                found.set(place, reached);
            }
        }
        return found;
    }

    /** Returns the constructors of a class; none if it is abstract or inaccessible. */
    public static List<Overload> constructors(Class<?> type) {
        List<Overload> found = new ArrayList<>();
        if (isReachable(type) && !Modifier.isAbstract(type.getModifiers())) {
            for (Constructor<?> constructor : type.getConstructors()) {
                found.add(new Overload(constructor));
            }
        }
        return found;
    }

    /** Returns an accessible field of a class; null if there is none. */
    public static Field field(Class<?> type, String name) {
        try {
            Field field = type.getField(name);
            return reachable(type, field) ? field : null;
        } catch (NoSuchFieldException none) {
            return null;
        }
    }

    /** Returns whether code of another module may access a class. */
    public static boolean isReachable(Class<?> type) {
        // A proxy is used by its interfaces: its own name is generated, so policies cannot judge its own methods.
        if (!Modifier.isPublic(type.getModifiers()) || Proxy.isProxyClass(type)) {
            return false;
        }
        Module module = type.getModule();
        return !module.isNamed() || module == OURS || module.isExported(type.getPackageName(), OURS);
    }

    /** Returns the accessible declaration of a method for objects of a class; null if there is none. */
    static Method reachable(Class<?> type, Method method) {
        return isReachable(method.getDeclaringClass()) ? method : elsewhere(type, method);
    }

    /** Returns whether a public field of a class is accessible. */
    public static boolean reachable(Class<?> type, Field field) {
        Class<?> owner = field.getDeclaringClass();
        return isReachable(owner) || !field.isSynthetic() && isInherited(type, owner) && field.trySetAccessible();
    }

    /**
     * Returns another, accessible declaration of a method whose own class is inaccessible; the method itself if an
     * accessible class inherits it, as for Java's compiler; null if there is neither.
     */
    private static Method elsewhere(Class<?> type, Method method) {
        Method found = Modifier.isStatic(method.getModifiers()) ? null : inherited(type, method);
        return found == null && isInherited(type, method.getDeclaringClass()) && method.trySetAccessible() ? method
            : found;
    }

    /** Whether an accessible superclass of a class inherits from another class. */
    private static boolean isInherited(Class<?> type, Class<?> owner) {
        if (type == null || type == owner || !owner.isAssignableFrom(type)) {
            return false;
        } else if (isReachable(type) || isInherited(type.getSuperclass(), owner)) {
            return true;
        }
        for (Class<?> one : type.getInterfaces()) {
            if (isInherited(one, owner)) {
                return true;
            }
        }
        return false;
    }

    private static Method inherited(Class<?> type, Method method) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            Method found = declared(at, method);
            if (found != null) {
                return found;
            }
            for (Class<?> one : at.getInterfaces()) {
                found = inherited(one, method);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static Method declared(Class<?> type, Method method) {
        if (!isReachable(type)) {
            return null;
        }
        try {
            Method found = type.getMethod(method.getName(), method.getParameterTypes());
            return isReachable(found.getDeclaringClass()) && !Modifier.isStatic(found.getModifiers()) ? found : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }
}
