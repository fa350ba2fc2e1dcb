package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists through which structs hold structs of their own kind: they are read by code that calls itself once a list. */
class RecursiveListsTest {
    record Node(String name, List<Node> children) {}

    record Person(String name, List<House> houses) {}

    record House(int number, List<Person> guests) {}

    private record Hidden(List<Hidden> inner, long number) {}

    /** {@link Node} as it is after it got a weight. */
    static final class Grown {
        record Node(String name, List<Node> children, @Default("7") int weight) {}
    }

    private static Limits limits(int depth, int items) {
        return Limits.DEFAULT.withDepth(depth).withItems(items);
    }

    private static Node chain(int depth) {
        return new Node("n", depth == 1 ? List.of() : List.of(chain(depth - 1)));
    }

    private static void refused(Code code, String path, byte[] message, Limits limits) {
        Codec<Node> codec = Pack.builder(Node.class).limits(limits).build();
        SamewireException refused = assertThrows(SamewireException.class, () -> codec.decode(message));
        assertEquals(code, refused.code());
        assertEquals(path, refused.path());
    }

    @Test
    void depthCountsStructsWhereverTheyAreRead() {
        byte[] message = Pack.codec(Node.class).encode(chain(3));
        assertEquals(chain(3), Pack.builder(Node.class).limits(limits(3, 100)).build().decode(message));
        refused(Code.LIMIT_DEPTH, "$.children[0].children[0]", message, limits(2, 100));
        Node wide = new Node("w", List.of(chain(2), chain(2), chain(1), chain(2)));
        Codec<Node> three = Pack.builder(Node.class).limits(limits(3, 100)).build();
        assertEquals(wide, three.decode(three.encode(wide)));
    }

    @Test
    void itemsOfAllListsAddUp() {
        byte[] message = Pack.codec(Node.class).encode(chain(4));
        assertEquals(chain(4), Pack.builder(Node.class).limits(limits(9, 3)).build().decode(message));
        refused(Code.LIMIT_ITEMS, "$.children[0].children[0].children", message, limits(9, 2));
    }

    @Test
    void structsThatHoldEachOther() {
        Person deep = new Person("c", List.of(new House(3, List.of()), new House(4, List.of())));
        House second = new House(2, List.of(new Person("b", List.of()), deep));
        Person person = new Person("a", List.of(new House(1, List.of()), second));
        Codec<Person> codec = Pack.codec(Person.class);
        assertEquals(person, codec.decode(codec.encode(person)));
    }

    @Test
    void recordsThatOnlyHandlesMake() {
        Hidden leaf = new Hidden(List.of(), -2);
        Hidden hidden = new Hidden(List.of(leaf, new Hidden(List.of(leaf), 3)), Long.MAX_VALUE);
        Codec<Hidden> codec = Pack.codec(Hidden.class);
        assertEquals(hidden, codec.decode(codec.encode(hidden)));
    }

    @Test
    void anotherWritersStructs() {
        Codec<Node> old = Pack.codec(Node.class);
        Decoder<Grown.Node> decoder = Pack.codec(Grown.Node.class).resolve(old.schema().toString());
        Grown.Node leaf = new Grown.Node("n", List.of(), 7);
        assertEquals(new Grown.Node("n", List.of(leaf), 7), decoder.decode(old.encode(chain(2))));
    }

    @Test
    void listsCanBeChanged() {
        Codec<Node> codec = Pack.codec(Node.class);
        Node read = codec.decode(codec.encode(chain(2)));
        read.children().add(chain(1));
        read.children().get(0).children().add(chain(1));
        assertEquals(new Node("n", new ArrayList<>(List.of(chain(2), chain(1)))), read);
    }

    record Optional(String name, List<@Nullable Optional> children) {}

    @Test
    void readsElementsAsOptions() {
        Decoder<Optional> decoder = Pack.codec(Optional.class)
            .resolve("struct Optional { name: string, children: list<Optional> }");
        byte[] message = {(byte) 0x81, 2, 'a', 'b', 1, 1, 1, 0};
        assertEquals(new Optional("a", List.of(new Optional("b", List.of()))), decoder.decode(message));
    }
}
