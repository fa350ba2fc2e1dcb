package io.samewire.py4j;

import io.samewire.py4j.invoke.MemberNames;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import py4j.JVMView;
import py4j.Protocol;
import py4j.reflection.ReflectionUtil;
import py4j.reflection.TypeUtil;

/** What Python's package calls over the bridge, where Py4J has commands. */
public final class NativeOperations {
    private NativeOperations() {}

    /** Returns the server, which Python names {@code GATEWAY_SERVER}. */
    public static Object gateway(long serverId) {
        return NativeClients.of(serverId).gateway().getObject(Protocol.GATEWAY_SERVER_ID);
    }

    /** Returns the server's entry point, or null. */
    public static Object entryPoint(long serverId) {
        return NativeClients.of(serverId).gateway().getEntryPoint();
    }

    /**
     * Has the server's {@code getPythonServerEntryPoint} call a Python object: a {@link PythonEntryPoint}, or one that
     * implements the interfaces which Java asks for; null for none.
     */
    public static void pythonEntryPoint(long serverId, Object object) {
        NativeClients.of(serverId).setEntryPoint(object);
    }

    /**
     * Returns what a name is: {@code class} and its full name, or {@code package} and the name.
     *
     * @param imports full names of classes, and packages as {@code package.*}; {@code java.lang} is one of them always
     */
    public static String resolve(String[] imports, String name) {
        JVMView view = new JVMView("", null);
        for (String one : imports) {
            if (one.endsWith("*")) {
                view.addStarImport(one);
            } else {
                view.addSingleImport(one);
            }
        }
        try {
            return "class " + TypeUtil.forName(name, view).getName();
        } catch (ClassNotFoundException absent) {
            return "package " + name;
        }
    }

    /** Returns what a static member of a class is: {@code field}, {@code method}, {@code class} or {@code none}. */
    public static String memberKind(String className, String name) throws ClassNotFoundException {
        Class<?> type = TypeUtil.forName(className);
        Field field = MemberNames.field(type, name);
        if (field != null && Modifier.isStatic(field.getModifiers())) {
            return "field";
        }
        Method method = MemberNames.method(type, name);
        if (method != null) {
            return Modifier.isStatic(method.getModifiers()) ? "method" : "none";
        }
        return MemberNames.inner(type, name) != null ? "class" : "none";
    }

    /** Returns the names of an object's methods and fields. */
    public static String[] dir(Object object) {
        Set<String> names = new LinkedHashSet<>(List.of(MemberNames.methods(object.getClass())));
        names.addAll(List.of(MemberNames.fields(object.getClass())));
        return names.toArray(new String[0]);
    }

    /** Returns the names of an object's methods. */
    public static String[] methods(Object object) {
        return MemberNames.methods(object.getClass());
    }

    /** Returns the names of an object's fields. */
    public static String[] fields(Object object) {
        return MemberNames.fields(object.getClass());
    }

    /** Returns whether an object has a public field of a name. */
    public static boolean hasField(Object object, String name) {
        return MemberNames.field(object.getClass(), name) != null;
    }

    /** Returns the value of an object's field, which must be there. */
    public static Object field(Object object, String name) throws IllegalAccessException {
        return MemberNames.field(object.getClass(), name).get(object);
    }

    /** Sets an object's field, which must be there. */
    public static void setField(Object object, String name, Object value) throws IllegalAccessException {
        MemberNames.field(object.getClass(), name).set(object, value);
    }

    /** Returns the value of a class's static field, which must be there. */
    public static Object staticField(String className, String name) throws ReflectiveOperationException {
        return MemberNames.field(TypeUtil.forName(className), name).get(null);
    }

    /** Returns the names of a class's static members. */
    public static String[] staticDir(String className) throws ClassNotFoundException {
        return MemberNames.statics(TypeUtil.forName(className));
    }

    /**
     * Describes an object's class, or that of a name: a text comes to Python by value, so it is not an object there.
     *
     * @param pattern what the methods and fields look like, with {@code *} and {@code ?}; null for all
     * @param shortName whether types go without their packages
     */
    public static String help(Object objectOrName, String pattern, boolean shortName) throws ClassNotFoundException {
        Class<?> type = objectOrName instanceof String name ? ReflectionUtil.classForName(name)
            : objectOrName.getClass();
        return HelpPage.of(type, pattern, shortName);
    }
}
