package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;

/**
 * What {@code XAUTOCLAIM} found.
 *
 * @param next the id to go on from, {@code 0-0} if all pending entries were looked at
 * @param entries the entries that are claimed, or their ids
 * @param deleted ids of entries that are no longer in the stream; empty from servers older than version 7
 */
public record AutoClaimed<E>(String next, List<E> entries, List<String> deleted) {
    static <E> AutoClaimed<E> read(ReplyReader in, Reading<List<E>> entries) {
        int count = Replies.begin(in, 2);
        String next = in.readString();
        List<E> claimed = entries.read(in);
        List<String> deleted = count > 2 ? Replies.list(in, Text.STRING) : List.of();
        Replies.end(in, count, 3);
        return new AutoClaimed<>(next, claimed, deleted);
    }

    static AutoClaimed<String> ids(ReplyReader in) {
        return read(in, ids -> Replies.list(ids, Text.STRING));
    }
}
