package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Generic records with several sets of type arguments: names and schemas are those of Python's generic dataclasses. */
final class GenericRecordsTest {
    record Page<T>(List<T> items, int total) {}

    record Point(int x) {}

    record Outer(Page<String> a, Page<Long> b, Page<String> c) {}

    record Nested(Page<Page<Point>> deep, Page<List<Optional<Long>>> many, Page<Point> points) {}

    record Once(Page<String> a, Page<String> b) {}

    @Name("Sheet")
    record Named<T>(T value) {}

    record Sheets(Named<Point> a, Named<Long> b) {}

    record Node<T>(T value, List<Node<T>> kids) {}

    record Note<T>(List<T> items, String text, Object more) {}

    record Alike(List<Note<URI>> a, Note<String> b, Note<char[]> c, List<Note<String>> d) {}

    @Name("Alike")
    record OneClass(List<Note<String>> a, Note<String> b, Note<String> c, List<Note<String>> d) {}

    record Lists(Page<Collection<String>> a, Page<List<String>> b, Page<ArrayList<Long>> c, Page<List<Long>> d) {}

    record Nodes(Node<URI> a, Node<String> b) {}

    record Two<K, V>(K key, V value) {}

    record Pairs(Map<String, Two<String, Long>> a, Two<Long, Point> b) {}

    private static void comesBack(String schema, Object value, TypeRef<?> type) {
        @SuppressWarnings("unchecked")
        Codec<Object> codec = (Codec<Object>) Pack.codec(type);
        assertEquals(schema, codec.schema().text());
        assertEquals(value, codec.decode(codec.encode(value)));
    }

    @Test
    void eachSetOfArgumentsIsAStruct() {
        Page<String> text = new Page<>(List.of("a"), 1);
        comesBack("struct Outer { a: struct Page_string { items: list<string>, total: i32 }, "
            + "b: struct Page_i64 { items: list<i64>, total: i32 }, c: Page_string }",
            new Outer(text, new Page<>(List.of(2L), 2), text), new TypeRef<Outer>() {});
        comesBack("struct Sheets { a: struct Sheet_Point { value: struct Point { x: i32 } }, "
            + "b: struct Sheet_i64 { value: i64 } }",
            new Sheets(new Named<>(new Point(1)), new Named<>(2L)), new TypeRef<Sheets>() {});
        comesBack("struct Pairs { a: map<string, struct Two_string_i64 { key: string, value: i64 }>, "
            + "b: struct Two_i64_Point { key: i64, value: struct Point { x: i32 } } }",
            new Pairs(Map.of("k", new Two<>("a", 1L)), new Two<>(2L, new Point(3))), new TypeRef<Pairs>() {});
    }

    @Test
    void argumentsNest() {
        Page<Point> points = new Page<>(List.of(new Point(1)), 1);
        Page<List<Optional<Long>>> many = new Page<>(List.of(List.of(Optional.of(5L), Optional.empty())), 2);
        comesBack("struct Nested { deep: struct Page_Page_Point { items: list<struct Page_Point { "
            + "items: list<struct Point { x: i32 }>, total: i32 }>, total: i32 }, "
            + "many: struct Page_list_option_i64 { items: list<list<option<i64>>>, total: i32 }, points: Page_Point }",
            new Nested(new Page<>(List.of(points), 1), many, points), new TypeRef<Nested>() {});
    }

    @Test
    void oneSetIsCalledByTheClassAlone() {
        Page<String> page = new Page<>(List.of("a"), 1);
        comesBack("struct Once { a: struct Page { items: list<string>, total: i32 }, b: Page }",
            new Once(page, page), new TypeRef<Once>() {});
        comesBack("struct Node { value: string, kids: list<Node> }",
            new Node<>("a", List.of(new Node<>("b", List.of()))), new TypeRef<Node<String>>() {});
    }

    @Test
    void argumentsWrittenAsOneTypeMakeOneStruct() {
        comesBack("struct Nodes { a: struct Node { value: string, kids: list<Node> }, b: Node }",
            new Nodes(new Node<>(URI.create("a"), List.of(new Node<>(URI.create("b"), List.of()))),
                new Node<>("c", List.of())), new TypeRef<Nodes>() {});
        Page<List<Long>> longs = new Page<>(List.of(List.of(5L)), 1);
        Lists lists = new Lists(new Page<>(List.of(List.of("a")), 1), new Page<>(List.of(List.of("b")), 2),
            new Page<>(List.of(new ArrayList<>(List.of(4L))), 3), longs);
        comesBack("struct Lists { a: struct Page_list_string { items: list<list<string>>, total: i32 }, "
            + "b: Page_list_string, c: struct Page_list_i64 { items: list<list<i64>>, total: i32 }, d: Page_list_i64 }",
            lists, new TypeRef<Lists>() {});
    }

    private static <T> List<Note<T>> notes(Function<String, T> make) {
        return IntStream.range(0, 300).mapToObj(i -> new Note<>(List.of(make.apply("p" + i), make.apply("q" + i % 3)),
            "t" + i % 200, "m" + i)).toList();
    }

    @Test
    void theirBytesAreThoseOfOneClass() {
        for (Profile profile : Profile.values()) {
            Codec<Alike> codec = Pack.builder(Alike.class).profile(profile).build();
            Codec<OneClass> one = Pack.builder(OneClass.class).profile(profile).build();
            assertEquals(one.schema().text(), codec.schema().text());
            Note<String> note = new Note<>(List.of("x"), "t", null);
            Alike value = new Alike(notes(URI::create), note, new Note<>(List.of("x".toCharArray()), "t", 1L),
                notes(Function.identity()));
            OneClass same = new OneClass(notes(Function.identity()), note, new Note<>(List.of("x"), "t", 1L),
                notes(Function.identity()));
            assertArrayEquals(one.encode(same), codec.encode(value));
            Alike read = codec.decode(one.encode(same));
            assertEquals(value.a(), read.a());
            assertEquals(value.d(), read.d());
        }
    }
}
