package io.samewire.pack.wire;

/**
 * The code of a codec, generated from its types: straight lines of calls of {@link Writer} and {@link Reader}, without
 * any look at a schema. Stateless.
 */
public abstract class Program {
    /** For generated code. */
    protected Program() {}

    /** Writes the values of a message. */
    public abstract void write(Writer out, Object value);

    /** Reads the values of a message. */
    public abstract Object read(Reader in);
}
