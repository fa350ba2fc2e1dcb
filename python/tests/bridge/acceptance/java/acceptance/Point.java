package acceptance;

/** A record of an object that crosses by reference. */
public record Point(int x, int y) {
    /** The point at zero. */
    public static final Point ORIGIN = new Point(0, 0);

    /** The sum of two points. */
    public Point plus(Point other) {
        return new Point(x + other.x, y + other.y);
    }
}
