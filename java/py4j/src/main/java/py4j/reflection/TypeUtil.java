package py4j.reflection;

import java.util.Map;
import py4j.JVMView;
import py4j.Py4JException;

/** Finds classes by names of primitive types, full names and imported names. */
public final class TypeUtil {
    private static final Map<String, Class<?>> PRIMITIVES = Map.of("long", long.class, "int", int.class, "short",
        short.class, "byte", byte.class, "double", double.class, "float", float.class, "boolean", boolean.class,
        "char", char.class);

    private TypeUtil() {}

    /** Returns the class of a full name, or a primitive type. */
    public static Class<?> forName(String fqn) throws ClassNotFoundException {
        Class<?> primitive = PRIMITIVES.get(fqn);
        return primitive != null ? primitive : ReflectionUtil.classForName(fqn);
    }

    /** Returns the class of a full name, a primitive type, or a class that a view imports. */
    public static Class<?> forName(String fqn, JVMView view) throws ClassNotFoundException {
        return fqn.indexOf('.') >= 0 || PRIMITIVES.containsKey(fqn) ? forName(fqn) : getClass(fqn, view);
    }

    /** Returns the class of a simple name: of the unnamed package, or imported by a view. */
    public static Class<?> getClass(String simpleName, JVMView view) throws ClassNotFoundException {
        Class<?> type = find(simpleName);
        if (type != null) {
            return type;
        }
        String imported = view.getSingleImportsMap().get(simpleName);
        if (imported != null) {
            return ReflectionUtil.classForName(imported);
        }
        for (String starImport : view.getStarImports()) {
            type = find(starImport + "." + simpleName);
            if (type != null) {
                return type;
            }
        }
        throw new ClassNotFoundException(simpleName + " not found.");
    }

    private static Class<?> find(String name) {
        try {
            return ReflectionUtil.classForName(name);
        } catch (ClassNotFoundException absent) {
            return null;
        }
    }

    /** Returns whether an object is an instance of a class. */
    public static boolean isInstanceOf(Class<?> clazz, Object object) {
        return clazz.isInstance(object);
    }

    /** Returns whether an object is an instance of the class of a full name. */
    public static boolean isInstanceOf(String classFQN, Object object) {
        try {
            return isInstanceOf(ReflectionUtil.classForName(classFQN), object);
        } catch (ClassNotFoundException absent) {
            throw new Py4JException(absent);
        }
    }
}
