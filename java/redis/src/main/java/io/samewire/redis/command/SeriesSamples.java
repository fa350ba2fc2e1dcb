package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The samples of a time series, or of a group of them.
 *
 * @param labels its labels, if they were asked for; a label that it lacks is not there
 * @param reducer what made one sample of several: of a group
 * @param sources the keys of a group's series
 * @param samples the samples
 */
public record SeriesSamples(Map<String, String> labels, Optional<String> reducer, List<String> sources,
        List<Sample> samples) {
    /** By key: RESP2 sends arrays of key, labels and samples. */
    static Map<String, SeriesSamples> byKey(ReplyReader in) {
        boolean map = in.type() == ReplyType.MAP;
        Map<String, SeriesSamples> found = new LinkedHashMap<>();
        for (int i = map ? in.beginMap() : in.beginArray(); i > 0; i--) {
            if (map) {
                String key = Replies.text(in, "a key");
                found.put(key, readParts(in, Replies.begin(in, 2)));
            } else {
                int count = Replies.begin(in, 3);
                String key = Replies.text(in, "a key");
                found.put(key, ofOldLabels(TextPairs.read(in), Sample.list(in)));
                Replies.end(in, count, 3);
            }
        }
        return found;
    }

    /** RESP3's: labels, maps of what was done, samples. */
    private static SeriesSamples readParts(ReplyReader in, int count) {
        Map<String, String> labels = TextPairs.read(in);
        List<String> reducers = List.of();
        List<String> sources = List.of();
        for (int i = 1; i < count - 1; i++) {
            if (in.type() != ReplyType.MAP) {
                in.skip();
                continue;
            }
            for (int j = Replies.beginMap(in); j > 0; j--) {
                switch (Replies.name(in)) {
                    case "reducers" -> reducers = Replies.list(in, Text.STRING);
                    case "sources" -> sources = Replies.list(in, Text.STRING);
                    default -> in.skip();
                }
            }
        }
        Optional<String> reducer = reducers.isEmpty() ? Optional.empty() : Optional.ofNullable(reducers.get(0));
        return new SeriesSamples(labels, reducer, sources, Sample.list(in));
    }

    /** RESP2 has what RESP3 sends in maps among the labels. */
    private static SeriesSamples ofOldLabels(Map<String, String> labels, List<Sample> samples) {
        Optional<String> reducer = Optional.ofNullable(labels.remove("__reducer__"));
        String sources = labels.remove("__source__");
        return new SeriesSamples(labels, reducer,
            sources == null ? List.of() : new ArrayList<>(List.of(sources.split(","))), samples);
    }
}
