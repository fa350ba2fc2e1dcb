package io.samewire.redis.command;

/** What becomes of a number that does not fit in its type. */
public enum Overflow {
    /** It wraps around. */
    WRAP("WRAP"),
    /** It becomes the least or the greatest number of the type. */
    SAT("SAT"),
    /** It stays as it was, and the operation returns nothing. */
    FAIL("FAIL");

    final Token word;

    Overflow(String word) {
        this.word = new Token(word);
    }
}
