package io.samewire.redis.command;

import io.samewire.redis.resp.RequestWriter;
import java.nio.charset.StandardCharsets;

/** A word of the protocol, encoded once. A token of several words, {@code NO ONE}, is that many words. */
final class Token {
    final String text;
    final int words;
    private final byte[] encoded;

    Token(String text) {
        this.text = text;
        String[] parts = text.split(" ");
        words = parts.length;
        encoded = encode(parts);
    }

    /** The bulk strings of words, all ASCII. */
    static byte[] encode(String... words) {
        StringBuilder bulk = new StringBuilder();
        for (String word : words) {
            bulk.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return bulk.toString().getBytes(StandardCharsets.US_ASCII);
    }

    void write(RequestWriter out) {
        out.raw(encoded);
    }

    @Override
    public String toString() {
        return text;
    }
}
