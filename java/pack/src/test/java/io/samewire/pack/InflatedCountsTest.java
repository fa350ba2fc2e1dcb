package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts that lie, one inside the other: what they make a reader allocate stays in proportion to the message. */
class InflatedCountsTest {
    private static final int LENGTH = 1 << 20;
    /** What {@code spec/pack.md} section 12 allows for arrays, and an eighth more for all else. */
    private static final int MOST_FOR_A_BYTE = 72;
    /** As a tag, a token and a number of an {@code any}: nothing, a wide text, and 5. */
    private static final byte NO_VALUE = 0x7e;
    private static final byte FIVE = (byte) 0x85;

    record Bough(List<Bough> kids) {}

    record Fork(Fork[] kids) {}

    record Row(ArrayDeque<Row> kids) {}

    record Gate(Map<Byte, Gate> gates) {}

    /** One way of being read, what stands before and behind each count, and whether keys follow it first. */
    private record Lie(Codec<?> codec, byte[] before, byte[] after, boolean keyed) {
        /**
         * A message of counts, each of as many elements as there are bytes behind it (of maps, whose keys are there, of
         * half as many), and at last bytes that are not values.
         */
        byte[] message(int levels) {
            byte[] message = new byte[LENGTH];
            Arrays.fill(message, NO_VALUE);
            message[0] = (byte) 0x80;
            int at = 1;
            for (int level = 0; level < (keyed ? Math.min(levels, 5) : levels); level++) {
                System.arraycopy(before, 0, message, at, before.length);
                at += before.length;
                int count = LENGTH - at - 3 - after.length >> (keyed ? 1 : 0);
                message[at++] = (byte) (count | 0x80);
                message[at++] = (byte) (count >> 7 | 0x80);
                message[at++] = (byte) (count >> 14);
                System.arraycopy(after, 0, message, at, after.length);
                at += after.length;
                if (keyed) {
                    Arrays.fill(message, at, at + count, FIVE);
                    at += count;
                }
            }
            return message;
        }
    }

    private static Lie lie(TypeRef<?> type, byte[] before, byte... after) {
        return new Lie(codec(type), before, after, false);
    }

    private static Lie keyedLie(TypeRef<?> type, byte... before) {
        return new Lie(codec(type), before, NONE, true);
    }

    private static <T> Codec<T> codec(TypeRef<T> type) {
        return Pack.builder(type).limits(Limits.DEFAULT.withDepth(1000).withItems(Integer.MAX_VALUE)).build();
    }

    private static final byte[] NONE = {};
    private static final List<Lie> LIES = List.of(
        lie(new TypeRef<Object>() {}, new byte[] {8}),
        // A map of one entry between any two lists.
        lie(new TypeRef<Object>() {}, new byte[] {8}, (byte) 9, (byte) 1, FIVE),
        lie(new TypeRef<List<Object>>() {}, NONE, (byte) 8),
        lie(new TypeRef<Bough>() {}, NONE),
        lie(new TypeRef<Fork>() {}, NONE),
        lie(new TypeRef<Row>() {}, NONE),
        lie(new TypeRef<List<List<List<List<String>>>>>() {}, NONE),
        lie(new TypeRef<List<List<List<long[]>>>>() {}, NONE),
        lie(new TypeRef<List<List<List<List<Long>>>>>() {}, NONE),
        keyedLie(new TypeRef<Object>() {}, (byte) 9),
        keyedLie(new TypeRef<Gate>() {}));

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 60, 900})
    void doNotAddUp(int levels) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (Lie lie : LIES) {
            byte[] message = lie.message(levels);
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThrows(SamewireException.class, () -> lie.codec.decode(message));
            long each = (threads.getCurrentThreadAllocatedBytes() - before) / LENGTH;
            assertTrue(each < MOST_FOR_A_BYTE, () -> each + " bytes for a byte of " + lie.codec.schema().text());
        }
    }

    @Test
    void rowsThatFillTheirMessageComeBack() {
        var bits = codec(new TypeRef<List<@Nullable List<@Nullable List<Boolean>>>>() {});
        List<@Nullable List<Boolean>> inner = new ArrayList<>(Collections.nCopies(7999, null));
        inner.add(0, Collections.nCopies(8000, true));
        List<@Nullable List<@Nullable List<Boolean>>> outer = new ArrayList<>(Collections.nCopies(7999, null));
        outer.add(inner);
        assertEquals(outer, bits.decode(bits.encode(outer)));
        Codec<Object> any = codec(new TypeRef<Object>() {});
        Object nested = Collections.nCopies(1000, List.of());
        assertEquals(nested, any.decode(any.encode(nested)));
    }

    /** What a reader skips first and then wants is read twice, but claims no bytes twice. */
    @Test
    void skippedStructsThatAreReadAgain() {
        record Bag(@Nullable @Shared Bag other, List<String> texts) {}
        record Old(@Shared Bag first, @Shared Bag second, @Shared Bag third, List<@Shared Bag> kept) {}
        record New(List<@Shared Bag> kept) {}
        Bag first = new Bag(null, Collections.nCopies(1000, ""));
        Bag second = new Bag(first, Collections.nCopies(1000, ""));
        Bag third = new Bag(second, Collections.nCopies(1000, ""));
        byte[] message = Pack.codec(Old.class).withoutDigest()
            .encode(new Old(first, second, third, List.of(third, second, third)));
        String writer = Pack.codec(Old.class).schema().text().replace("struct Old", "struct New");
        New read = Pack.codec(New.class).resolve(writer).decode(message);
        assertEquals(List.of(third, second, third), read.kept);
        assertSame(read.kept.get(0), read.kept.get(2));
        assertNotNull(read.kept.get(0).other);
        assertSame(read.kept.get(1), read.kept.get(0).other);
    }
}
