package io.samewire.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** An error's message is always short and printable; code, offset and path stay as they are. */
class SamewireExceptionTest {
    private static final String NASTY = "\nline\0\u001b[31m\u202e\u2028".repeat(40_000);

    @Test
    void shortensAndEscapesItsMessage() {
        String path = "$[\"" + NASTY + "\"]";
        SamewireException error = new SamewireException(Code.MALFORMED, 3, path, NASTY);
        assertEquals(Code.MALFORMED, error.code());
        assertEquals(3, error.at());
        assertEquals(path, error.path());
        String text = error.getMessage();
        assertTrue(text.length() < 10_000, () -> text.length() + " characters");
        assertTrue(error.text().length() < 2_000, () -> error.text().length() + " characters");
        assertTrue(text.chars().allMatch(c -> c >= ' ' && c != 0x7f && c != 0x202e && c != 0x2028), text);
        assertTrue(text.startsWith("malformed at 3 in $[\"\\u000aline\\u0000"), text);
    }

    @Test
    void leavesOutOffsetAndPathThatItDoesNotHave() {
        IllegalStateException cause = new IllegalStateException();
        SamewireException error = new SamewireException(Code.MISUSE, -1, null, "täxt 🎉", cause);
        assertEquals("misuse: täxt 🎉", error.getMessage());
        assertEquals(-1, error.at());
        assertNull(error.path());
        assertSame(cause, error.getCause());
    }

    @Test
    void namesItsCodesAsTheSpecificationDoes() {
        assertEquals("bad_number", Code.BAD_NUMBER.toString());
        assertEquals("limit_items", Code.LIMIT_ITEMS.toString());
    }
}
