package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where the parts of a longest common subsequence are.
 *
 * @param matches the parts, the last first
 * @param length the length of the subsequence
 */
public record LcsMatches(List<Match> matches, long length) {
    /**
     * One part.
     *
     * @param first where it is in the first string
     * @param second where it is in the second string
     * @param length its length, if that was asked for
     */
    public record Match(IndexRange first, IndexRange second, OptionalLong length) { }

    static LcsMatches read(ReplyReader in) {
        List<Match> matches = List.of();
        long length = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "matches" -> matches = Replies.list(in, LcsMatches::match);
                case "len" -> length = in.readLong();
                default -> in.skip();
            }
        }
        return new LcsMatches(matches, length);
    }

    private static Match match(ReplyReader in) {
        int count = Replies.begin(in, 2);
        IndexRange first = range(in);
        IndexRange second = range(in);
        OptionalLong length = count > 2 ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
        Replies.end(in, count, 3);
        return new Match(first, second, length);
    }

    private static IndexRange range(ReplyReader in) {
        int count = Replies.begin(in, 2);
        long first = in.readLong();
        long last = in.readLong();
        Replies.end(in, count, 2);
        return new IndexRange(first, last);
    }
}
