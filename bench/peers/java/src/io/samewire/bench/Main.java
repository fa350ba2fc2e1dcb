package io.samewire.bench;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * {@code Main list} names the peers; {@code Main PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]} times one of
 * them on one workload; with no samples, only what a process pays once.
 *
 * <p>A row of the peer in {@code WithKryo} is called {@code kryo} or {@code kryo-…}, so that only that class is loaded. Output is one
 * JSON object a line.
 */
public final class Main {
    private Main() {}

    /** See the class. */
    public static void main(String[] arguments) throws ReflectiveOperationException, RunnerException, IOException, URISyntaxException {
        if (arguments[0].equals("list")) {
            list();
            return;
        }
        Library library = library(arguments[0]);
        Timing.Plan plan =
                new Timing.Plan(
                        Double.parseDouble(flag(arguments, "--warm", "1.5")),
                        Integer.parseInt(flag(arguments, "--samples", "5")),
                        Double.parseDouble(flag(arguments, "--sample", "0.05")));
        String data = flag(arguments, "--data", null);
        Workload workload = data == null ? Workload.reference(arguments[1]) : Workload.own(Path.of(data));
        if (!workload.isOwn()) {
            line("digest", Reference.digest(workload.value()));
        } else if (!library.own()) {
            line("cannot", "its types are made by its compiler or its macros, before the lab is built");
            return;
        }
        Report report = new Report(library, workload, plan);
        try {
            if (plan.samples() > 0) {
                report.run();
            } else {
                report.once();
            }
        } catch (RuntimeException refused) {
            if (!workload.isOwn()) {
                throw refused;
            }
            line("cannot", refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
    }

    private static String flag(String[] arguments, String name, String otherwise) {
        int at = Arrays.asList(arguments).indexOf(name);
        return at < 0 ? otherwise : arguments[at + 1];
    }

    /** Prints one line of the report. */
    static void line(String key, String text) {
        System.out.println("{" + quoted(key) + ": " + quoted(text) + "}");
    }

    /** A JSON string. */
    static String quoted(String text) {
        String plain = text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ");
        return '"' + plain + '"';
    }

    private static Library library(String name) throws ReflectiveOperationException, URISyntaxException {
        for (String file : files()) {
            String stem = stem(file);
            if (name.equals(stem) || name.startsWith(stem + "-")) {
                return rows(file).get(name);
            }
        }
        throw new IllegalArgumentException("no peer " + name);
    }

    /** The classes of peers, as they lie in the folder of this one. */
    private static List<String> files() throws URISyntaxException {
        File folder = Path.of(Main.class.getResource("Main.class").toURI()).getParent().toFile();
        Stream<String> names = Arrays.stream(folder.list()).filter(name -> name.matches("With\\w+\\.class"));
        return names.map(name -> name.substring(0, name.length() - ".class".length())).sorted().toList();
    }

    private static String stem(String file) {
        return file.substring("With".length()).toLowerCase(Locale.ROOT);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Library> rows(String file) throws ReflectiveOperationException {
        return (Map<String, Library>) Class.forName("io.samewire.bench." + file).getMethod("rows").invoke(null);
    }

    /** A peer whose library is not there says so, and the others go on. */
    private static void list() throws ReflectiveOperationException, URISyntaxException {
        Map<String, String> all = new TreeMap<>();
        for (String file : files()) {
            try {
                rows(file).forEach((name, library) -> all.put(name, about(library)));
            } catch (InvocationTargetException | LinkageError absent) {
                String why = Objects.requireNonNullElse(absent.getCause(), absent).toString();
                all.put(stem(file), "{\"missing\": " + quoted(why) + "}");
            }
        }
        String peers = all.entrySet().stream().map(row -> quoted(row.getKey()) + ": " + row.getValue()).collect(Collectors.joining(", "));
        System.out.println("{\"harness\": " + quoted(Jmh.NAME) + ", \"peers\": {" + peers + "}}");
    }

    private static String about(Library library) {
        String workloads = library.workloads().stream().map(Main::quoted).toList().toString();
        String text = "{\"workloads\": %s, \"version\": %s, \"kind\": %s, \"checks\": %s, \"trusted\": %s}";
        return text.formatted(workloads, quoted(library.version()), quoted(library.kind()), quoted(library.checks()), library.trusted());
    }
}
