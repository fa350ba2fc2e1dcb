package io.samewire.pack.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schema text in other notations is answered with the schema's. */
final class SchemaRemediesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '\0', value = {
        "struct A { a: i32; b: i32 } ~ 17 ~ : commas are between fields",
        "struct A { a: i32[] } ~ 17 ~ : a list is list<...>",
        "struct A { a: [i32] } ~ 14 ~ : a list is list<...>",
        "struct A { a: i32 | null } ~ 18 ~ : what may be null is option<...>",
        "struct A { a: i32 = 5 } ~ 18 ~ : schema text has no values",
        "/* c */ i32 ~ 0 ~ : a comment is // or #",
        "struct A { gr\u00f6\u00dfe: i32 } ~ 13 ~ is in double quotes",
        "struct A { first-name: i32 } ~ 16 ~ is in double quotes",
        "struct A { 1st: i32 } ~ 11 ~ is in double quotes",
        "struct A { 'a': i32 } ~ 11 ~ is in double quotes",
        "struct A { a?: i32 } ~ 12 ~ it stands behind the type",
        "struct A { a: List<i32> } ~ 18 ~ 'List' takes no <...>: the schema's word is list<...>",
        "Option <i32> ~ 7 ~ 'Option' takes no <...>: the schema's word is option",
        "list<Page<i32>> ~ 9 ~ 'Page' takes no <...>: only the schema's own types do",
        "struct A { a: B } struct B { x: i32 } ~ 18 ~ others are written where they occur first",
        "struct A { a: u128 } ~ 14 ~ the schema's word is bigint",
        "struct A { a: char } ~ 14 ~ the schema's word is string",
        "struct A { a: Bool } ~ 14 ~ the schema's word is bool",
        "union { struct A { x: i8 }, A<i8> } ~ 28 ~ the member 'A' is repeated",
    })
    void otherNotationsAreAnswered(String text, int at, String remedy) {
        SamewireException refused = assertThrows(SamewireException.class, () -> SchemaParser.parse(text));
        assertEquals(Code.MALFORMED, refused.code());
        assertEquals(at, refused.at(), text);
        assertTrue(refused.text().contains(remedy), text + ": " + refused.text());
    }
}
