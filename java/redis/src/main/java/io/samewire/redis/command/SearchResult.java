package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a search found.
 *
 * @param total how many documents match
 * @param documents those that were asked for
 * @param warnings what the server warns of, with RESP3: that its time was out, for one
 */
public record SearchResult<V>(long total, List<FoundDocument<V>> documents, List<String> warnings) {
    /** In RESP2 the command's options say what each document consists of. */
    static <V> SearchResult<V> read(ReplyReader in, Reading<V> text, Object[] words) {
        if (in.type() != ReplyType.MAP) {
            return readArray(in, text, Words.has(words, Tokens.WITHSCORES), Words.has(words, Tokens.WITHPAYLOADS),
                !Words.has(words, Tokens.NOCONTENT));
        }
        long total = -1;
        List<FoundDocument<V>> documents = null;
        List<String> warnings = List.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "total_results" -> total = in.readLong();
                case "results" -> documents = Replies.list(in, item -> FoundDocument.read(item, text));
                case "warning", "warnings" -> warnings = Replies.list(in, Text.LENIENT);
                default -> in.skip();
            }
        }
        if (total < 0 || documents == null) {
            throw Replies.mismatch("total_results and results", "a map that lacks one of them");
        }
        return new SearchResult<>(total, documents, warnings);
    }

    private static <V> SearchResult<V> readArray(ReplyReader in, Reading<V> text, boolean scores, boolean payloads,
            boolean contents) {
        int left = Replies.begin(in, 1) - 1;
        long total = in.readLong();
        int size = 1 + (scores ? 1 : 0) + (payloads ? 1 : 0) + (contents ? 1 : 0);
        if (left % size != 0) {
            throw Replies.mismatch(size + " elements for each document", "an array of " + (left + 1));
        }
        List<FoundDocument<V>> documents = new ArrayList<>();
        for (; left > 0; left -= size) {
            String id = Replies.text(in, "the id of a document");
            OptionalDouble score = scores ? Replies.optionalDouble(in) : OptionalDouble.empty();
            Optional<V> payload = payloads ? Replies.optional(in, text) : Optional.empty();
            Map<String, V> fields = contents ? FoundDocument.fields(in, text) : Map.of();
            documents.add(new FoundDocument<>(id, score, payload, fields));
        }
        return new SearchResult<>(total, documents, List.of());
    }
}
