package io.samewire.redis.command;

import java.util.List;

/** Where members are looked for: {@code GeoCenter.member("Rome").radius(50, GeoUnit.KM)}, or a polygon. */
@CheckReturnValue
public final class GeoArea {
    final Object[] word;

    GeoArea(Object... word) {
        this.word = word;
    }

    /**
     * Returns a polygon; its last corner is joined to the first.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} for fewer than three corners
     */
    public static GeoArea polygon(List<GeoPosition> corners) {
        if (corners.size() < 3) {
            throw Words.misuse("expected at least three corners of a polygon, found " + corners.size());
        }
        Object[] words = corners.stream().flatMap(corner -> java.util.stream.Stream.of(corner.longitude(),
            corner.latitude())).toArray();
        return new GeoArea(Tokens.BYPOLYGON, (long) corners.size(), words);
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
