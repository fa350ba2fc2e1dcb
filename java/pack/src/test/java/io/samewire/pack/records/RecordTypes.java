package io.samewire.pack.records;

import io.samewire.core.Limits;
import io.samewire.pack.Codec;
import io.samewire.pack.Name;
import io.samewire.pack.Nullable;
import io.samewire.pack.Pack;
import io.samewire.pack.TypeRef;
import io.samewire.pack.bind.Notation;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The types of the vectors of record files, by their schemas. */
final class RecordTypes {
    private static final Map<String, TypeRef<?>> TYPES = new HashMap<>();

    record Book(String name, int year) {}

    /** Reads {@link Book} by resolution. */
    @Name("Book")
    record Wider(long year, @Nullable String author, String name) {}

    record Film(String name, int year) {}

    record Node(String name, List<Node> kids) {}

    static {
        for (TypeRef<?> type : List.of(new TypeRef<Book>() {}, new TypeRef<Wider>() {}, new TypeRef<Film>() {},
            new TypeRef<Node>() {}, new TypeRef<Integer>() {}, new TypeRef<List<Integer>>() {},
            new TypeRef<List<Double>>() {}, new TypeRef<Object>() {})) {
            TYPES.put(Pack.codec(type).schema().text(), type);
        }
    }

    private RecordTypes() {}

    private static TypeRef<?> type(String schema) {
        TypeRef<?> type = TYPES.get(schema);
        if (type == null) {
            throw new AssertionError("add a type for " + schema);
        }
        return type;
    }

    @SuppressWarnings("unchecked") // Values come from the same type.
    static Codec<Object> codec(String schema, Limits limits) {
        return (Codec<Object>) Pack.builder(type(schema)).limits(limits).build();
    }

    static Object value(String schema, JsonNode notation) {
        return Notation.read(type(schema), notation);
    }

    static JsonNode notation(String schema, Object value) {
        return Notation.write(type(schema), value);
    }
}
