package io.samewire.redis.resp;

/** What an element of a reply is ({@code spec/redis.md} section 2). */
public enum ReplyType {
    /** {@code _}, and the {@code $-1} and {@code *-1} of RESP2. */
    NULL,
    /** {@code +} */
    SIMPLE,
    /** {@code -} and {@code !} */
    ERROR,
    /** {@code :} */
    INTEGER,
    /** {@code ,} */
    DOUBLE,
    /** <code>(</code>: an integer of any length. */
    BIG_NUMBER,
    /** {@code #} */
    BOOLEAN,
    /** {@code $}, in one piece or in chunks. */
    BULK,
    /** {@code =}: a text with the name of its format. */
    VERBATIM,
    /** {@code *} */
    ARRAY,
    /** {@code ~}: elements may occur twice. */
    SET,
    /** {@code %}: keys may occur twice. */
    MAP,
    /** {@code >}: what the server sends unasked. */
    PUSH
}
