package acceptance;

/** The superclass of {@link Members}. */
public abstract class Ancestor {
    public String inherited = "inherited field";

    /** A method that subclasses inherit. */
    public String ancestral() {
        return "ancestral";
    }

    /** A static method that subclasses inherit. */
    public static String origin() {
        return "origin";
    }

    /** A copy, of a narrower type in the subclass. */
    public abstract Ancestor copy();
}
