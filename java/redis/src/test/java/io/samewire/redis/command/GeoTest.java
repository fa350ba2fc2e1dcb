package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on places. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class GeoTest extends OnServer {
    GeoTest(int protocol) {
        super(protocol);
    }

    private static final GeoPosition PALERMO = new GeoPosition(13.361389, 38.115556);

    private void places() {
        assertEquals(2, run(Geo.geoadd("key",
            Sent.map("Palermo", PALERMO, "Catania", new GeoPosition(15.087269, 37.502669)))));
    }

    @Test
    void addsAndMeasures() {
        places();
        assertEquals(0, run(Geo.geoadd("key", 13.361389, 38.115556, "Palermo").condition(Condition.NX).ch()));
        assertEquals(166.2742, run(Geo.geodist("key", "Palermo", "Catania").unit(GeoUnit.KM)).orElseThrow(), 0.001);
        assertTrue(run(Geo.geodist("key", "Palermo", "x")).isEmpty());
        assertEquals(List.of(Optional.of("sqc8b49rny0"), Optional.empty()), run(Geo.geohash("key", "Palermo", "x")));
        List<Optional<GeoPosition>> found = run(Geo.geopos("key", "Palermo", "x"));
        assertEquals(13.361389, found.get(0).orElseThrow().longitude(), 0.0001);
        assertEquals(Optional.empty(), found.get(1));
    }

    @Test
    void searches() {
        places();
        GeoArea near = GeoCenter.at(15, 37).radius(200, GeoUnit.KM);
        assertEquals(List.of("Catania", "Palermo"),
            run(Geo.geosearch("key", near).order(Order.ASC)).stream().map(GeoMatch::member).toList());
        GeoMatch<String> all = run(Geo.geosearch("key", near).order(Order.DESC).count(GeoCount.count(1))
            .withdist().withhash().withcoord()).get(0);
        assertEquals("Palermo", all.member());
        assertEquals(190.4424, all.distance().orElseThrow(), 0.001);
        assertEquals(3_479_099_956_230_698L, all.hash().orElseThrow());
        assertEquals(38.115556, all.position().orElseThrow().latitude(), 0.0001);
        GeoMatch<String> plain = run(Geo.geosearch("key", near).count(GeoCount.any(1))).get(0);
        assertTrue(plain.distance().isEmpty() && plain.hash().isEmpty() && plain.position().isEmpty());
        assertEquals(1, run(Geo.geosearch("key", GeoCenter.member("Palermo").box(10, 10, GeoUnit.KM))).size());
        List<GeoPosition> corners = List.of(new GeoPosition(13, 38), new GeoPosition(14, 38), new GeoPosition(13, 39));
        assertEquals(1, run(Geo.geosearch("key", GeoArea.polygon(corners))).size());
        assertEquals(2, run(Geo.geosearchstore("to", "key", near).storedist()));
    }

    @Test
    void searchesAroundAPointOrAMember() {
        places();
        assertEquals(2, run(Geo.georadius("key", 15, 37, 200, GeoUnit.KM)).size());
        assertEquals(2, run(Geo.georadius("key", 15, 37, 200, GeoUnit.KM).store("to")));
        assertEquals(1, run(Geo.georadiusRo("key", 15, 37, 100, GeoUnit.KM).withdist()).size());
        assertEquals(1, run(Geo.georadiusbymember("key", "Palermo", 10, GeoUnit.KM)).size());
        assertEquals(1, run(Geo.georadiusbymemberRo("key", "Palermo", 10, GeoUnit.MI).withcoord()).size());
    }
}
