package io.samewire.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What no library can beat: to encode, a copy of bytes that hold the value at full width; to decode, the making of its objects alone, each
 * text out of Latin-1 bytes.
 */
public final class WithLimit implements Peer {
    private final byte[] bytes;
    private final Supplier<Object> made;

    private WithLimit(Workload workload) {
        bytes = Reference.dump(workload.value());
        made = maker(workload.value());
    }

    /** One row. */
    public static Map<String, Library> rows() {
        return Map.of("limit", new Library(WithLimit.class, "limit", "nothing", true, false, WithLimit::new));
    }

    private static Supplier<Object> maker(Object value) {
        if (value instanceof Event event) {
            return () -> new Event(event.i(), event.b());
        } else if (value instanceof int[] numbers) {
            return numbers::clone;
        } else if (value instanceof double[] numbers) {
            return numbers::clone;
        } else if (value instanceof String text) {
            byte[] latin = text.getBytes(ISO_8859_1);
            return () -> new String(latin, ISO_8859_1);
        } else if (value instanceof Book book) {
            Supplier<?>[] texts = makers(Stream.of(book.id(), book.name(), book.author()));
            return () -> new Book((String) texts[0].get(), (String) texts[1].get(), (String) texts[2].get(), book.publicationYear());
        } else if (value instanceof Node node) {
            Supplier<?>[] parts = makers(Stream.of(node.name(), node.color(), node.children()));
            return () -> new Node((String) parts[0].get(), (String) parts[1].get(), nodes(parts[2].get()));
        } else if (value instanceof Map<?, ?> map) {
            Supplier<?>[] keys = makers(map.keySet().stream());
            Object[] numbers = map.values().toArray();
            return () -> {
                Map<Object, Object> copy = new LinkedHashMap<>(keys.length * 2);
                for (int i = 0; i < keys.length; i++) {
                    copy.put(keys[i].get(), numbers[i]);
                }
                return copy;
            };
        }
        Supplier<?>[] items = makers(((List<?>) value).stream());
        return () -> {
            List<Object> copy = new ArrayList<>(items.length);
            for (Supplier<?> item : items) {
                copy.add(item.get());
            }
            return copy;
        };
    }

    private static Supplier<?>[] makers(Stream<?> values) {
        return values.map(WithLimit::maker).toArray(Supplier<?>[]::new);
    }

    @SuppressWarnings("unchecked")
    private static List<Node> nodes(Object list) {
        return (List<Node>) list;
    }

    @Override
    public byte[] encode(Object value) {
        return bytes.clone();
    }

    @Override
    public Object decode(byte[] data) {
        return made.get();
    }
}
