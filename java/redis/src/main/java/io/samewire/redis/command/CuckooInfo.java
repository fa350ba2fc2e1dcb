package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * What the server knows of a cuckoo filter.
 *
 * @param size its bytes
 * @param buckets how many buckets it has
 * @param filters how many parts it has
 * @param inserted how many items it has
 * @param deleted how many items were deleted
 * @param bucketSize how many items a bucket has room for
 * @param expansion how many times larger each next part is
 * @param maxIterations attempts to make room before it grows
 */
public record CuckooInfo(long size, long buckets, long filters, long inserted, long deleted, long bucketSize,
        long expansion, long maxIterations) {
    static CuckooInfo read(ReplyReader in) {
        long size = 0;
        long buckets = 0;
        long filters = 0;
        long inserted = 0;
        long deleted = 0;
        long bucketSize = 0;
        long expansion = 0;
        long maxIterations = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "Size" -> size = in.readLong();
                case "Number of buckets" -> buckets = in.readLong();
                case "Number of filters" -> filters = in.readLong();
                case "Number of items inserted" -> inserted = in.readLong();
                case "Number of items deleted" -> deleted = in.readLong();
                case "Bucket size" -> bucketSize = in.readLong();
                case "Expansion rate" -> expansion = in.readLong();
                case "Max iterations" -> maxIterations = in.readLong();
                default -> in.skip();
            }
        }
        return new CuckooInfo(size, buckets, filters, inserted, deleted, bucketSize, expansion, maxIterations);
    }
}
