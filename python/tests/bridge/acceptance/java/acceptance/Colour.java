package acceptance;

/** An enum with a body for one of its constants. */
public enum Colour {
    RED, GREEN, BLUE {
        @Override
        public boolean cold() {
            return true;
        }
    };

    /** Whether it is a cold one. */
    public boolean cold() {
        return false;
    }

    /** The one after this. */
    public Colour next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /** The name in small letters, by way of a switch. */
    public static String small(Colour colour) {
        return switch (colour) {
            case RED -> "red";
            case GREEN -> "green";
            case BLUE -> "blue";
        };
    }
}
