package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last sample of a time series.
 *
 * @param labels its labels, if they were asked for; a label that it lacks is not there
 * @param sample the sample, empty if there is none
 */
public record SeriesLatest(Map<String, String> labels, Optional<Sample> sample) {
    /** By key: RESP2 sends arrays of key, labels and sample. */
    static Map<String, SeriesLatest> byKey(ReplyReader in) {
        boolean map = in.type() == ReplyType.MAP;
        Map<String, SeriesLatest> found = new LinkedHashMap<>();
        for (int i = map ? in.beginMap() : in.beginArray(); i > 0; i--) {
            String key = map ? Replies.text(in, "a key") : null;
            int known = map ? 2 : 3;
            int count = Replies.begin(in, known);
            key = map ? key : Replies.text(in, "a key");
            Map<String, String> labels = TextPairs.read(in);
            found.put(key, new SeriesLatest(labels, Sample.last(in)));
            Replies.end(in, count, known);
        }
        return found;
    }
}
