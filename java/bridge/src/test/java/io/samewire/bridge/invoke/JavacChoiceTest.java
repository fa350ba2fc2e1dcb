package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the overloads that are chosen with those that javac chooses, over generated overloads and calls. */
class JavacChoiceTest {
    private static final int SETS = 400;
    private static final int CALLS = 6;
    private static final String[] PARAMETERS = {"int", "long", "double", "float", "short", "byte", "char", "boolean",
        "Integer", "Long", "Double", "Boolean", "Character", "Number", "Object", "String", "CharSequence",
        "Comparable", "java.io.Serializable", "byte[]", "int[]", "Object[]", "java.util.List", "java.util.Collection",
        "Iterable", "java.util.ArrayList", "java.util.Map", "java.util.Set", "java.util.LinkedHashMap",
        "java.math.BigInteger", "Thread", "Runnable", "StringBuilder"};
    private static final String[] ARGUMENTS = {"int", "long", "double", "boolean", "char", "float", "String", "byte[]",
        "int[]", "java.util.ArrayList", "java.util.List", "java.util.LinkedHashMap", "java.util.LinkedHashSet",
        "java.math.BigInteger", "null", "Integer", "Thread", "StringBuilder", "Object"};

    /** A call in the generated source: which set, the types of its arguments. */
    private record Call(int set, String[] arguments) {}

    private final Random random = new Random(20250115);
    private final List<List<String[]>> sets = new ArrayList<>();
    private final List<Boolean[]> spread = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();

