package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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
}
