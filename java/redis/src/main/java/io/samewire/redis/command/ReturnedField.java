package io.samewire.redis.command;

/** A field that a search returns: {@code ReturnedField.of("$.name").as("name")}. */
@CheckReturnValue
public final class ReturnedField {
    final Object[] word;

    private ReturnedField(Object... word) {
        this.word = word;
    }

    /** Returns a field, or a path of documents of JSON. */
    public static ReturnedField of(CharSequence name) {
        return new ReturnedField(Words.text(name));
    }

    /** Returns the same field under another name. */
    public ReturnedField as(CharSequence name) {
        return new ReturnedField(word[0], Tokens.AS, Words.text(name));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
