package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.FrameScanner;
import io.samewire.core.Frames;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Invalid arguments: null is a {@link NullPointerException}, others are {@code misuse} ({@code spec/errors.md}). */
class MisuseTest {
    record NoName(@Name("") int x) {}

    record Surrogate(@Name("\ud800") int x) {}

    @Name("")
    record Nameless(int x) {}

    private static final Codec<List<Integer>> INTS = Pack.codec(new TypeRef<List<Integer>>() {});
    private static final List<Integer> ONE = List.of(1);

    private static Map<String, Executable> misused() {
        Map<String, Executable> calls = new LinkedHashMap<>();
        calls.put("pieces of no bytes", () -> INTS.encodeChunks(ONE, 0));
        calls.put("pieces of fewer", () -> INTS.encodeChunks(ONE, Integer.MIN_VALUE));
        calls.put("a part before the array", () -> INTS.decode(new byte[3], -1, 2));
        calls.put("a part behind the array", () -> INTS.decode(new byte[3], 0, 4));
        calls.put("a part that ends before it begins", () -> INTS.decode(new byte[3], 2, 1));
        calls.put("a read-only buffer", () -> INTS.encodeInto(ONE, ByteBuffer.allocate(9).asReadOnlyBuffer()));
        calls.put("a limit of 0", () -> Limits.DEFAULT.withDepth(0));
        calls.put("a limit below 0", () -> Limits.DEFAULT.withItems(-1));
        calls.put("a part of what is fed", () -> new FrameScanner().feed(new byte[3], 2, 4));
        calls.put("a frame without a message", () -> Frames.frame(new byte[0]));
        calls.put("a length below 0", () -> Frames.head(-1));
        calls.put("a capacity below 0", () -> new Output(-1));
        calls.put("a capacity below 0, from a pool", () -> new Output(BufferPool.shared(), -1));
        calls.put("a pool of fewer bytes than none", () -> new BufferPool(-1));
        calls.put("an array of fewer", () -> new BufferPool(1).take(-1));
        calls.put("a direct buffer of fewer", () -> new BufferPool(1).takeDirect(Integer.MIN_VALUE));
        calls.put("an array of another kind", () -> new NumericArray(NumericArray.Kind.I8, new int[1]));
        calls.put("a field without a name", () -> Pack.codec(NoName.class));
        calls.put("a field with half a character", () -> Pack.codec(Surrogate.class));
        calls.put("a record without a name", () -> Pack.codec(Nameless.class));
        return calls;
    }

    private static Map<String, Executable> nulls() {
        Map<String, Executable> calls = new LinkedHashMap<>();
        calls.put("a class", () -> Pack.codec((Class<?>) null));
        calls.put("a type", () -> Pack.builder((TypeRef<?>) null));
        calls.put("a profile", () -> Pack.builder(Integer.class).profile(null));
        calls.put("limits of a codec", () -> Pack.builder(Integer.class).limits(null));
        calls.put("an output", () -> INTS.encodeInto(ONE, (Output) null));
        calls.put("a buffer to write", () -> INTS.encodeInto(ONE, (ByteBuffer) null));
        calls.put("bytes", () -> INTS.decode((byte[]) null));
        calls.put("a part of bytes", () -> INTS.decode(null, 0, 0));
        calls.put("a buffer", () -> INTS.decode((ByteBuffer) null));
        calls.put("a writer's schema", () -> INTS.resolve(null));
        calls.put("schema text", () -> Schema.parse(null));
        calls.put("another schema", () -> INTS.schema().difference(null));
        calls.put("limits of a scanner", () -> new FrameScanner(null));
        calls.put("what is fed", () -> new FrameScanner().feed(null));
        calls.put("a message", () -> Frames.frame(null));
        calls.put("an array given back", () -> new BufferPool(1).give((byte[]) null));
        calls.put("a buffer given back", () -> new BufferPool(1).give((ByteBuffer) null));
        calls.put("a kind", () -> new NumericArray(null, new int[1]));
        calls.put("numbers", () -> NumericArray.u16(null));
        return calls;
    }

    @TestFactory
    Stream<DynamicTest> rejectsInvalidArguments() {
        return misused().entrySet().stream().map(call -> DynamicTest.dynamicTest(call.getKey(), () -> {
            SamewireException error = assertThrows(SamewireException.class, call.getValue());
            assertEquals(Code.MISUSE, error.code());
            assertEquals(-1, error.at());
            assertNull(error.path());
        }));
    }

    @TestFactory
    Stream<DynamicTest> rejectsNull() {
        return nulls().entrySet().stream()
            .map(call -> DynamicTest.dynamicTest(call.getKey(),
                () -> assertThrows(NullPointerException.class, call.getValue())));
    }
}
