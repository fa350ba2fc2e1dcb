package io.samewire.redis.resp;

/** What becomes of a text that is not valid UTF-8 when it is read as a {@code String}. Its bytes can always be read. */
public enum Utf8 {
    /** It is refused: {@code bad_utf8}. */
    STRICT,
    /** Each malformed part becomes U+FFFD, as {@code new String} does. */
    LENIENT
}
