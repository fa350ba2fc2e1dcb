package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Types within types take code for each of them, not for each way from the root to it. */
final class NestedListsTest {
    /** Structs small enough to be written in the loop over them. */
    private record A(List<List<B>> inner) {}

    private record B(List<List<C>> inner) {}

    private record C(List<List<D>> inner) {}

    private record D(Map<String, List<List<Integer>>> inner) {}

    private static final TypeRef<List<List<List<List<List<List<List<List<List<List<List<List<
        List<List<List<List<List<List<List<List<List<List<List<List<Integer>>>>>>>>>>>>>>>>>>>>>>>>> DEEP =
        new TypeRef<>() {};

    @Test
    @SuppressWarnings("unchecked") // A list in a list, as deep as the type says.
    void twentyFourDeep() {
        List<?> fixed = List.of(7, -1);
        List<?> grown = new ArrayList<>(fixed);
        for (int i = 1; i < 24; i++) {
            fixed = List.of(fixed);
            grown = new ArrayList<>(List.of(grown));
        }
        Codec<Object> codec = (Codec<Object>) (Codec<?>) Pack.codec(DEEP);
        byte[] message = codec.encode(fixed);
        assertArrayEquals(message, codec.encode(grown));
        assertEquals(fixed, codec.decode(message));
    }

    @Test
    void structsBetween() {
        D last = new D(Map.of("k", List.of(List.of(1), new ArrayList<>(List.of(2, 3)))));
        B between = new B(List.of(new ArrayList<>(List.of(new C(List.of(List.of(last)))))));
        A value = new A(new ArrayList<>(List.of(List.of(between))));
        Codec<A> codec = Pack.codec(A.class);
        assertEquals(value, codec.decode(codec.encode(value)));
    }
}
