package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Notation;
import io.samewire.peers.Schemas;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Values that do not fit their type, as raw types let them through, are refused with a code and a path. */
class WrongValuesTest {
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final int VALUES = 4_000;

    private final Random random = new Random(12);
    private final List<Object> strange = strange();

    private static List<Object> strange() {
        Map<Object, Object> mixed = new LinkedHashMap<>();
        mixed.put(1, "a");
        mixed.put("b", null);
        return Arrays.asList(null, 1, 1L, (short) 1, (byte) 1, 'c', 1.5, 1.5f, true, "x", "\ud800",
            BigInteger.ONE.shiftLeft(100_000), BigDecimal.TEN, new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
            new Object(), new int[1], new long[0], new Object[1], new byte[3], List.of(), List.of("a"),
            Arrays.asList((Object) null), Set.of(1), new HashSet<>(Arrays.asList(null, 1, "a")),
            Collections.singletonMap(null, null), mixed, Map.of("a", new Object()), Optional.empty(), Optional.of(1),
            OptionalInt.of(1), Thread.State.NEW, String.class, new UUID(1, 2), LocalDate.MAX, Instant.MAX, Instant.MIN,
            Duration.ofSeconds(Long.MAX_VALUE), OffsetDateTime.MIN, new StringBuilder("x"), List.of(List.of()),
            Collections.nCopies(70, null), Collections.nCopies(70, "x"), Collections.nCopies(70, new Object()));
    }

    private Object anything() {
        return strange.get(random.nextInt(strange.size()));
    }

    /** A value with one part replaced. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object spoiled(Object value) throws ReflectiveOperationException {
        if (value == null || random.nextInt(10) < 3) {
            return anything();
        } else if (value instanceof List list && !list.isEmpty()) {
            List copy = new ArrayList(list);
            int at = random.nextInt(copy.size());
            copy.set(at, spoiled(copy.get(at)));
            return copy;
        } else if (value instanceof Set set) {
            Set copy = random.nextBoolean() ? new LinkedHashSet(set) : new HashSet(set);
            copy.add(anything());
            return copy;
        } else if (value instanceof Map map && !map.isEmpty()) {
            Map copy = random.nextBoolean() ? new LinkedHashMap(map) : new HashMap(map);
            Object key = new ArrayList(map.keySet()).get(random.nextInt(map.size()));
            copy.put(random.nextBoolean() ? key : anything(), spoiled(map.get(key)));
            return copy;
        }
        return value instanceof Record record ? spoiledRecord(record) : anything();
    }

    private Object spoiledRecord(Record value) throws ReflectiveOperationException {
        RecordComponent[] components = value.getClass().getRecordComponents();
        if (components.length == 0) {
            return anything();
        }
        Object[] parts = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < parts.length; i++) {
            components[i].getAccessor().setAccessible(true);
            parts[i] = components[i].getAccessor().invoke(value);
            types[i] = components[i].getType();
        }
        int at = random.nextInt(parts.length);
        Object other = spoiled(parts[at]);
        if (other == null ? !types[at].isPrimitive() : types[at].isInstance(other)) {
            parts[at] = other;
        }
        Constructor<?> constructor = value.getClass().getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(parts);
        } catch (InvocationTargetException refused) {
            return anything();
        }
    }

    @Test
    @SuppressWarnings("unchecked") // The values are meant not to fit.
    void valuesOfWrongTypesAreWrittenOrRefusedWithCodeAndPath() throws Exception {
        Map<String, TypeRef<?>> types = new HashMap<>();
        for (JsonNode entry : new ObjectMapper().readTree(ROOT.resolve("build/peers/schemas.json").toFile())) {
            types.put(entry.get("schema").textValue(), Schemas.TYPES.get(entry.get("id").textValue()));
        }
        List<JsonNode> cases = canonicalCases();
        int refused = 0;
        for (int i = 0; i < VALUES; i++) {
            JsonNode vector = cases.get(random.nextInt(cases.size()));
            String schema = vector.get("schema").textValue();
            Object value = spoiled(Notation.read(types.get(schema), vector.get("value")));
            Codec<Object> codec = (Codec<Object>) Pack.builder(types.get(schema))
                .profile(random.nextBoolean() ? Profile.COMPACT : Profile.FAST).sortKeys(random.nextBoolean()).build();
            try {
                codec.encode(value);
            } catch (SamewireException error) {
                assertTrue(error.path() != null, () -> schema + ": " + error.getMessage());
                refused++;
            } catch (RuntimeException error) {
                throw new AssertionError(schema + ": " + value, error);
            }
        }
        assertTrue(refused > VALUES / 2, Integer.toString(refused));
    }

    private static List<JsonNode> canonicalCases() throws Exception {
        File[] files = ROOT.resolve("spec/vectors/pack").toFile().listFiles((folder, name) -> name.endsWith(".json"));
        Arrays.sort(files);
        List<JsonNode> cases = new ArrayList<>();
        for (File file : files) {
            for (JsonNode vector : new ObjectMapper().readTree(file).path("cases")) {
                boolean fits = vector.path("hex").asText().length() < 400;
                if (fits && vector.get("kind").textValue().equals("canonical")) {
                    cases.add(vector);
                }
            }
        }
        return cases;
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // The values are meant not to fit.
    void refusesWhatIsNoOptional() {
        Codec<Object> codec = (Codec) Pack.codec(new TypeRef<List<Optional<Integer>>>() {});
        for (Object other : List.of(new Object(), "x", 1, OptionalInt.of(1), Optional.of("x"))) {
            SamewireException error = assertThrows(SamewireException.class, () -> codec.encode(List.of(other)));
            assertEquals(Code.TYPE_MISMATCH, error.code());
            assertEquals("$[0]", error.path());
        }
    }
}
