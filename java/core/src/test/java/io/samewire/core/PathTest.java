package io.samewire.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The steps of a path, as the specification writes them. */
class PathTest {
    @Test
    void writesIdentifiersWithADot() {
        assertEquals(".year", Path.field("year"));
        assertEquals("._9", Path.field("_9"));
        assertEquals(".struct", Path.field("struct"));
    }

    @Test
    void quotesOtherNames() {
        assertEquals("[\"first name\"]", Path.field("first name"));
        assertEquals("[\"9\"]", Path.field("9"));
        assertEquals("[\"größe\"]", Path.field("größe"));
        assertEquals("[\"a\\\"b\\\\c\\u000a\"]", Path.field("a\"b\\c\n"));
    }

    @Test
    void numbersElementsAndEntries() {
        assertEquals("[3]", Path.element(3));
        assertEquals("[0].key", Path.key(0));
        assertEquals("[7].value", Path.value(7));
    }
}
