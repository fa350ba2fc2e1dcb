package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A suggestion for completions.
 *
 * @param text the text
 * @param score how well it matches: with {@code WITHSCORES}
 * @param payload its payload, if it has one: with {@code WITHPAYLOADS}
 */
public record Suggestion(String text, OptionalDouble score, Optional<String> payload) {
    /** The command's options say what each suggestion consists of. */
    static List<Suggestion> list(ReplyReader in, Object[] words) {
        boolean scores = Words.has(words, Tokens.WITHSCORES);
        boolean payloads = Words.has(words, Tokens.WITHPAYLOADS);
        int size = 1 + (scores ? 1 : 0) + (payloads ? 1 : 0);
        int left = Math.max(in.beginArray(), 0);
        if (left % size != 0) {
            throw Replies.mismatch(size + " elements for each suggestion", "an array of " + left);
        }
        List<Suggestion> found = new ArrayList<>();
        for (; left > 0; left -= size) {
            String text = Replies.text(in, "a suggestion");
            OptionalDouble score = scores ? Replies.optionalDouble(in) : OptionalDouble.empty();
            found.add(new Suggestion(text, score, payloads ? Replies.optional(in, Text.STRING) : Optional.empty()));
        }
        return found;
    }
}
