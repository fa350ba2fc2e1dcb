package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what a spelling check replies: for each term what it may be instead, with scores. */
final class Spelling {
    private Spelling() { }

    static Map<String, Map<String, Double>> read(ReplyReader in) {
        Map<String, Map<String, Double>> found = new LinkedHashMap<>();
        if (in.type() == ReplyType.MAP) {
            for (int i = in.beginMap(); i > 0; i--) {
                if (!Replies.name(in).equals("results")) {
                    in.skip();
                    continue;
                }
                for (int j = in.beginMap(); j > 0; j--) {
                    String term = Replies.text(in, "a term");
                    found.put(term, suggestions(in));
                }
            }
            return found;
        }
        for (int i = in.beginArray(); i > 0; i--) {
            int count = Replies.begin(in, 3);
            in.skip(); // The word TERM.
            String term = Replies.text(in, "a term");
            found.put(term, suggestions(in));
            Replies.end(in, count, 3);
        }
        return found;
    }

    /** RESP3 has a map of a text and its score for each, RESP2 an array of score and text. */
    private static Map<String, Double> suggestions(ReplyReader in) {
        Map<String, Double> found = new LinkedHashMap<>();
        for (int i = in.beginArray(); i > 0; i--) {
            if (in.type() == ReplyType.MAP) {
                found.putAll(Replies.map(in, Text.STRING, Reading.DOUBLE));
            } else {
                int count = Replies.begin(in, 2);
                double score = in.readDouble();
                found.put(Replies.text(in, "a suggestion"), score);
                Replies.end(in, count, 2);
            }
        }
        return found;
    }
}
