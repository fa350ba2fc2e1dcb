package acceptance;

/** A class that cannot be initialised. */
public final class Doomed {
    public static final int VALUE = Integer.parseInt("doomed");

    private Doomed() {
    }

    public static int value() {
        return VALUE;
    }
}
