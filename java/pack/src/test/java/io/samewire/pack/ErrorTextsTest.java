package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Frames;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Texts of errors are short and printable for every input: they end up in logs. */
class ErrorTextsTest {
    private static final String NASTY = "\nline\0\u001b[31m\u202e\u2028".repeat(40_000);
    private static final String LATIN = "a\u0001\n".repeat(700_000);

    record Refusing(String text) {
        Refusing {
            if (!text.isEmpty()) {
                throw new IllegalArgumentException("cannot take " + text);
            }
        }
    }

    @Name("Refusing")
    record Taking(String text) {}

    private static SamewireException shown(Code code, Executable work) {
        SamewireException error = assertThrows(SamewireException.class, work);
        String text = error.getMessage();
        assertTrue(text.length() < 10_000, () -> text.length() + " characters");
        assertTrue(text.chars().allMatch(c -> c >= ' ' && c != 0x7f && c != 0x202e && c != 0x2028), text);
        assertEquals(code, error.code(), text);
        return error;
    }

    @Test
    void ofSchemaText() {
        shown(Code.MALFORMED, () -> Schema.parse("list<i8> \"" + NASTY + "\""));
        shown(Code.MALFORMED, () -> Schema.parse("list<\"" + NASTY + "\">"));
        shown(Code.MALFORMED, () -> Schema.parse("list<i8 " + "x".repeat(1 << 19)));
        shown(Code.MALFORMED, () -> Schema.parse("struct S { \"a\\u000ab\": i8, \"a\\u000ab\": i8 }"));
        SamewireException undefined = shown(Code.MALFORMED, () -> Schema.parse("list<\"a\\u001bb\">"));
        assertTrue(undefined.getMessage().contains("a\\u001bb"), undefined::getMessage);
    }

    @Test
    void ofKeysThatAreRepeated() {
        Codec<Map<String, Boolean>> codec = Pack.codec(new TypeRef<Map<String, Boolean>>() {});
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(0x81);
        message.writeBytes(Frames.head(2 * LATIN.length()));
        message.writeBytes((LATIN + LATIN).getBytes(StandardCharsets.ISO_8859_1));
        message.write(2);
        for (int i = 0; i < 2; i++) {
            message.write(0x60);
            message.writeBytes(Frames.head(LATIN.length() - 96));
        }
        message.write(0);
        shown(Code.MALFORMED, () -> codec.decode(message.toByteArray()));
    }

    @Test
    void ofConstructors() {
        byte[] message = Pack.codec(Taking.class).encode(new Taking(NASTY));
        SamewireException error = shown(Code.TYPE_MISMATCH, () -> Pack.codec(Refusing.class).decode(message));
        assertTrue(error.getCause().getMessage().endsWith(NASTY));
    }
}
