package io.samewire.pack.bind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.samewire.pack.TypeRef;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.schema.SchemaType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The vectors' notation of values ({@code spec/vectors/README.md}) to native values and back, by types and reflection.
 */
public final class Notation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final CompiledType root;
    private final Map<Integer, Object> known = new HashMap<>();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    private Notation(TypeRef<?> type) {
        this.root = NativeTypeReader.compiled(JavaType.of(type.type(), Map.of()), new Converters());
    }

    /** The native value that a notation means. */
    public static Object read(TypeRef<?> type, JsonNode value) {
        Notation notation = new Notation(type);
        return notation.read(notation.root, value);
    }

    /** The notation of a native value. */
    public static JsonNode write(TypeRef<?> type, Object value) {
        Notation notation = new Notation(type);
        return notation.write(notation.root, value);
    }

    private Object read(CompiledType compiled, JsonNode value) {
        if (compiled instanceof CompiledScalar scalar) {
            return ScalarNotation.read(scalar.kind(), value);
        } else if (compiled instanceof CompiledOption option) {
            Object held = value.isNull() ? null : read(option.item, value);
            return option.isNullable() ? held : Optional.ofNullable(held);
        } else if (compiled instanceof CompiledEnum e) {
            return e.constants.get(e.type().symbols.indexOf(value.textValue()));
        } else if (compiled instanceof CompiledList list) {
            return list(list, value);
        } else if (compiled instanceof CompiledSet set) {
            return new LinkedHashSet<>(elements(set.item, value));
        } else if (compiled instanceof CompiledMap map) {
            Map<Object, Object> made = new LinkedHashMap<>();
            value.forEach(entry -> made.put(read(map.key, entry.get(0)), read(map.value, entry.get(1))));
            return made;
        } else if (compiled instanceof CompiledStruct struct) {
            return struct(struct, value);
        } else if (compiled instanceof CompiledUnion union) {
            String name = value.fieldNames().next();
            return struct(union.members.get(union.type().index(name)), value.get(name));
        }
        CompiledRef ref = (CompiledRef) compiled;
        int number = value.get("ref").intValue();
        if (value.has("value")) {
            known.put(number, struct(ref.struct, value.get("value")));
        }
        return known.get(number);
    }

    private List<Object> elements(CompiledType item, JsonNode value) {
        List<Object> elements = new ArrayList<>();
        value.forEach(element -> elements.add(read(item, element)));
        return elements;
    }

    private Object list(CompiledList compiled, JsonNode value) {
        List<Object> elements = elements(compiled.item, value);
        if (!compiled.raw.isArray()) {
            return elements;
        }
        Object array = Array.newInstance(compiled.raw.getComponentType(), elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private Object struct(CompiledStruct compiled, JsonNode value) {
        List<Object> parts = new ArrayList<>();
        for (int i = 0; i < compiled.slots.size(); i++) {
            Slot slot = compiled.slots.get(i);
            parts.add(read(slot.compiled, compiled.type() instanceof SchemaType.Struct ? value.get(slot.name)
                : value.get(i)));
        }
        try {
            Constructor<?> constructor = compiled.constructor;
            constructor.setAccessible(true);
            if (constructor.getParameterCount() > 0 || parts.isEmpty()) {
                return constructor.newInstance(parts.toArray());
            }
            Object made = constructor.newInstance();
            for (int i = 0; i < parts.size(); i++) {
                compiled.slots.get(i).setter.set(made, parts.get(i));
            }
            return made;
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(failure);
        }
    }

    private JsonNode write(CompiledType compiled, Object value) {
        if (compiled instanceof CompiledScalar scalar) {
            return ScalarNotation.write(scalar.kind(), value);
        } else if (compiled instanceof CompiledOption option) {
            Object held = option.isNullable() ? value : ((Optional<?>) value).orElse(null);
            return held == null ? JSON.nullNode() : write(option.item, held);
        } else if (compiled instanceof CompiledEnum e) {
            return JSON.textNode(e.type().symbols.get(e.constants.indexOf(value)));
        } else if (compiled instanceof CompiledList list) {
            Object elements = value instanceof Collection<?> collection ? collection.toArray() : value;
            ArrayNode made = JSON.arrayNode();
            for (int i = 0; i < Array.getLength(elements); i++) {
                made.add(write(list.item, Array.get(elements, i)));
            }
            return made;
        } else if (compiled instanceof CompiledSet set) {
            ArrayNode made = JSON.arrayNode();
            ((Collection<?>) value).forEach(key -> made.add(write(set.item, key)));
            return made;
        } else if (compiled instanceof CompiledMap map) {
            ArrayNode made = JSON.arrayNode();
            ((Map<?, ?>) value).forEach((key, held) ->
                made.add(JSON.arrayNode().add(write(map.key, key)).add(write(map.value, held))));
            return made;
        } else if (compiled instanceof CompiledStruct struct) {
            return struct(struct, value);
        } else if (compiled instanceof CompiledUnion union) {
            for (CompiledStruct member : union.members) {
                if (member.raw.isInstance(value)) {
                    return JSON.objectNode().set(((SchemaType.Struct) member.type()).name, struct(member, value));
                }
            }
            throw new AssertionError(value + " is not a member of " + union.raw);
        }
        Integer number = numbers.get(value);
        if (number != null) {
            return JSON.objectNode().put("ref", number);
        }
        JsonNode inner = struct(((CompiledRef) compiled).struct, value);
        numbers.put(value, numbers.size());
        return JSON.objectNode().put("ref", numbers.get(value)).set("value", inner);
    }

    private JsonNode struct(CompiledStruct compiled, Object value) {
        ObjectNode fields = JSON.objectNode();
        ArrayNode components = JSON.arrayNode();
        for (Slot slot : compiled.slots) {
            try {
                JsonNode part = write(slot.compiled, Access.reflective(slot.getter).invoke(value));
                fields.set(slot.name, part);
                components.add(part);
            } catch (Throwable failure) {
                throw new AssertionError(failure);
            }
        }
        return compiled.type() instanceof SchemaType.Struct ? fields : components;
    }
}
