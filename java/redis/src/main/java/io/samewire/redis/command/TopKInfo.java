package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * The options of a list of the most frequent items.
 *
 * @param size how many items it has at most
 * @param width counters in a row
 * @param depth rows
 * @param decay the probability to lower a counter that another item took
 */
public record TopKInfo(long size, long width, long depth, double decay) {
    static TopKInfo read(ReplyReader in) {
        long size = 0;
        long width = 0;
        long depth = 0;
        double decay = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "k" -> size = in.readLong();
                case "width" -> width = in.readLong();
                case "depth" -> depth = in.readLong();
                case "decay" -> decay = in.readDouble();
                default -> in.skip();
            }
        }
        return new TopKInfo(size, width, depth, decay);
    }
}
