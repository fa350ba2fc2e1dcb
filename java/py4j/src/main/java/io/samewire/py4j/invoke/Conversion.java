package io.samewire.py4j.invoke;

/** What an argument becomes before it is passed. */
public enum Conversion {
    /** Itself. */
    NONE,
    /** A double as a float. */
    FLOAT,
    /** An int as a short, its lowest 16 bits. */
    SHORT,
    /** An int as a byte, its lowest 8 bits. */
    BYTE,
    /** A text as its first char. */
    CHAR,
    /** An integer as a long. */
    LONG;

    /** Returns an argument as it is passed. */
    public Object apply(Object argument) {
        switch (this) {
            case FLOAT:
                return ((Number) argument).floatValue();
            case SHORT:
                return ((Number) argument).shortValue();
            case BYTE:
                return ((Number) argument).byteValue();
            case CHAR:
                return ((CharSequence) argument).charAt(0);
            case LONG:
                return ((Number) argument).longValue();
            default:
                return argument;
        }
    }
}
