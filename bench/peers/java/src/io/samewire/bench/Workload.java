package io.samewire.bench;

import io.samewire.pack.TypeRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What is carried.
 *
 * @param name a shape of the reference data, or {@link #OWN}
 * @param value records, lists, maps in order, primitive arrays; null for the user's own data, which each peer reads by itself
 * @param type of the value
 * @param classes the records and enums in it
 * @param data the user's own data: JSON, and in the same folder {@code value.pack}, the same value as Samewire's message; else null
 */
public record Workload(String name, Object value, TypeRef<?> type, List<Class<?>> classes, Path data) {
    /** The name of a workload that is the user's own. */
    public static final String OWN = "data";

    /** One shape of the reference data. */
    public static Workload reference(String shape) {
        return new Workload(shape, Reference.make(shape), type(shape), List.of(Event.class, Book.class, Node.class), null);
    }

    /** The user's own data, of types that were compiled from their schema. */
    public static Workload own(Path data) throws ReflectiveOperationException {
        Class<?> outer = Class.forName(System.getProperty("samewire.types"));
        TypeRef<?> type = (TypeRef<?>) outer.getField("TYPE").get(null);
        return new Workload(OWN, null, type, List.of(outer.getDeclaredClasses()), data);
    }

    private static TypeRef<?> type(String shape) {
        return switch (shape) {
            case "event" -> new TypeRef<Event>() { };
            case "tree" -> new TypeRef<Node>() { };
            case "ints" -> new TypeRef<int[]>() { };
            case "doubles" -> new TypeRef<double[]>() { };
            case "strings", "uniqueStrings" -> new TypeRef<List<String>>() { };
            case "map" -> new TypeRef<Map<String, Integer>>() { };
            default -> new TypeRef<List<Book>>() { };
        };
    }

    /** Whether the value is the user's own. */
    public boolean isOwn() {
        return data != null;
    }

    /** The user's own data as Samewire's message. */
    public byte[] message() throws IOException {
        return Files.readAllBytes(data.resolveSibling("value.pack"));
    }
}
