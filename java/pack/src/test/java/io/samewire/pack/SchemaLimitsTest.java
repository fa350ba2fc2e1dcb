package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Types that are in order but too much for a schema text ({@code spec/errors.md}). */
class SchemaLimitsTest {
    /** Four lists of arrays of 60 dimensions: code is not generated for arrays of 64. */
    private static final TypeRef<?> DEEPEST = new TypeRef<List<List<List<List<long
        [][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]
        [][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]>>>>>() {};

    private static Class<?> nested(int depth) {
        Class<?> type = long.class;
        for (int i = 0; i < depth; i++) {
            type = type.arrayType();
        }
        return type;
    }

    private static void refused(Code code, Executable call) {
        SamewireException error = assertThrows(SamewireException.class, call);
        assertEquals(code, error.code());
        assertEquals(0, error.at());
        assertNull(error.path());
        assertTrue(error.text().endsWith(code == Code.LIMIT_DEPTH ? ": nest fewer, or use any for the inner types"
            : ": divide it into several schemas"), error.text());
    }

    @Test
    void typesAreNestedUpTo64Deep() {
        assertEquals("list<".repeat(64) + "i64" + ">".repeat(64), Pack.codec(DEEPEST).schema().text());
        refused(Code.LIMIT_DEPTH, () -> Pack.codec(nested(65)));
        refused(Code.LIMIT_DEPTH, () -> Pack.codec(nested(255)));
    }

    @Test
    void aCanonicalTextIsNoLongerThanAText() {
        String symbols = IntStream.range(0, 65_000).mapToObj(i ->
            String.format("s%014d", i)).collect(Collectors.joining(","));
        assertTrue(symbols.length() < (1 << 20) - 16);
        refused(Code.LIMIT_SIZE, () -> Schema.parse("enum E{" + symbols + "}"));
    }

    @Test
    void aSchemaHasNoMoreFieldsThanAClassHasRoomFor() {
        record Book(int year) {}
        StringBuilder wide = new StringBuilder("struct Book { year: i32");
        for (int i = 0; i < 6_500; i++) {
            wide.append(", x").append(i).append(": i8");
        }
        String text = wide.append(" }").toString();
        SamewireException error = assertThrows(SamewireException.class, () -> Pack.codec(Book.class).resolve(text));
        assertEquals(Code.UNSUPPORTED, error.code());
    }
}
