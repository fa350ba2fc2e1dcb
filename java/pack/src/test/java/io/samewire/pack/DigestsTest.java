package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The digest that a message carries, and codecs that require one ({@code spec/pack.md} section 3). */
class DigestsTest {
    private static final Codec<Long> PLAIN = Pack.codec(Long.class);
    private static final Codec<Long> STRICT = Pack.builder(Long.class).requireDigest(true).build();

    @Test
    void digestOfMessageIsThatOfItsSchema() {
        byte[] message = PLAIN.withDigest().encode(1L);
        assertArrayEquals(PLAIN.digest(), Pack.digestOf(message).orElseThrow());
        // What follows is not looked at.
        assertArrayEquals(PLAIN.digest(), Pack.digestOf(Arrays.copyOf(message, 9)).orElseThrow());
        assertTrue(Pack.digestOf(PLAIN.encode(1L)).isEmpty());
        assertTrue(Pack.digestOf(bytes("40")).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"'', TRUNCATED, 0", "50, TRUNCATED, 1", "5001020304050607, TRUNCATED, 8", "0002, UNSUPPORTED, 0",
        "7b7d, TRUNCATED, 2", "ff, UNSUPPORTED, 0"})
    void whatIsNoMessageHasNoDigest(String message, Code code, long at) {
        assertError(code, at, () -> Pack.digestOf(bytes(message)));
    }

    @Test
    void requiredDigestMustBeThere() {
        assertEquals(7L, STRICT.decode(PLAIN.withDigest().encode(7L)));
        assertEquals(7L, STRICT.withDigest().decode(PLAIN.withDigest().encode(7L)));
        assertError(Code.SCHEMA_MISMATCH, 0, () -> STRICT.decode(PLAIN.encode(7L)));
        assertError(Code.SCHEMA_MISMATCH, 0, () -> STRICT.withDigest().decode(PLAIN.encode(7L)));
        Codec<Integer> other = Pack.codec(Integer.class);
        assertError(Code.SCHEMA_MISMATCH, 1, () -> STRICT.decode(other.withDigest().encode(7)));
        assertEquals(7L, STRICT.resolve("i32").decode(other.withDigest().encode(7)));
        assertError(Code.SCHEMA_MISMATCH, 0, () -> STRICT.resolve("i32").decode(other.encode(7)));
    }

    @Test
    void lengthAndVersionAreCheckedFirst() {
        Codec<Long> strict = Pack.builder(Long.class).requireDigest(true)
            .limits(Limits.DEFAULT.withFrameBytes(3)).build();
        assertError(Code.LIMIT_SIZE, 0, () -> strict.decode(bytes("40020000")));
        assertError(Code.UNSUPPORTED, 0, () -> strict.decode(bytes("8002")));
        assertError(Code.TRUNCATED, 0, () -> strict.decode(bytes("")));
        // Before all the rest: this value is cut.
        assertError(Code.SCHEMA_MISMATCH, 0, () -> strict.decode(bytes("40")));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static void assertError(Code code, long at, Executable call) {
        SamewireException error = assertThrows(SamewireException.class, call);
        assertEquals(code, error.code(), error::getMessage);
        assertEquals(at, error.at(), error::getMessage);
        assertEquals("$", error.path(), error::getMessage);
    }
}
