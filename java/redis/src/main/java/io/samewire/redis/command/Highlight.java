package io.samewire.redis.command;

/** Where a search marks the words that match. Each method returns another one. */
@CheckReturnValue
public final class Highlight {
    /** In all fields. */
    public static final Highlight ALL = new Highlight();

    final Object[] word;

    private Highlight(Object... word) {
        this.word = word;
    }

    /** Returns marks in these fields. */
    public static Highlight fields(CharSequence... names) {
        return new Highlight(new Object[] {Tokens.FIELDS, Words.counted(Words.texts(names))}, null);
    }

    /** With what stands before and behind a word, {@code <b>} and {@code </b>} otherwise. */
    public Highlight tags(CharSequence open, CharSequence close) {
        return new Highlight(Words.with(word, 1,
            new Object[] {Tokens.TAGS, Words.text(open), Words.text(close)}));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
