package io.samewire.redis.command;

/** The centre of an area: a member, or a position. */
@CheckReturnValue
public final class GeoCenter {
    private final Object[] words;

    private GeoCenter(Object... words) {
        this.words = words;
    }

    /** Returns the position of a member. */
    public static GeoCenter member(CharSequence member) {
        return new GeoCenter(Tokens.FROMMEMBER, Words.text(member));
    }

    /** Returns a position in degrees. */
    public static GeoCenter at(double longitude, double latitude) {
        return new GeoCenter(Tokens.FROMLONLAT, longitude, latitude);
    }

    /** Returns the circle with this radius. */
    public GeoArea radius(double radius, GeoUnit unit) {
        return new GeoArea(words, Tokens.BYRADIUS, radius, unit.word);
    }

    /** Returns the rectangle of this size, whose sides lie east to west and north to south. */
    public GeoArea box(double width, double height, GeoUnit unit) {
        return new GeoArea(words, Tokens.BYBOX, width, height, unit.word);
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(words);
    }
}
