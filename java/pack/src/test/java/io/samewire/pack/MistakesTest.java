package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * Error texts of the mistakes that are made most, as their users read them: {@code error_texts.txt} has them all. A
 * text says what was expected, what came, where, and what to do. {@code REWRITE=1 make quick-java T=MistakesTest}
 * writes the file anew.
 */
class MistakesTest {
    record Book(String id, String name, int year) {}

    record Shelf(Instant since, BigDecimal price, Set<String> tags, Map<String, Integer> sizes,
        Optional<String> note) {}

    record Tree(String name, List<Tree> kids) {}

    record Open<T>(T value) {}

    record Chars(CharSequence text) {}

    record Zoned(java.time.ZonedDateTime at) {}

    record Doubles(Set<Double> set) {}

    record Null(@Nullable int year) {}

    record Sign(@Unsigned String text) {}

    record Twice(@Name("a") int one, @Name("a") int other) {}

    record Early(@Default("soon") int year) {}

    // Newer JDKs seal classes that older ones leave open.
    record Constant(java.lang.constant.ConstantDesc constant) {}

    record Local(java.time.LocalDateTime at) {}

    record Calendar(Map<String, List<Local>> days) {}

    public static final class Nest extends ArrayList<Nest> {}

    public static final class Grow<T> extends ArrayList<Grow<List<T>>> {}

    enum Nothing {}

    enum Named { @Name("a") ONE, @Name("a") OTHER }

    record Empty() {}

    record Halves(Optional<Object> any) {}

    record Shares(@Shared String text) {}

    record Flags(Map<String, Map<Integer, Thread>> byName) {}

    @Tuple
    record Pair(String name, List<Pair> others) {}

    record Prices(@Name("all prices") Map<Double, String> prices) {}

    static final class Two {
        Two(int a) {}

        Two(int a, int b) {}
    }

    interface Anything {}

    @Name("Book")
    record Renamed(String id) {}

    record Both(Book book, Renamed other) {}

    private static final Codec<List<Book>> BOOKS = Pack.codec(new TypeRef<List<Book>>() {});
    private static final Codec<Object> ANY = Pack.codec(Object.class);
    private static final byte[] MESSAGE = BOOKS.encode(List.of(new Book("1001", "Carrie", 1974)));

    private static byte[] shelf(Instant since, Set<String> tags, Map<String, Integer> sizes, Optional<String> note) {
        return Pack.codec(Shelf.class).encode(new Shelf(since, BigDecimal.ONE, tags, sizes, note));
    }

