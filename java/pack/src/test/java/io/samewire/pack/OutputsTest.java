package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way out gives the same bytes, and no array of a message is written again once it has been handed over. */
class OutputsTest {
    record Reading(String place, String note, double[] values, byte[] raw) {}

    /** A record that does something while it is being written. */
    record Meddling(String text, int number) {
        static Runnable meddle = () -> {};

        @Override
        public String text() {
            meddle.run();
            return text;
        }
    }

    private static Codec<List<Reading>> codec(Profile profile) {
        return Pack.builder(new TypeRef<List<Reading>>() {}).profile(profile).build();
    }

    /** Texts of all lengths and both widths, and arrays that are aligned. */
    private static List<Reading> readings(int count) {
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String note = (i % 3 == 0 ? "日本" : "é").repeat(i % 40);
            double[] values = IntStream.range(0, i % 20).mapToDouble(x -> x / 3.0).toArray();
            readings.add(new Reading("place " + i % 7, note, values, new byte[] {(byte) i, 1}));
        }
        return readings;
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void aCodecWithDigestChangesNothingElse(Profile profile) {
        var builder = Pack.builder(new TypeRef<List<Reading>>() {}).profile(profile);
        Codec<List<Reading>> with = builder.build().withDigest();
        assertArrayEquals(builder.digest(true).build().encode(readings(50)), with.encode(readings(50)));
        assertSame(with, with.withDigest());
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void piecesJoinToTheMessage(Profile profile) {
        Codec<List<Reading>> codec = codec(profile);
        for (int count : new int[] {0, 1, 20, 200}) {
            byte[] message = codec.encode(readings(count));
            for (int size : new int[] {1, 2, 7, 64, Math.max(1, message.length - 1), message.length, message.length
                + 1}) {
                List<byte[]> pieces = codec.encodeChunks(readings(count), size);
                ByteArrayOutputStream joined = new ByteArrayOutputStream();
                pieces.forEach(joined::writeBytes);
                assertArrayEquals(message, joined.toByteArray());
                assertTrue(pieces.subList(0, pieces.size() - 1).stream().allMatch(piece -> piece.length == size));
                assertTrue(pieces.get(pieces.size() - 1).length > 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void smallAndLargeMessagesFollowOneAnother(Profile profile) {
        Codec<List<Reading>> codec = codec(profile);
        Output output = new Output(0);
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        for (int count : new int[] {0, 1, 90, 1, 1, 200, 200, 0, 2, 90}) {
            byte[] message = codec.encode(readings(count));
            wanted.writeBytes(message);
            assertEquals(message.length, codec.encodeInto(readings(count), output));
        }
        assertArrayEquals(wanted.toByteArray(), output.toByteArray());
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void aFinishedMessageStaysAsItIs(Profile profile) {
        Codec<List<Reading>> codec = codec(profile);
        Codec<double[]> bulk = Pack.builder(double[].class).profile(profile).build();
        double[] numbers = IntStream.range(0, 5000).mapToDouble(x -> x).toArray();
        byte[] message = codec.encode(readings(30));
        byte[] numeric = bulk.encode(numbers);
        byte[] wanted = message.clone();
        byte[] wantedNumeric = numeric.clone();
        Output output = new Output(16);
        codec.encodeInto(readings(30), output);
        bulk.encodeInto(numbers, output);
        int first = output.length();
        for (int count : new int[] {0, 500, 1, 90}) {
            codec.encode(readings(count));
            codec.encodeChunks(readings(count), 100);
            codec.encodeInto(readings(count), output);
            bulk.encode(new double[count]);
            bulk.encodeInto(new double[count], output);
        }
        assertArrayEquals(wanted, message);
        assertArrayEquals(wantedNumeric, numeric);
        byte[] all = output.toByteArray();
        assertArrayEquals(wanted, Arrays.copyOf(all, wanted.length));
        assertArrayEquals(wantedNumeric, Arrays.copyOfRange(all, wanted.length, first));
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void theArrayOfAnOutputIsItsOwners(Profile profile) {
        Codec<List<Reading>> codec = codec(profile);
        Codec<double[]> bulk = Pack.builder(double[].class).profile(profile).build();
        byte[] wanted = codec.encode(readings(30));
        byte[] wantedNumeric = bulk.encode(new double[100]);
        Output output = new Output(1 << 16);
        codec.encodeInto(readings(30), output);
        bulk.encodeInto(new double[100], output);
        byte[] scratch = output.array();
        Arrays.fill(scratch, (byte) 0x55);
        assertArrayEquals(wanted, codec.encode(readings(30)));
        assertArrayEquals(wantedNumeric, bulk.encode(new double[100]));
        for (byte b : scratch) {
            assertEquals(0x55, b, "written after it was handed over");
        }
        output.clear();
        codec.encodeInto(readings(30), output);
        assertArrayEquals(wanted, output.toByteArray(), "what lay in the array has no part in the message");
    }

    @Test
    void valuesDoNotHangOnTheMessage() {
        Codec<List<Reading>> codec = codec(Profile.COMPACT);
        byte[] message = codec.encode(readings(30));
        List<Reading> read = codec.decode(message);
        Arrays.fill(message, (byte) 0x55);
        assertArrayEquals(codec.encode(readings(30)), codec.encode(read));
    }

    @Test
    void textsThatFillTheRoomLeft() {
        // For every room left in a buffer a text is written completely, and nothing beyond the buffer.
        Codec<List<String>> codec = Pack.builder(new TypeRef<List<String>>() {}).profile(Profile.FAST).build();
        for (int length = 0; length < 40; length++) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                texts.add("abcdefghijklmnopqrstuvwxyz0123456789ABCD".substring(0, length));
            }
            for (int capacity = 0; capacity < 20; capacity++) {
                Output output = new Output(capacity);
                codec.encodeInto(texts, output);
                assertEquals(texts, codec.decode(output.toByteBuffer()));
                assertArrayEquals(codec.encode(texts), output.toByteArray());
            }
        }
    }

    @Test
    void anOutputTakesOneMessageAtATime() {
        Codec<Meddling> codec = Pack.codec(Meddling.class);
        Codec<List<Integer>> other = Pack.codec(new TypeRef<List<Integer>>() {});
        Output output = new Output(BufferPool.shared(), 256);
        other.encodeInto(List.of(1), output);
        byte[] before = output.toByteArray();
        for (Runnable meddle : List.<Runnable>of(() -> other.encodeInto(List.of(2), output), output::clear,
            output::close)) {
            Meddling.meddle = meddle;
            SamewireException error = assertThrows(SamewireException.class, () ->
                codec.encodeInto(new Meddling("x", 1), output));
            assertEquals(Code.MISUSE, error.code());
            assertArrayEquals(before, output.toByteArray());
        }
        byte[] inner = other.encode(List.of(2));
        Meddling.meddle = () -> assertArrayEquals(inner, other.encode(List.of(2)));
        byte[] message = codec.encode(new Meddling("x", 1));
        assertEquals(message.length, codec.encodeInto(new Meddling("x", 1), output));
        assertArrayEquals(message, Arrays.copyOfRange(output.toByteArray(), before.length, output.length()));
        Meddling.meddle = () -> {};
        output.close();
    }

    @Test
    void piecesAreNoLongerThanTheMessage() {
        Codec<List<Reading>> codec = codec(Profile.COMPACT);
        List<byte[]> pieces = codec.encodeChunks(readings(3), Integer.MAX_VALUE);
        assertEquals(1, pieces.size());
        assertArrayEquals(codec.encode(readings(3)), pieces.get(0));
    }

    @Test
    void buffersThatCannotBeWritten() {
        ByteBuffer closed = ByteBuffer.allocate(100).asReadOnlyBuffer();
        assertEquals(Code.MISUSE,
            assertThrows(SamewireException.class, () -> codec(Profile.FAST).encodeInto(readings(1), closed)).code());
    }
}
