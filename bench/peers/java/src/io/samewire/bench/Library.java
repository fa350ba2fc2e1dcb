package io.samewire.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the lab shows of a library beside its figures. A peer's file tells it in a static method {@code rows()}, by the names of the rows.
 *
 * @param from a class of the library, which tells the version
 * @param kind {@code typed}, {@code dynamic}, {@code schema} or {@code limit}
 * @param checks what is validated while decoding
 * @param trusted whether it assumes that its input is friendly
 * @param own whether it carries values of the user's own, whose types are made from their schema
 * @param open sets it up for a workload
 */
public record Library(Class<?> from, String kind, String checks, boolean trusted, boolean own, Function<Workload, Peer> open) {
    private static final Pattern JAR = Pattern.compile("-(\\d[^/]*)\\.jar$");

    /** That of the jar it comes from; ours is built beside the lab, which tells it. */
    public String version() {
        Matcher jar = JAR.matcher(from.getProtectionDomain().getCodeSource().getLocation().getPath());
        return jar.find() ? jar.group(1) : System.getProperty("samewire.version", "built here");
    }

    /** The names of the workloads it carries. */
    public List<String> workloads() {
        List<String> names = new ArrayList<>(Reference.SHAPES);
        if (own) {
            names.add(Workload.OWN);
        }
        return names;
    }
}
