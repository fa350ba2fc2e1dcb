package io.samewire.pack.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.pack.TypeRef;
import io.samewire.peers.Schemas;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The metadata of this library for native images. */
class NativeImageMetadataTest {
    private static final String FILE = "/META-INF/native-image/io.samewire/samewire-pack/reflect-config.json";

    private static Map<String, JsonNode> registered() throws IOException {
        try (InputStream file = NativeImageMetadataTest.class.getResourceAsStream(FILE)) {
            Map<String, JsonNode> entries = new TreeMap<>();
            for (JsonNode entry : new ObjectMapper().readTree(file)) {
                entries.put(entry.get("name").textValue(), entry);
            }
            return entries;
        }
    }

    @Test
    void registersEachClassThatInterpretedProgramsUse() throws IOException {
        Set<String> registered = registered().keySet();
        Set<String> missing = new TreeSet<>();
        for (TypeRef<?> type : Schemas.TYPES.values()) {
            Binding binding = new Binding(JavaType.of(type.type()), new Converters());
            for (String name : ((InterpretedProgram) binding.interpreted()).resolved()) {
                if (!name.startsWith("io.samewire.peers.") && !registered.contains(name)) {
                    missing.add(name);
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void registersClassesThatExist() throws IOException {
        Set<String> absent = new TreeSet<>();
        for (String name : registered().keySet()) {
            String component = name.replace("[]", "");
            try {
                // Names without a package are those of primitive types.
                if (component.contains(".")) {
                    Class.forName(component, false, getClass().getClassLoader());
                }
            } catch (ClassNotFoundException missing) {
                absent.add(name);
            }
        }
        assertEquals(Set.of(), absent);
    }

    @Test
    void registersAllMembersOfTheLibrarysOwnClasses() throws IOException {
        for (Map.Entry<String, JsonNode> entry : registered().entrySet()) {
            if (entry.getKey().startsWith("io.samewire.")) {
                assertTrue(entry.getValue().path("allDeclaredMethods").booleanValue(), entry.getKey());
                assertTrue(entry.getValue().path("allDeclaredConstructors").booleanValue(), entry.getKey());
                assertTrue(entry.getValue().path("allDeclaredFields").booleanValue(), entry.getKey());
            }
        }
    }
}
