package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * What the server knows of a count-min sketch.
 *
 * @param width counters in a row
 * @param depth rows
 * @param count the sum of all counts
 */
public record CountMinSketchInfo(long width, long depth, long count) {
    static CountMinSketchInfo read(ReplyReader in) {
        long width = 0;
        long depth = 0;
        long count = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "width" -> width = in.readLong();
                case "depth" -> depth = in.readLong();
                case "count" -> count = in.readLong();
                default -> in.skip();
            }
        }
        return new CountMinSketchInfo(width, depth, count);
    }
}
