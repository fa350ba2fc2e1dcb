package io.samewire.bridge.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KindTest {
    private static Kind.Form form(String text) {
        Kind kind = Kind.parse(text);
        assertEquals(text, kind.text());
        return kind.form();
    }

    @Test
    void plainKindsAreTheirForms() {
        assertEquals(Kind.Form.VOID, form("void"));
        assertEquals(Kind.Form.I32, form("i32"));
        assertEquals(Kind.Form.BYTES, form("bytes"));
        assertEquals(Kind.Form.CLASS, form("class"));
        assertEquals(8, Kind.parse("f64").width());
        assertEquals(0, Kind.parse("string").width());
    }

    @Test
    void compoundKindsHaveElements() {
        assertEquals(Kind.Form.ROW, form("list<i16>"));
        assertEquals(Kind.Form.ROW, form("array<f32>"));
        assertEquals(Kind.Form.I16, Kind.parse("list<i16>").element().form());
        assertEquals(Kind.Form.STRINGS, form("list<string>"));
        assertEquals(Kind.Form.OPTION, form("option<string>"));
        assertEquals(Kind.Form.STRING, Kind.parse("option<string>").element().form());
        assertEquals(Kind.Form.OPTION, form("option<list<i64>>"));
    }

    @Test
    void refusesWhatCannotBeAKind() {
        for (String text : List.of("", "object 0", "object 01", "peer ", "array<u8>", "option<void>", "option<any>",
            "option<option<i32>>")) {
            assertThrows(SamewireException.class, () -> Kind.parse(text), text);
        }
    }

    @Test
    void whatIsNoneIsASchema() {
        for (String text : List.of("bigint", "list<struct Item{id: i32}>", "option<decimal>",
            "list<u8>", "list<list<i32>>", "tuple<date, time>")) {
            assertEquals(Kind.Form.PACK, form(text), text);
        }
    }

    @Test
    void referencesSayWhatTheyAre() {
        assertEquals(0, Kind.parse("object").number());
        assertEquals(17, Kind.parse("object 17").number());
        assertEquals(List.of(), Kind.parse("peer").interfaces());
        assertEquals(List.of("java.lang.Runnable", "a.B$C"), Kind.parse("peer java.lang.Runnable a.B$C").interfaces());
    }

    @Test
    void wrongTextsAreRefused() {
        for (String text : List.of("", "object ", "object 0", "object 01", "object x", "object 2147483648", "peer ",
            "peer a  b", "peer a ")) {
            SamewireException error = assertThrows(SamewireException.class, () -> Kind.parse(text, 7), text);
            assertEquals(Code.MALFORMED, error.code());
            assertEquals(7, error.at());
        }
    }
}
