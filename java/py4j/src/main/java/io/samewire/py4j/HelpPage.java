package io.samewire.py4j;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The description of a class that Python's {@code help} shows. */
public final class HelpPage {
    private static final String EMPTY_LINE = "\n|  \n";
    private static final String LINE = "|  ------------------------------------------------------------\n";

    private final boolean shortNames;
    private final Pattern pattern;
    private final StringBuilder text = new StringBuilder();

    private HelpPage(String pattern, boolean shortNames) {
        this.pattern = Pattern.compile(pattern == null ? ".*" : "^" + pattern.trim().replace(".", "\\.")
            .replace("*", ".*").replace("?", ".?").replace("(", "\\(").replace(")", "\\)"));
        this.shortNames = shortNames;
    }

    /**
     * Describes a class.
     *
     * @param pattern what the methods and fields look like, with {@code *} and {@code ?}; null for all
     * @param shortNames whether types go without their packages
     */
    public static String of(Class<?> type, String pattern, boolean shortNames) {
        HelpPage page = new HelpPage(pattern, shortNames);
        page.describe(type);
        return page.text.toString();
    }

    private void describe(Class<?> type) {
        String name = nameOf(type);
        int dot = name.lastIndexOf('.');
        text.append("Help on class ").append(name.substring(dot + 1)).append(" in package ")
            .append(dot < 0 ? name : name.substring(0, dot)).append(":\n\n").append(signature(type)).append(" {")
            .append(EMPTY_LINE);
        List<Method> methods = publicOnes(type.getDeclaredMethods(), Method::getModifiers, Method::getName);
        section("Methods defined here:", methods, this::signature, true);
        text.append(LINE);
        List<Field> fields = publicOnes(type.getDeclaredFields(), Field::getModifiers, Field::getName);
        section("Fields defined here:", fields, this::signature, true);
        text.append(LINE);
        List<Class<?>> inner = publicOnes(type.getDeclaredClasses(), Class::getModifiers, HelpPage::nameOf);
        section("Internal classes defined here:", inner, this::signature, false);
        text.append("}\n");
    }

    private static <T> List<T> publicOnes(T[] members, Function<T, Integer> modifiers, Function<T, String> name) {
        List<T> found = new ArrayList<>();
        for (T member : members) {
            if (Modifier.isPublic(modifiers.apply(member))) {
                found.add(member);
            }
        }
        found.sort(Comparator.comparing(name));
        return found;
    }

    private <T> void section(String title, List<T> members, Function<T, String> signature, boolean matching) {
        text.append("|  ").append(title).append(EMPTY_LINE);
        for (T member : members) {
            String one = signature.apply(member);
            if (!matching || pattern.matcher(one).matches()) {
                text.append("|  ").append(one).append(EMPTY_LINE);
            }
        }
    }

    private String signature(Method method) {
        List<String> parameters = new ArrayList<>();
        for (Class<?> parameter : method.getParameterTypes()) {
            parameters.add(shown(parameter));
        }
        return method.getName() + "(" + String.join(", ", parameters) + ") : " + shown(method.getReturnType());
    }

    private String signature(Field field) {
        return field.getName() + " : " + shown(field.getType());
    }

    private String signature(Class<?> type) {
        StringBuilder signature = new StringBuilder(shown(type));
        Class<?> parent = type.getSuperclass();
        if (parent != null && parent != Object.class) {
            signature.append(" extends ").append(nameOf(parent));
        }
        String before = " implements ";
        for (Class<?> one : type.getInterfaces()) {
            signature.append(before).append(nameOf(one));
            before = ", ";
        }
        return signature.toString();
    }

    private String shown(Class<?> type) {
        String name = nameOf(type);
        return shortNames ? name.substring(name.lastIndexOf('.') + 1) : name;
    }

    /** The name in source; that of an anonymous or local class, which has none, as the JVM has it. */
    private static String nameOf(Class<?> type) {
        String name = type.getCanonicalName();
        return name != null ? name : type.getName();
    }
}
