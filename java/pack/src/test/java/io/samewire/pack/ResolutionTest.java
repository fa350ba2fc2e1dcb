package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages of an older or newer schema read into today's types; the vectors hold the general cases. */
class ResolutionTest {
    enum Genre { FICTION, @Name("non-fiction") FACTS }

    static final class Old {
        @Name("Book")
        record Book(String id, int year, float price, List<Integer> ratings, @Nullable String gone, Map<String,
            List<String>> tags,
            boolean sold) {}

        private Old() {}
    }

    static final class New {
        @Name("Book")
        record Book(Optional<String> id, long year, double price, List<BigInteger> ratings,
            @Default("2024-02-29") LocalDate added,
            @Default("[]") List<String> authors, @Default("\"non-fiction\"") Genre genre,
                @Default("7") @Unsigned byte copies,
            @Default("{}") Map<String, Integer> stock, @Nullable String note, @Default("plain text") String about,
                boolean sold) {}

        private New() {}
    }

    @Test
    void integersBecomeFloatsOfEveryForm() {
        byte[] message = Pack.codec(long[].class).encode(new long[] {-3, 1L << 60});
        assertEquals(List.of(-3.0, 0x1p60), Pack.codec(new TypeRef<List<Double>>() {}).resolve("list<i64>")
            .decode(message));
        assertEquals(0x1p60f, Pack.codec(float[].class).resolve("list<i64>").decode(message)[1]);
        assertEquals(List.of(OptionalDouble.of(-3), OptionalDouble.of(0x1p60)),
            Pack.codec(new TypeRef<List<OptionalDouble>>() {}).resolve("list<i64>").decode(message));
        byte[] between = Pack.codec(long[].class).encode(new long[] {0, (1L << 53) + 1});
        SamewireException refused = assertThrows(SamewireException.class,
            () -> Pack.codec(double[].class).resolve("list<i64>").decode(between));
        assertEquals(Code.BAD_NUMBER, refused.code());
        assertEquals(4, refused.at());
    }

    static final class Released {
        enum Kind { CRIME }

        record Tome(String title, int year, Kind kind, @Nullable Integer pages) {}

        private Released() {}
    }

    @Alias({"Sort", "Kind"})
    enum Subject { CRIME, POETRY }

    @Alias("Tome")
    record Volume(String title, @Alias({"sort", "kind"}) Subject subject,
        @Default("1900") @Alias("year") long published, @Default("7") int pages) {}

    /** Made by its fields. */
    @Alias("Tome")
    static final class VolumeOfFields {
        String title;
        @Alias("year")
        int published;
    }

    @Test
    void aliasesOfFieldsAndTypesAndNullAsDefault() {
        Codec<Released.Tome> writer = Pack.codec(Released.Tome.class);
        byte[] message = writer.encode(new Released.Tome("Carrie", 1974, Released.Kind.CRIME, null));
        Codec<Volume> reader = Pack.codec(Volume.class);
        assertEquals(new Volume("Carrie", Subject.CRIME, 1974, 7),
            reader.resolve(writer.schema().text()).decode(message));
        assertEquals("struct Volume @alias(Tome) { title: string, subject: enum Subject @alias(Sort, Kind) "
            + "{ CRIME, POETRY } @alias(sort, kind), published: i64 @default @alias(year), pages: i32 @default }",
            reader.schema().annotated());
        VolumeOfFields fields = Pack.codec(VolumeOfFields.class).resolve(writer.schema().text()).decode(message);
        assertEquals("Carrie 1974", fields.title + " " + fields.published);
        assertEquals("struct Tome { title: string, year: i32, kind: enum Kind { CRIME }, pages: option<i32> }",
            reader.resolve(writer.schema().text()).schema().annotated());
    }

