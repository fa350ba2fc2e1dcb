package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.IntStream;
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
        assertTrue(Pack.digestOf(bytes("80")).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"'', TRUNCATED, 0", "90, TRUNCATED, 1", "9001020304050607, TRUNCATED, 8", "0002, UNSUPPORTED, 0",
        "7b7d, UNSUPPORTED, 0"})
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
    void messagesWithoutADigestCarryACheck() {
        byte[] digest = PLAIN.digest();
        byte[] message = PLAIN.encode(1L);
        assertArrayEquals(new byte[] {(byte) 0xc0, digest[0], digest[1], 2}, message);
        assertEquals(1L, PLAIN.decode(message));
        assertArrayEquals(bytes("8002"), Pack.builder(Long.class).check(false).build().encode(1L));
        assertArrayEquals(bytes("8002"), PLAIN.withoutDigest().encode(1L));
        assertEquals(0x90, Pack.builder(Long.class).digest(true).build().encode(1L)[0] & 0xff);
        assertEquals(1L, PLAIN.decode(bytes("8002")));
        assertEquals(1L, Pack.builder(Long.class).check(false).build().decode(message));
        assertEquals(1L, Pack.decoder("i64", Limits.DEFAULT).decode(message));
    }

    @Test
    void aCheckIsThatOfTheWritersSchema() {
        Codec<Integer> other = Pack.codec(Integer.class);
        assertError(Code.SCHEMA_MISMATCH, 1, () -> PLAIN.decode(other.encode(7)));
        assertError(Code.SCHEMA_MISMATCH, 1, () -> Pack.decoder("i64", Limits.DEFAULT).decode(other.encode(7)));
        assertEquals(7L, PLAIN.resolve("i32").decode(other.encode(7)));
        assertError(Code.SCHEMA_MISMATCH, 1, () -> PLAIN.resolve("i32").decode(PLAIN.encode(7L)));
        byte[] message = PLAIN.encode(7L);
        message[2] ^= 1;
        assertError(Code.SCHEMA_MISMATCH, 1, () -> PLAIN.decode(message));
        for (int length = 1; length < 4; length++) {
            byte[] cut = Arrays.copyOf(PLAIN.encode(7L), length);
            assertError(Code.TRUNCATED, length, () -> PLAIN.decode(cut));
        }
        // Both: malformed before either is looked at.
        assertError(Code.MALFORMED, 0, () -> PLAIN.decode(bytes("d0")));
    }

    /** Numbers behind a check begin at 1 modulo 8 only where some are aligned. */
    @Test
    void alignedNumbersBehindACheck() {
        Codec<double[]> codec = Pack.codec(double[].class);
        Output output = new Output();
        for (int n : new int[] {0, 7, 8, 9, 3, 100, 1, 1, 8}) {
            double[] numbers = IntStream.range(0, n).mapToDouble(i -> i / 3.0).toArray();
            byte[] message = codec.encode(numbers);
            assertEquals(n < 8 ? 4 + 8 * n : 16 + 8 * n, message.length);
            assertArrayEquals(numbers, codec.decode(message));
            output.clear();
            for (int times = 0; times < 3; times++) {
                assertEquals(message.length, codec.encodeInto(numbers, output));
            }
            for (int times = 0; times < 3; times++) {
                assertArrayEquals(message,
                    Arrays.copyOfRange(output.toByteArray(), times * message.length, (times + 1) * message.length));
            }
            ByteBuffer buffer = ByteBuffer.allocate(message.length);
            codec.encodeInto(numbers, buffer);
            assertArrayEquals(message, buffer.array());
            ByteArrayOutputStream chunks = new ByteArrayOutputStream();
            codec.encodeChunks(numbers, 5).forEach(chunks::writeBytes);
            assertArrayEquals(message, chunks.toByteArray());
            Codec<double[]> exact = Pack.builder(double[].class)
                .limits(Limits.DEFAULT.withFrameBytes(message.length)).build();
            assertArrayEquals(message, exact.encode(numbers));
            Codec<double[]> less = Pack.builder(double[].class)
                .limits(Limits.DEFAULT.withFrameBytes(message.length - 1)).build();
            assertEquals(Code.LIMIT_SIZE,
                assertThrows(SamewireException.class, () -> less.encodeInto(numbers, new Output())).code());
        }
    }

    @Test
    void textAndAlignedNumbersBehindACheck() {
        Codec<Map<String, double[]>> codec = Pack.codec(new TypeRef<Map<String, double[]>>() {});
        for (String name : new String[] {"", "a", "don’t", "日本", "éa日"}) {
            Map<String, double[]> value = Map.of(name, new double[9]);
            byte[] message = codec.encode(value);
            assertArrayEquals(value.get(name), codec.decode(message).get(name));
            Output output = new Output();
            codec.encodeInto(value, output);
            codec.encodeInto(value, output);
            byte[] twice = output.toByteArray();
            assertArrayEquals(message, Arrays.copyOf(twice, message.length));
            assertArrayEquals(message, Arrays.copyOfRange(twice, message.length, twice.length));
        }
    }

    @Test
    void aCheckIsNotTheDigestThatIsRequired() {
        assertError(Code.SCHEMA_MISMATCH, 0, () -> STRICT.decode(STRICT.encode(7L)));
        assertTrue(Pack.digestOf(PLAIN.encode(1L)).isEmpty());
        assertTrue(Pack.digestOf(bytes("c0")).isEmpty());
    }

    @Test
    void lengthAndVersionAreCheckedFirst() {
        Codec<Long> strict = Pack.builder(Long.class).requireDigest(true)
            .limits(Limits.DEFAULT.withFrameBytes(3)).build();
        assertError(Code.LIMIT_SIZE, 0, () -> strict.decode(bytes("80020000")));
        assertError(Code.UNSUPPORTED, 0, () -> strict.decode(bytes("0002")));
        assertError(Code.TRUNCATED, 0, () -> strict.decode(bytes("")));
        // Before all the rest: this value is cut.
        assertError(Code.SCHEMA_MISMATCH, 0, () -> strict.decode(bytes("80")));
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