    private static Map<String, Callable<Object>> mistakes() {
        Map<String, Callable<Object>> made = new LinkedHashMap<>();
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        Map<Object, String> mixed = new LinkedHashMap<>();
        mixed.put(1, "a");
        mixed.put("1", "b");
        made.put("null where it is not allowed", () -> BOOKS.encode(List.of(new Book("1", null, 1))));
        made.put("null in a list", () -> BOOKS.encode(Collections.singletonList(null)));
        made.put("null for an Optional", () -> shelf(Instant.EPOCH, Set.of(), Map.of(), null));
        made.put("null for a value", () -> BOOKS.encode(null));
        made.put("a lone surrogate", () -> BOOKS.encode(List.of(new Book("1", "\ud83d", 1))));
        made.put("an instant beyond the calendar", () -> shelf(Instant.MAX, Set.of(), Map.of(), Optional.empty()));
        made.put("a date beyond the calendar", () -> Pack.codec(LocalDate.class).encode(LocalDate.MAX));
        made.put("an integer beyond the longest",
            () -> Pack.codec(BigInteger.class).encode(BigInteger.ONE.shiftLeft(1 << 16)));
        made.put("an offset that would be lost",
            () -> Pack.codec(OffsetDateTime.class).encode(OffsetDateTime.parse("2026-01-02T03:04:05+01:00")));
        made.put("an object in an any", () -> ANY.encode(new Book("1", "a", 1)));
        made.put("an Optional in an any", () -> ANY.encode(Arrays.asList(1, Optional.of(2))));
        made.put("an enum in an any", () -> ANY.encode(List.of(Named.ONE)));
        made.put("keys of two kinds in an any", () -> ANY.encode(mixed));
        made.put("a list that contains itself", () -> Pack.builder(Object.class)
            .limits(Limits.DEFAULT.withDepth(3)).build().encode(cycle));
        made.put("a tree that is too deep", () -> Pack.builder(Tree.class)
            .limits(Limits.DEFAULT.withDepth(1)).build()
            .encode(new Tree("a", List.of(new Tree("b", List.of(new Tree("c", List.of())))))));
        made.put("a message beyond its limit", () -> Pack.builder(byte[].class)
            .limits(Limits.DEFAULT.withFrameBytes(10)).build().encode(new byte[100]));
        made.put("a message that does not fit the buffer",
            () -> BOOKS.encodeInto(List.of(new Book("1", "a", 1)), ByteBuffer.allocate(5)));
        made.put("JSON to decode", () -> BOOKS.decode("[{\"id\": \"1001\"}]".getBytes(StandardCharsets.UTF_8)));
        made.put("compressed bytes to decode", () -> BOOKS.decode(new byte[] {0x1f, (byte) 0x8b, 8, 0}));
        HexFormat hex = HexFormat.of();
        made.put("zstd to decode", () -> BOOKS.decode(hex.parseHex("28b52ffd0400")));
        made.put("XML to decode", () -> BOOKS.decode(hex.parseHex("3c626f6f6b733e3c626f6f6b2f3e3c2f626f6f6b733e0a")));
        made.put("MessagePack to decode", () -> BOOKS.decode(hex.parseHex("82a26964a431303031a479656172cd07b6")));
        made.put("a value of v8 to decode", () -> BOOKS.decode(hex.parseHex("ff0f6f220269642204313030317b01")));
        made.put("a pickle to decode", () -> BOOKS.decode(hex.parseHex("80044b012e")));
        made.put("Java's serialization to decode", () -> BOOKS.decode(hex.parseHex("aced000574000161")));
        made.put("nothing to decode", () -> BOOKS.decode(new byte[0]));
        made.put("half a message", () -> BOOKS.decode(Arrays.copyOf(MESSAGE, MESSAGE.length / 2)));
        made.put("two messages at once", () -> {
            byte[] twice = Arrays.copyOf(MESSAGE, 2 * MESSAGE.length);
            System.arraycopy(MESSAGE, 0, twice, MESSAGE.length, MESSAGE.length);
            return BOOKS.decode(twice);
        });
        made.put("a message of another schema", () -> BOOKS.decode(
            Pack.builder(new TypeRef<List<String>>() {}).digest(true).build().encode(List.of("Carrie"))));
        made.put("a message without the digest that is required",
            () -> Pack.builder(new TypeRef<List<Book>>() {}).requireDigest(true).build().decode(MESSAGE));
        made.put("a class that has no schema", () -> Pack.codec(Thread.class));
        made.put("an interface", () -> Pack.codec(Anything.class));
        made.put("a CharSequence", () -> Pack.codec(Chars.class));
        made.put("a ZonedDateTime", () -> Pack.codec(Zoned.class));
        made.put("a LocalDateTime somewhere inside", () -> Pack.codec(Calendar.class));
        made.put("a sealed interface of the JDK", () -> Pack.codec(Constant.class));
        made.put("a list of itself", () -> Pack.codec(Nest.class));
        made.put("a list of ever larger types", () -> Pack.codec(new TypeRef<Grow<String>>() {}));
        made.put("an enum without constants", () -> Pack.codec(Nothing.class));
        made.put("two symbols of one name", () -> Pack.codec(Named.class));
        made.put("a record without fields", () -> Pack.codec(Empty.class));
        made.put("an Optional of anything", () -> Pack.codec(Halves.class));
        made.put("a text that is shared", () -> Pack.codec(Shares.class));
        made.put("a class without a schema in a map in a map", () -> Pack.codec(Flags.class));
        made.put("a tuple in itself", () -> Pack.codec(Pair.class));
        made.put("a map whose keys are doubles", () -> Pack.codec(Prices.class));
        made.put("a list without its elements' type", () -> Pack.codec(List.class));
        made.put("a generic record without arguments", () -> Pack.codec(Open.class));
        made.put("a set of doubles", () -> Pack.codec(Doubles.class));
        made.put("a primitive that is nullable", () -> Pack.codec(Null.class));
        made.put("a text that is unsigned", () -> Pack.codec(Sign.class));
        made.put("two fields of one name", () -> Pack.codec(Twice.class));
        made.put("two types of one name", () -> Pack.codec(Both.class));
        made.put("a default of another type", () -> Pack.codec(Early.class));
        made.put("a class with two constructors", () -> Pack.codec(Two.class));
        made.put("a generic converter", () -> Pack.builder(Book.class).converter(new Generic<Book>()));
        made.put("a field whose type has changed",
            () -> BOOKS.resolve("list<struct Book { id: i32, name: string, year: i32 }>"));
        made.put("a field that has become narrower",
            () -> BOOKS.resolve("list<struct Book { id: string, name: string, year: i64 }>"));
        made.put("a struct of another name",
            () -> BOOKS.resolve("list<struct Novel { id: string, name: string, year: i32 }>"));
        made.put("a field that the writer lacks",
            () -> BOOKS.resolve("list<struct Book { id: string, name: string }>"));
        made.put("Java's words in a schema", () -> Schema.parse("list<struct Book { id: String }>"));
        return made;
    }

    private static final class Generic<T> implements Converter<T, String> {
        @Override
        public String encode(T value) {
            return "";
        }

        @Override
        public T decode(String wire) {
            return null;
        }
    }

    @Test
    void textsAreThoseThatAreKept() throws Exception {
        StringBuilder all = new StringBuilder();
        for (Map.Entry<String, Callable<Object>> mistake : mistakes().entrySet()) {
            String text;
            try {
                text = "no error: " + mistake.getValue().call();
            } catch (SamewireException | NullPointerException error) {
                text = error.getClass().getSimpleName() + ": " + error.getMessage();
            }
            all.append(mistake.getKey()).append("\n    ").append(text).append('\n');
        }
        String text = all.toString().replace(MistakesTest.class.getName() + "$", "");
        assertEquals(KeptTexts.kept("error_texts.txt", text), text);
        assertFalse(text.contains("no error"), text);
        assertTrue(mistakes().size() >= 30);
    }

    @Test
    void namesMessagePackWhereAnArrayOrMapOfItIsWhole() {
        for (String whole : List.of("81a2696401", "92cb4000000000000000c7010561", "dc0002c0d90161", "de0001a161d40161",
            "93ca00000000cdffffd3ffffffffffffffff", "dd00000001c403616263", "df00000001a16190")) {
            assertTrue(decoded(whole).endsWith("; the bytes look like MessagePack"), whole);
        }
        for (String other : List.of("80", "9101", "81a269640101", "91dbffffffff", "dfffffffff01", "93c1c0c0", "92da00",
            "94c0c0c0", "dcffffc0c0c0", "a3616263", "cb4000000000000000")) {
            assertFalse(decoded(other).contains("MessagePack"), other);
        }
    }

    private static String decoded(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return assertThrows(SamewireException.class, () -> BOOKS.decode(bytes)).getMessage();
    }
}
