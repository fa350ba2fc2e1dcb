package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a map of texts that RESP2 sends as an array of pairs: labels, options. */
final class TextPairs {
    private TextPairs() { }

    /** The entries without those whose value is null: a label that was asked for and is not there. */
    static Map<String, String> read(ReplyReader in) {
        boolean map = in.type() == ReplyType.MAP;
        Map<String, String> found = new LinkedHashMap<>();
        for (int i = map ? in.beginMap() : in.beginArray(); i > 0; i--) {
            int count = map ? 2 : Replies.begin(in, 2);
            String name = Replies.name(in);
            String value = in.readString();
            if (value != null) {
                found.put(name, value);
            }
            Replies.end(in, count, 2);
        }
        return found;
    }
}
