package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.OptionalLong;

/**
 * What the server knows of a Bloom filter.
 *
 * @param capacity how many items fit before it grows
 * @param size its bytes
 * @param filters how many parts it has
 * @param items how many items were added
 * @param expansion how many times larger each next part is; empty if it never grows
 */
public record BloomInfo(long capacity, long size, long filters, long items, OptionalLong expansion) {
    static BloomInfo read(ReplyReader in) {
        long capacity = 0;
        long size = 0;
        long filters = 0;
        long items = 0;
        OptionalLong expansion = OptionalLong.empty();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "Capacity" -> capacity = in.readLong();
                case "Size" -> size = in.readLong();
                case "Number of filters" -> filters = in.readLong();
                case "Number of items inserted" -> items = in.readLong();
                case "Expansion rate" -> expansion = Replies.optionalLong(in);
                default -> in.skip();
            }
        }
        return new BloomInfo(capacity, size, filters, items, expansion);
    }
}