    @Test
    void choosesWhatJavacChooses(@TempDir Path folder) throws Exception {
        generate();
        Map<Integer, String> refused = new HashMap<>();
        compile(source(Map.of()), folder, refused);
        assertTrue(refused.size() > 100 && refused.size() < calls.size() - 300,
            refused.size() + " of " + calls.size() + " calls are refused");
        assertEquals(Map.of(), compile(source(refused), folder, new HashMap<>()));
        int ambiguous = 0;
        int found = 0;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (int i = 0; i < calls.size(); i++) {
                String theirs = refused.get(i);
                if (theirs == null) {
                    theirs = (String) loader.loadClass("Calls").getMethod("call" + i).invoke(null);
                    found++;
                }
                String ours = ours(loader, calls.get(i));
                if (theirs.equals("none")) {
                    // Only conversions that Java does not have may find one.
                    assertTrue(ours.equals("none") || !isJava(loader, calls.get(i)), () -> "it fits nothing in Java");
                } else {
                    int call = i;
                    assertEquals(theirs, ours, () -> text(calls.get(call)));
                }
                ambiguous += theirs.equals("ambiguous") ? 1 : 0;
            }
        }
        assertTrue(found > 500 && ambiguous > 20, found + " found, " + ambiguous + " ambiguous");
    }

    private void generate() {
        for (int i = 0; i < SETS; i++) {
            List<String[]> set = new ArrayList<>();
            Set<String> seen = new LinkedHashSet<>();
            int arity = 1 + random.nextInt(3);
            String[] pool = new String[3 + random.nextInt(6)];
            Arrays.setAll(pool, j -> PARAMETERS[random.nextInt(PARAMETERS.length)]);
            List<Boolean> dots = new ArrayList<>();
            for (int j = 2 + random.nextInt(4); j > 0; j--) {
                String[] parameters = new String[Math.max(1, arity - (random.nextInt(4) == 0 ? 1 : 0))];
                Arrays.setAll(parameters, k -> pool[random.nextInt(pool.length)]);
                boolean many = random.nextInt(5) == 0;
                String key = String.join(",", parameters);
                // T... and T[] would be the same method.
                if (seen.add(many ? key + "[]" : key)) {
                    set.add(parameters);
                    dots.add(many);
                }
            }
            sets.add(set);
            spread.add(dots.toArray(new Boolean[0]));
            for (int j = 0; j < CALLS; j++) {
                String[] arguments = new String[Math.max(1, arity + random.nextInt(5) / 4 - random.nextInt(6) / 5)];
                String[] like = set.get(random.nextInt(set.size()));
                for (int k = 0; k < arguments.length; k++) {
                    // Mostly something that a parameter takes.
                    arguments[k] = fitting(like[Math.min(k, like.length - 1)]);
                }
                calls.add(new Call(i, arguments));
            }
        }
    }

    private String fitting(String parameter) {
        for (int i = 0; i < 20; i++) {
            String argument = ARGUMENTS[random.nextInt(ARGUMENTS.length)];
            if (argument.equals("null") ? i > 15 : Conversions.cost(type(argument), JavaNames.of(parameter))
                <= Conversions.LOOSE) {
                return argument;
            }
        }
        return ARGUMENTS[random.nextInt(ARGUMENTS.length)];
    }

    private String source(Map<Integer, String> without) {
        StringBuilder text = new StringBuilder("public class Calls {\n");
        for (int i = 0; i < sets.size(); i++) {
            text.append("public static class Set").append(i).append(" {\n");
            for (int j = 0; j < sets.get(i).size(); j++) {
                text.append("public static String f(");
                String[] parameters = sets.get(i).get(j);
                for (int k = 0; k < parameters.length; k++) {
                    boolean dots = spread.get(i)[j] && k == parameters.length - 1;
                    text.append(k == 0 ? "" : ", ").append(parameters[k]).append(dots ? "..." : "").append(" p")
                        .append(k);
                }
                text.append(") { return \"").append(j).append("\"; }\n");
            }
            text.append("}\n");
        }
        for (int i = 0; i < calls.size(); i++) {
            text.append("public static String call").append(i).append("() {\n");
            if (!without.containsKey(i)) {
                text.append(text(calls.get(i)));
            } else {
                text.append("return null; ");
            }
            text.append("}\n");
        }
        return text.append("}\n").toString();
    }

    /** The call on one line. */
    private static String text(Call call) {
        StringBuilder text = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int k = 0; k < call.arguments.length; k++) {
            String type = call.arguments[k];
            values.append(k == 0 ? "" : ", ").append(type.equals("null") ? "null" : "a" + k);
            if (!type.equals("null")) {
                String value = type.equals("boolean") ? "false" : type.equals("Integer") ? "1"
                    : JavaNames.of(type).isPrimitive() ? "(" + type + ") 1" : "null";
                text.append(type).append(" a").append(k).append(" = ").append(value).append("; ");
            }
        }
        return text + "return Set" + call.set + ".f(" + values + "); ";
    }

    private Map<Integer, String> compile(String source, Path folder, Map<Integer, String> refused)
        throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Calls.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignored) {
                return source;
            }
        };
        compiler.getTask(null, null, found, List.of("-d", folder.toString(), "-nowarn", "-Xmaxerrs", "100000",
            "-Xdiags:verbose", "-proc:none", "-cp", folder + File.pathSeparator), null, List.of(file)).call();
        String[] lines = source.split("\n");
        for (Diagnostic<?> diagnostic : found.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                int line = (int) diagnostic.getLineNumber() - 1;
                String head = lines[line - 1];
                assertTrue(head.contains(" call"), () -> diagnostic + "");
                int call = Integer.parseInt(head.substring(head.indexOf(" call") + 5, head.indexOf('(')));
                boolean ambiguous = diagnostic.getCode().contains("ambiguous");
                assertTrue(ambiguous || diagnostic.getCode().contains("cant.apply"), diagnostic.getCode());
                refused.put(call, ambiguous ? "ambiguous" : "none");
            }
        }
        return refused;
    }

    private String ours(ClassLoader loader, Call call) throws Exception {
        Class<?> owner = loader.loadClass("Calls$Set" + call.set);
        List<ArgumentType> arguments = new ArrayList<>();
        for (String argument : call.arguments) {
            arguments.add(type(argument));
        }
        try {
            Overloads.Choice choice = Overloads.chosen("f", Members.methods(owner, "f"), arguments);
            Method method = (Method) choice.overload().member();
            Object[] values = new Object[method.getParameterCount()];
            for (int i = 0; i < values.length; i++) {
                Class<?> type = method.getParameterTypes()[i];
                values[i] = type.isPrimitive() ? java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type,
                    1), 0) : null;
            }
            return (String) method.invoke(null, values);
        } catch (SamewireException refused) {
            assertEquals(Code.TYPE_MISMATCH, refused.code());
            return refused.getMessage().contains("ambiguous") ? "ambiguous" : "none";
        }
    }

    /** Whether some overload takes the arguments by Java's own conversions. */
    private boolean isJava(ClassLoader loader, Call call) {
        try {
            for (Overload overload : Members.methods(loader.loadClass("Calls$Set" + call.set), "f")) {
                boolean fits = overload.count() == call.arguments.length;
                for (int i = 0; fits && i < call.arguments.length; i++) {
                    fits = Conversions.cost(type(call.arguments[i]), overload.parameter(i)) <= Conversions.LOOSE;
                }
                if (fits) {
                    return true;
                }
            }
            return false;
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static ArgumentType type(String argument) {
        Class<?> type = JavaNames.of(argument);
        return type == null ? ArgumentType.NULL
            : type == Integer.class || type == Thread.class || type == StringBuilder.class || type == Object.class
            ? ArgumentType.object(type)
            : type == ArrayList.class ? ArgumentType.list(null)
            : type == List.class ? ArgumentType.tuple()
            : type == LinkedHashMap.class ? ArgumentType.map()
            : type == LinkedHashSet.class ? ArgumentType.set()
            : type == BigInteger.class ? ArgumentType.value(BigInteger.class)
            : ArgumentType.value(type);
    }
}
