package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A document that a search found.
 *
 * @param id its key
 * @param score how well it matches: with {@code WITHSCORES}
 * @param payload its payload, if it has one: with {@code WITHPAYLOADS}
 * @param fields its fields; a whole document of JSON is the field {@code $}; none with {@code NOCONTENT}
 */
public record FoundDocument<V>(String id, OptionalDouble score, Optional<V> payload, Map<String, V> fields) {
    /** RESP3's map. */
    static <V> FoundDocument<V> read(ReplyReader in, Reading<V> text) {
        String id = null;
        OptionalDouble score = OptionalDouble.empty();
        Optional<V> payload = Optional.empty();
        Map<String, V> fields = Map.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "id" -> id = Replies.text(in, "the id of a document");
                case "score" -> score = Replies.optionalDouble(in);
                case "payload" -> payload = Replies.optional(in, text);
                case "extra_attributes" -> fields = fields(in, text);
                default -> in.skip();
            }
        }
        if (id == null) {
            throw Replies.mismatch("a document with an id", "one without");
        }
        return new FoundDocument<>(id, score, payload, fields);
    }

    /** Fields by name, without those that are null. */
    static <V> Map<String, V> fields(ReplyReader in, Reading<V> text) {
        Map<String, V> found = new LinkedHashMap<>();
        for (int i = in.beginMap(); i > 0; i--) {
            String name = Replies.name(in);
            if (in.isNil()) {
                in.skip();
            } else {
                found.put(name, text.read(in));
            }
        }
        return found;
    }
}
