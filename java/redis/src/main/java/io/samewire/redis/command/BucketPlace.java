package io.samewire.redis.command;

/** Which time of a bucket its aggregate has. */
public enum BucketPlace {
    /** When it begins: {@code -}. */
    START("-"),
    /** Half of it: {@code ~}. */
    MIDDLE("~"),
    /** When it ends: {@code +}. */
    END("+");

    final Token word;

    BucketPlace(String word) {
        this.word = new Token(word);
    }
}
