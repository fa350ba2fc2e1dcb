package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * What the server knows of a t-digest.
 *
 * @param compression its compression
 * @param capacity how many nodes fit
 * @param mergedNodes nodes that are merged
 * @param unmergedNodes nodes that are not
 * @param mergedWeight how many numbers the merged nodes stand for
 * @param unmergedWeight how many the others stand for
 * @param observations how many numbers were added
 * @param totalCompressions how often nodes were merged
 * @param memoryUsage its bytes
 */
public record TDigestInfo(long compression, long capacity, long mergedNodes, long unmergedNodes, long mergedWeight,
        long unmergedWeight, long observations, long totalCompressions, long memoryUsage) {
    static TDigestInfo read(ReplyReader in) {
        long compression = 0;
        long capacity = 0;
        long mergedNodes = 0;
        long unmergedNodes = 0;
        long mergedWeight = 0;
        long unmergedWeight = 0;
        long observations = 0;
        long totalCompressions = 0;
        long memoryUsage = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "Compression" -> compression = in.readLong();
                case "Capacity" -> capacity = in.readLong();
                case "Merged nodes" -> mergedNodes = in.readLong();
                case "Unmerged nodes" -> unmergedNodes = in.readLong();
                case "Merged weight" -> mergedWeight = in.readLong();
                case "Unmerged weight" -> unmergedWeight = in.readLong();
                case "Observations" -> observations = in.readLong();
                case "Total compressions" -> totalCompressions = in.readLong();
                case "Memory usage" -> memoryUsage = in.readLong();
                default -> in.skip();
            }
        }
        return new TDigestInfo(compression, capacity, mergedNodes, unmergedNodes, mergedWeight, unmergedWeight,
            observations, totalCompressions, memoryUsage);
    }
}