    @Test
    void aliasesThatCannotBe() {
        record Twice(@Alias("b") int a, int b) {}
        record NoName(@Alias("") int a) {}
        record Own(@Alias("Own") int a, @Alias({"c", "c"}) int b) {}
        for (Class<?> type : List.of(Twice.class, NoName.class, Own.class)) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Pack.codec(type)).code(),
                type::getName);
        }
    }

    @Test
    void addedRemovedAndWidenedFields() {
        Codec<List<Old.Book>> writer = Pack.codec(new TypeRef<List<Old.Book>>() {});
        Codec<List<New.Book>> reader = Pack.codec(new TypeRef<List<New.Book>>() {});
        byte[] message = writer.encode(List.of(
            new Old.Book("a", 1974, 1.5f, List.of(1, 2, 3), "gone", Map.of("k", List.of("gone", "v")), true),
            new Old.Book("gone", -1, 0f, List.of(), null, Map.of(), false)));
        Decoder<List<New.Book>> decoder = reader.resolve(writer.schema().text());
        List<New.Book> books = decoder.decode(message);
        assertEquals(new New.Book(Optional.of("a"), 1974, 1.5,
            List.of(BigInteger.ONE, BigInteger.TWO, BigInteger.valueOf(3)),
            LocalDate.of(2024, 2, 29), List.of(), Genre.FACTS, (byte) 7, Map.of(), null, "plain text", true),
            books.get(0));
        assertEquals(Optional.of("gone"), books.get(1).id, "a reference to a text in a field that was skipped");
        assertNotSame(books.get(0).authors, books.get(1).authors, "containers are made anew");
        assertEquals(writer.schema(), decoder.schema());
        assertSame(reader, reader.resolve("  " + reader.schema().text() + "\n"));
    }

    @Test
    void whatDoesNotResolve() {
        Codec<List<New.Book>> reader = Pack.codec(new TypeRef<List<New.Book>>() {});
        SamewireException error = assertThrows(SamewireException.class, () ->
            reader.resolve("list<struct Book { id: string, year: u64 }>"));
        assertEquals(Code.SCHEMA_MISMATCH, error.code());
        assertEquals("$[].year", error.path());
        assertEquals(Code.MALFORMED, assertThrows(SamewireException.class, () -> reader.resolve("list<")).code());
    }

    @Test
    void schemasOfManyStructs() {
        record Book(int year) {}
        record Shelf(Book book) {}
        // A chain of names as long as schema text allows, which the reader meets from its far end.
        StringBuilder chain = new StringBuilder("struct Shelf { all: union { struct A10000 { x: i8 }");
        for (int i = 10_001; i < 30_000; i++) {
            chain.append(", struct A").append(i).append(" { x: A").append(i - 1).append(" }");
        }
        String text = chain.append(" }, book: struct Book { year: i32, last: A29999 } }").toString();
        long began = System.nanoTime();
        Decoder<Shelf> decoder = Pack.codec(Shelf.class).resolve(text);
        assertTrue(System.nanoTime() - began < 60_000_000_000L);
        byte[] message = {(byte) 0x80, 0, 5, 4};
        assertEquals(Code.TRUNCATED, assertThrows(SamewireException.class, () -> decoder.decode(message, 0, 2)).code());
    }

    @Test
    void defaultsThatAreNone() {
        record Wrong(@Default("yes") boolean value) {}
        record Big(@Default("256") @Unsigned byte value) {}
        record Negative(@Default("-1") @Unsigned short value) {}
        record Escaped(@Default("\"\\x\"") String value) {}
        record Short(@Default("\"\\u004\"") String value) {}
        for (Class<?> type : List.of(Wrong.class, Big.class, Negative.class, Escaped.class, Short.class)) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Pack.codec(type)).code(),
                type::getName);
        }
        TypeRef<Map<String, Wrong>> within = new TypeRef<>() {};
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Pack.codec(within)).code());
    }

    @Test
    void defaultsAtTheirBounds() {
        record Bounds(int kept, @Default("18446744073709551615") @Unsigned long most,
            @Default("65535") @Unsigned short half,
            @Default("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"") String escaped) {}
        Bounds read = Pack.codec(Bounds.class).resolve("struct Bounds { kept: i32 }")
            .decode(new byte[] {(byte) 0x80, 2});
        assertEquals(new Bounds(1, -1, (short) -1, "\"\\/\b\f\n\r\tA"), read);
    }

    /** Made by its fields, of which one has a default here and one in the declaration. */
    static final class ByFields {
        int kept;
        @Default("7")
        int copies;
        @Nullable
        String note = "declared";
    }

    static final class ByConstructor {
        final int kept;
        final int copies;

        ByConstructor(int kept, @Default("7") int copies) {
            this.kept = kept;
            this.copies = copies;
        }
    }

    @Test
    void defaultsOfClasses() {
        byte[] message = {(byte) 0x80, 2};
        ByFields fields = Pack.codec(ByFields.class).resolve("struct ByFields { kept: i32 }").decode(message);
        assertEquals("1 7 null", fields.kept + " " + fields.copies + " " + fields.note);
        ByConstructor made = Pack.codec(ByConstructor.class)
            .resolve("struct ByConstructor { kept: i32 }").decode(message);
        assertEquals("1 7", made.kept + " " + made.copies);
    }

    enum Mood {
        CALM,
        @Fallback
        @Name("other")
        UNKNOWN,
        TENSE
    }

    @Test
    void symbolsThatAnEnumLacksBecomeItsFallbackExceptInKeys() {
        record Entry(Mood mood, List<Mood> moods, Set<Mood> tags) {}
        Codec<Entry> codec = Pack.codec(Entry.class);
        assertEquals("struct Entry { mood: enum Mood { CALM, TENSE, other @fallback }, moods: list<Mood>, "
            + "tags: set<Mood> }", codec.schema().annotated());
        Decoder<Entry> decoder = codec.resolve("struct Entry { mood: enum Mood { ANGRY, CALM, GRIM, TENSE }, "
            + "moods: list<Mood>, tags: set<Mood> }");
        assertEquals(new Entry(Mood.UNKNOWN, List.of(Mood.CALM, Mood.UNKNOWN, Mood.TENSE), Set.of(Mood.TENSE)),
            decoder.decode(new byte[] {(byte) 0x80, 0, 3, 1, 2, 3, 1, 3}));
        SamewireException refused = assertThrows(SamewireException.class,
            () -> decoder.decode(new byte[] {(byte) 0x80, 0, 0, 1, 2}));
        assertEquals(Code.SCHEMA_MISMATCH, refused.code());
        assertEquals(4, refused.at());
        assertEquals("$.tags[0]", refused.path());
    }

    sealed interface Shape permits Dot, Unknown {}

    record Dot() implements Shape {}

    @Fallback
    record Unknown(String name) implements Shape {}

    @Test
    void membersThatAUnionLacksBecomeItsFallbackWithTheirNames() {
        Codec<List<Shape>> codec = Pack.codec(new TypeRef<List<Shape>>() {});
        assertEquals("list<union { struct Dot {}, struct Unknown { name: string } @fallback }>",
            codec.schema().annotated());
        Decoder<List<Shape>> decoder = codec
            .resolve("list<union { struct Arc { x: i32, s: string }, struct Dot {} }>");
        assertEquals(List.of(new Unknown("Arc"), new Dot()),
            decoder.decode(new byte[] {(byte) 0x81, 1, 'a', 2, 0, 2, 1, 1}));
    }

    sealed interface Whole permits Wide {}

    @Fallback
    record Wide(int x) implements Whole {}

    enum Torn {
        @Fallback
        A,
        @Fallback
        B
    }

    @Test
    void fallbacksThatCannotBeAreMisuse() {
        for (Class<?> type : List.of(Torn.class, Whole.class)) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Pack.codec(type)).code());
        }
    }
}
