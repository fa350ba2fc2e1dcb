package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on bits, and on HyperLogLogs. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class BitmapTest extends OnServer {
    BitmapTest(int protocol) {
        super(protocol);
    }

    @Test
    void countsAndFindsBits() {
        run(Strings.set("key", "foobar"));
        assertEquals(26, run(Bitmap.bitcount("key")));
        assertEquals(6, run(Bitmap.bitcount("key", 1, 1)));
        assertEquals(17, run(Bitmap.bitcount("key", 5, 30).unit(BitUnit.BIT)));
        assertEquals(0, run(Bitmap.bitpos("key", false)));
        assertEquals(9, run(Bitmap.bitpos("key", true, 1)));
        assertEquals(1, run(Bitmap.bitpos("key", true, 0, 7).unit(BitUnit.BIT)));
        assertTrue(run(Bitmap.getbit("key", 1)));
        assertTrue(run(Bitmap.setbit("key", 1, false)));
        assertFalse(run(Bitmap.setbit("key", 1, true)));
        run(Strings.set("a", "abc"));
        assertEquals(6, run(Bitmap.bitop(BitOperation.XOR, "to", "key", "a")));
        assertEquals(6, run(Bitmap.bitopNot("to", "key")));
    }

    @Test
    void worksOnIntegersWithinAString() {
        IntegerType byte8 = IntegerType.unsigned(8);
        assertEquals(List.of(OptionalLong.of(0), OptionalLong.of(255), OptionalLong.empty(), OptionalLong.of(255)),
            run(Bitmap.bitfield("key").set(byte8, BitOffset.bit(0), 255).get(byte8, BitOffset.bit(0))
                .overflow(Overflow.FAIL).incrby(byte8, BitOffset.index(0), 1)
                .overflow(Overflow.SAT).incrby(byte8, BitOffset.index(0), 9)));
        assertEquals(List.of(OptionalLong.of(-1), OptionalLong.of(0)),
            run(Bitmap.bitfieldRo("key").get(IntegerType.signed(8), BitOffset.bit(0)).get(byte8, BitOffset.index(1))));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> IntegerType.unsigned(64)).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> BitOffset.bit(-1)).code());
    }

    @Test
    void estimates() {
        assertTrue(run(HyperLogLog.pfadd("key", "a", "b")));
        assertFalse(run(HyperLogLog.pfadd("key", "a")));
        assertEquals(2, run(HyperLogLog.pfcount("key")));
        run(HyperLogLog.pfmerge("to", "key", "x"));
        assertEquals(2, run(HyperLogLog.pfcount("to", "key")));
        assertEquals("sparse", run(HyperLogLog.pfdebug("ENCODING", "key").as(Text.STRING)));
        run(HyperLogLog.pfselftest());
    }
}
