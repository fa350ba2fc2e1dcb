package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An entry of a stream.
 *
 * @param id its id, like {@code 1526919030474-55}
 * @param fields its fields and values in their order; empty if the entry is pending, and was deleted meanwhile
 */
public record StreamEntry<K, V>(String id, Map<K, V> fields) {
    /** The entry, null for a null. */
    static <K, V> StreamEntry<K, V> read(ReplyReader in, Reading<K> names, Reading<V> values) {
        int count = Replies.beginOptional(in, 2);
        if (count < 0) {
            return null;
        }
        String id = Replies.text(in, "the id of an entry");
        Map<K, V> fields = Replies.map(in, names, values);
        Replies.end(in, count, 2);
        return new StreamEntry<>(id, fields);
    }

    /** Entries; those that are deleted, for which old servers send null, are left out. */
    static <K, V> List<StreamEntry<K, V>> list(ReplyReader in, Reading<K> names, Reading<V> values) {
        int count = in.beginArray();
        List<StreamEntry<K, V>> found = new ArrayList<>(Math.max(count, 0));
        for (int i = 0; i < count; i++) {
            StreamEntry<K, V> entry = read(in, names, values);
            if (entry != null) {
                found.add(entry);
            }
        }
        return found;
    }

    /** The entries of several streams: a map of RESP3, pairs of RESP2, or null for none. */
    static <K, V> Map<K, List<StreamEntry<K, V>>> streams(ReplyReader in, Reading<K> names, Reading<V> values) {
        boolean map = in.type() == io.samewire.redis.resp.ReplyType.MAP;
        int count = map ? in.beginMap() : in.beginArray();
        Map<K, List<StreamEntry<K, V>>> found = new LinkedHashMap<>(Replies.capacity(count));
        for (int i = 0; i < count; i++) {
            int elements = map ? 2 : Replies.begin(in, 2);
            K stream = names.read(in);
            found.put(stream, list(in, names, values));
            Replies.end(in, elements, 2);
        }
        return found;
    }
}
