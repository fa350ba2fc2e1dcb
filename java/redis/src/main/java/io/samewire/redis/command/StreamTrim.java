package io.samewire.redis.command;

/**
 * How far a stream is trimmed: {@code StreamTrim.maxlen(1_000).approximately()}. Exactly, unless {@link #approximately}
 * says otherwise.
 */
@CheckReturnValue
public final class StreamTrim {
    private static final Token APPROXIMATELY = new Token("~");

    final Object[] word;

    private StreamTrim(Object... word) {
        this.word = word;
    }

    /** Returns a trim to so many entries, the latest. */
    public static StreamTrim maxlen(long entries) {
        return new StreamTrim(Tokens.MAXLEN, null, entries, null);
    }

    /** Returns a trim to the entries from this id on. */
    public static StreamTrim minid(CharSequence id) {
        return new StreamTrim(Tokens.MINID, null, Words.text(id), null);
    }

    /** Returns the same, but no further than is cheap: some entries more may stay. */
    public StreamTrim approximately() {
        return new StreamTrim(word[0], APPROXIMATELY, word[2], null);
    }

    /** Returns the same, but no further than is cheap, and so many entries at most: 0 for any number. */
    public StreamTrim approximately(long limit) {
        return new StreamTrim(word[0], APPROXIMATELY, word[2], new Object[] {Tokens.LIMIT, limit});
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
