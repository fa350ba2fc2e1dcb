package io.samewire.bridge.value;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Registered records and enums, by their names in schemas. They are registered by the names of their classes ({@code
 * shop.Books$Book}), and a schema has the struct's own name ({@code Book}). Thread-safe.
 */
final class RecordNames {
    private final Map<String, Class<?>> registered;
    private Map<String, List<Class<?>>> bySchemaName;

    RecordNames(Map<String, Class<?>> registered) {
        this.registered = registered;
    }

    /** Returns whether these are the records that were registered by those names. */
    boolean isOf(Map<String, Class<?>> names) {
        return registered == names;
    }

    /**
     * Returns the class of a struct or enum; null if none is registered. Of several with its name it is the one with
     * the same schema.
     *
     * @throws SamewireException {@code schema_mismatch} if there are several and none has it
     */
    Class<?> find(SchemaText schema) {
        Class<?> named = registered.get(schema.name);
        if (named != null) {
            return named;
        }
        List<Class<?>> found = bySchemaName().getOrDefault(schema.name, List.of());
        if (found.size() < 2) {
            return found.isEmpty() ? null : found.get(0);
        }
        for (Class<?> one : found) {
            if (text(one).equals(schema.text)) {
                return one;
            }
        }
        throw new SamewireException(Code.SCHEMA_MISMATCH, -1, null, "the schema " + schema.text + " is that of none of "
            + found + ", which are all registered as " + schema.name + ": rename one, or let the schemas agree");
    }

    private synchronized Map<String, List<Class<?>>> bySchemaName() {
        if (bySchemaName == null) {
            Map<String, List<Class<?>>> all = new HashMap<>();
            for (Class<?> type : registered.values()) {
                String name = SchemaText.parse(text(type)).name;
                if (name != null) {
                    all.computeIfAbsent(name, unused -> new ArrayList<>(1)).add(type);
                }
            }
            bySchemaName = all;
        }
        return bySchemaName;
    }

    private static String text(Class<?> type) {
        return Pack.codec(type).schema().text();
    }
}
