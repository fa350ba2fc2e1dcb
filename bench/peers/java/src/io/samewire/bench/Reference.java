package io.samewire.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The reference data, made here: BooPickle's performance suite and two shapes in which no text repeats.
 *
 * <p>The same algorithm stands in every peer project of the lab; {@link #digest} proves that they agree.
 */
public final class Reference {
    /** Every shape. */
    public static final List<String> SHAPES =
        List.of("event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum", "uniqueStrings", "uniqueRecords");

    private static final String CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅabcdefghijklmnopqrstuvwxyzö0123456789?_-,.          !";
    private static final List<String> COLORS = List.of("black", "red", "white", "yellow", "blue");
    private static final Object[][] BOOKS = {
        {"Carrie", 1974},
        {"'Salem's Lot", 1975},
        {"Rage\tBachman", 1976},
        {"Shining, The", 1976},
        {"Last Rung on the Ladder", 1977},
        {"Böögeyman", 1977},
        {"Cat from Hell", 1977},
        {"Man Who Loved Flowers", 1977},
    };

    private Reference() {}

    /** A running index over 100 UUIDs; the first one handed out is number 1. */
    private static final class Identifiers {
        private final List<String> texts = new ArrayList<>();
        private int index;

        Identifiers() {
            Random random = new Random(0);
            for (int i = 0; i < 100; i++) {
                texts.add(String.format("%016x%016x", random.nextLong(), random.nextLong()));
            }
        }

        private int next() {
            index = (index + 1) % texts.size();
            return index;
        }

        String random() {
            String text = texts.get(next());
            return "R" + text.substring(0, 8) + ":" + text.charAt(8);
        }

        String number() {
            return String.valueOf(next() + 1000);
        }
    }

    /** The value of one shape: records, lists, a map in order, primitive arrays of numbers. */
    public static Object make(String shape) {
        Random random = new Random(0);
        return switch (shape) {
            case "event" -> new Event(42, true);
            case "ints" -> IntStream.range(0, 10_000).map(i -> integer(random)).toArray();
            case "doubles" -> IntStream.range(0, 8_000).mapToDouble(i -> (random.nextDouble() - 0.1) * 1e6).toArray();
            case "strings" -> list(Stream.generate(() -> string(random)).limit(1_000));
            case "map" -> map(random);
            case "uniqueStrings" -> list(IntStream.range(0, 10_000).mapToObj(i -> letters(random, 1 + random.nextInt(24)) + i));
            case "uniqueRecords" -> list(IntStream.range(0, 1_000).mapToObj(i -> record(random, i)));
            default -> identified(shape, random);
        };
    }

    private static Object identified(String shape, Random random) {
        Identifiers ids = new Identifiers();
        Node tree = node(random, ids, 5, 3);
        List<Book> withRandom = books(ids::random);
        List<Book> withNumbers = books(ids::number);
        return switch (shape) {
            case "tree" -> tree;
            case "booksRandom" -> withRandom;
            case "booksNum" -> withNumbers;
            default -> throw new IllegalArgumentException("no shape " + shape);
        };
    }

    private static <T> List<T> list(Stream<T> items) {
        return new ArrayList<>(items.toList());
    }

    private static int integer(Random random) {
        return (int) (1.0 / (1.0 + random.nextDouble() * 1e5) * 1e7);
    }

    private static String string(Random random) {
        int length = (int) (Math.pow(random.nextDouble() * 10, 2) + 2);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(CHARS.charAt(random.nextInt(80)));
        }
        return text.toString();
    }

    private static String letters(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static Map<String, Integer> map(Random random) {
        Map<String, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            map.put("ID" + i, integer(random));
        }
        return map;
    }

    private static Node node(Random random, Identifiers ids, int most, int depth) {
        int count = Math.min(Math.max(random.nextInt(most + depth), depth), most);
        String name = ids.random();
        String color = COLORS.get(random.nextInt(5));
        return new Node(name, color, list(Stream.generate(() -> node(random, ids, most, depth - 1)).limit(count)));
    }

    private static List<Book> books(Supplier<String> identify) {
        return list(Stream.of(BOOKS).map(book -> new Book(identify.get(), (String) book[0], "Stephen King", (int) book[1])));
    }

    private static Book record(Random random, int index) {
        String name = letters(random, 8 + random.nextInt(24)) + index;
        String author = letters(random, 5 + random.nextInt(12)) + index;
        return new Book("R" + index, name, author, 1900 + random.nextInt(120));
    }

    /** An equal value whose texts are new objects, without cached hash. */
    public static Object renew(Object value) {
        if (value instanceof String text) {
            return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
        } else if (value instanceof Book book) {
            return new Book((String) renew(book.id()), (String) renew(book.name()), (String) renew(book.author()), book.publicationYear());
        } else if (value instanceof Node node) {
            return new Node((String) renew(node.name()), (String) renew(node.color()), list(node.children().stream().map(child -> (Node) renew(child))));
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, item) -> copy.put(renew(key), item));
            return copy;
        } else if (value instanceof List<?> items) {
            return list(items.stream().map(Reference::renew));
        }
        return value;
    }

    /** FNV-1a (64 bits, hexadecimal) of {@link #dump}. */
    public static String digest(Object value) {
        long state = 0xCBF29CE484222325L;
        for (byte each : dump(value)) {
            state = (state ^ (each & 0xFF)) * 0x100000001B3L;
        }
        return String.format("%016x", state);
    }

    /** A canonical dump: text and lists with their length as u32, ints as i32, f64, one byte a bool, little-endian. */
    public static byte[] dump(Object value) {
        ByteBuffer out = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
        dump(value, out);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void dump(Object value, ByteBuffer out) {
        if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.putInt(utf8.length).put(utf8);
        } else if (value instanceof Integer number) {
            out.putInt(number);
        } else if (value instanceof int[] numbers) {
            out.putInt(numbers.length);
            IntStream.of(numbers).forEach(out::putInt);
        } else if (value instanceof double[] numbers) {
            out.putInt(numbers.length);
            for (double number : numbers) {
                out.putDouble(number);
            }
        } else if (value instanceof Event event) {
            out.putInt(event.i()).put((byte) (event.b() ? 1 : 0));
        } else if (value instanceof Book book) {
            Stream.of(book.id(), book.name(), book.author(), book.publicationYear()).forEach(field -> dump(field, out));
        } else if (value instanceof Node node) {
            Stream.of(node.name(), node.color(), node.children()).forEach(field -> dump(field, out));
        } else if (value instanceof Map<?, ?> map) {
            out.putInt(map.size());
            map.forEach((key, item) -> {
                dump(key, out);
                dump(item, out);
            });
        } else {
            List<?> items = (List<?>) value;
            out.putInt(items.size());
            items.forEach(item -> dump(item, out));
        }
    }
}
