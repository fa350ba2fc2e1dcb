package acceptance;

/** An interface with members of every kind. */
public interface Shape {
    /** A constant of an interface. */
    double TAU = 6.25;

    /** The area. */
    double area();

    /** A default method that calls the abstract one. */
    default String describe() {
        return "area " + area();
    }

    /** A static method of an interface. */
    static Shape square(double side) {
        return new HiddenSquare(side);
    }

    /** The descriptions of two shapes. */
    static String both(Shape a, Shape b) {
        return a.describe() + ", " + b.describe();
    }
}

/** A class that cannot be named outside, whose public methods can be called. */
class HiddenSquare implements Shape {
    private final double side;

    HiddenSquare(double side) {
        this.side = side;
    }

    @Override
    public double area() {
        return side * side;
    }
}
