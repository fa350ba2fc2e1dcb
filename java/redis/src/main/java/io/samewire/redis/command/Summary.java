package io.samewire.redis.command;

/** Which parts of texts a search returns: those around the words that match. Each method returns another summary. */
@CheckReturnValue
public final class Summary {
    /** Of all fields. */
    public static final Summary ALL = new Summary();

    final Object[] word;

    private Summary(Object... word) {
        this.word = word;
    }

    private Summary with(int slot, Object option) {
        return new Summary(Words.with(word, slot, option));
    }

    /** Returns the summary of these fields. */
    public static Summary fields(CharSequence... names) {
        return ALL.with(0, new Object[] {Tokens.FIELDS, Words.counted(Words.texts(names))});
    }

    /** With how many words a part has, 20 otherwise. */
    public Summary len(long words) {
        return with(1, new Object[] {Tokens.LEN, words});
    }

    /** With how many parts there are, 3 otherwise. */
    public Summary frags(long parts) {
        return with(2, new Object[] {Tokens.FRAGS, parts});
    }

    /** With what stands between parts, three dots otherwise. */
    public Summary separator(CharSequence separator) {
        return with(3, new Object[] {Tokens.SEPARATOR, Words.text(separator)});
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
