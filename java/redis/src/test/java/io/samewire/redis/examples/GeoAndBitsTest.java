package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.BitOffset;
import io.samewire.redis.command.Bitmap;
import io.samewire.redis.command.Geo;
import io.samewire.redis.command.GeoCenter;
import io.samewire.redis.command.GeoMatch;
import io.samewire.redis.command.GeoUnit;
import io.samewire.redis.command.HyperLogLog;
import io.samewire.redis.command.IntegerType;
import io.samewire.redis.command.Order;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The guides' geographical indexes, bitmaps, bit fields and HyperLogLogs. */
class GeoAndBitsTest extends OnOneServer {
    @Test
    void findsWhatIsNear() {
        assertEquals(1, run(Geo.geoadd("libraries", 9.9937, 53.5511, "harbour")));
        assertEquals(1, run(Geo.geoadd("libraries", 9.9350, 53.5503, "hill")));
        assertEquals(1, run(Geo.geoadd("libraries", 13.4050, 52.5200, "capital")));
        List<GeoMatch<String>> near =
            run(Geo.geosearch("libraries", GeoCenter.at(9.99, 53.55).radius(5, GeoUnit.KM)).order(Order.ASC)
                .withdist());
        assertEquals(List.of("harbour", "hill"), near.stream().map(GeoMatch::member).toList());
        assertTrue(near.get(0).distance().orElseThrow() < 1);
        double apart = run(Geo.geodist("libraries", "harbour", "capital").unit(GeoUnit.KM)).orElseThrow();
        assertEquals(255, apart, 5);
        assertTrue(run(Geo.geopos("libraries", "none")).get(0).isEmpty());
    }

    @Test
    void setsAndCountsBits() {
        assertFalse(run(Bitmap.setbit("present:monday", 123, true)));
        assertTrue(run(Bitmap.getbit("present:monday", 123)));
        assertFalse(run(Bitmap.getbit("present:monday", 456)));
        assertEquals(1, run(Bitmap.bitcount("present:monday")));
        assertEquals(123, run(Bitmap.bitpos("present:monday", true)));
    }

    @Test
    void countsInBitFields() {
        IntegerType counter = IntegerType.unsigned(32);
        run(Bitmap.bitfield("numbers").set(counter, BitOffset.index(0), 1_000));
        assertEquals(List.of(OptionalLong.of(950), OptionalLong.of(1)), run(Bitmap.bitfield("numbers")
            .incrby(counter, BitOffset.index(0), -50).incrby(counter, BitOffset.index(1), 1)));
        assertEquals(List.of(OptionalLong.of(950)), run(Bitmap.bitfield("numbers").get(counter, BitOffset.index(0))));
    }

    @Test
    void estimatesHowMany() {
        assertTrue(run(HyperLogLog.pfadd("readers:it", "ann", "bob", "cyd", "dan")));
        assertEquals(4, run(HyperLogLog.pfcount("readers:it")));
        run(HyperLogLog.pfadd("readers:cujo", "ann", "eva"));
        run(HyperLogLog.pfmerge("readers", "readers:it", "readers:cujo"));
        assertEquals(5, run(HyperLogLog.pfcount("readers")));
    }
}
