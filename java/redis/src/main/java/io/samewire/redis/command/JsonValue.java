package io.samewire.redis.command;

/** A value of JSON and where it goes: {@code JsonValue.of("user:1", "$.age", "5")}. */
public final class JsonValue {
    final Object[] word;

    private JsonValue(Object... word) {
        this.word = word;
    }

    /**
     * Returns a value for a place.
     *
     * @param key the key of the document
     * @param path the path in it; {@code $} is the document itself
     * @param value the value as JSON
     */
    public static JsonValue of(CharSequence key, CharSequence path, CharSequence value) {
        return new JsonValue(Words.text(key), Words.text(path), Words.text(value));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
