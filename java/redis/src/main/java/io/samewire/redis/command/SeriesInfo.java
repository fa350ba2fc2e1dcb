package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the server knows of a time series.
 *
 * @param totalSamples how many samples it has
 * @param memoryUsage its bytes
 * @param firstTimestamp the time of the first sample in milliseconds since 1970, 0 if there is none
 * @param lastTimestamp the time of the last sample, 0 if there is none
 * @param retention the age at which samples are dropped; 0 for never
 * @param chunkCount how many chunks it has
 * @param chunkSize bytes of a chunk
 * @param chunkType {@code compressed} or {@code uncompressed}
 * @param duplicatePolicy what becomes of samples at one time; empty for the server's choice
 * @param labels its labels
 * @param sourceKey the series whose aggregates it keeps, empty if there is none
 * @param rules which series keep its aggregates
 * @param ignoredTime a sample is ignored that is so near to the last one, with {@code ignoredDifference}
 * @param ignoredDifference the same of the value
 */
public record SeriesInfo(long totalSamples, long memoryUsage, long firstTimestamp, long lastTimestamp,
        Duration retention, long chunkCount, long chunkSize, String chunkType, Optional<String> duplicatePolicy,
        Map<String, String> labels, Optional<String> sourceKey, List<Rule> rules, Duration ignoredTime,
        double ignoredDifference) {
    /**
     * A rule that keeps the aggregates of buckets in another series.
     *
     * @param destination the key of that series
     * @param bucket the time of a bucket
     * @param aggregator what becomes of a bucket's samples, as the server names it
     * @param align a time at which a bucket begins, in milliseconds since 1970
     */
    public record Rule(String destination, Duration bucket, String aggregator, long align) { }

    static SeriesInfo read(ReplyReader in) {
        long[] numbers = new long[6];
        Duration retention = Duration.ZERO;
        String chunkType = "";
        Optional<String> duplicatePolicy = Optional.empty();
        Map<String, String> labels = Map.of();
        Optional<String> sourceKey = Optional.empty();
        List<Rule> rules = List.of();
        Duration ignoredTime = Duration.ZERO;
        double ignoredDifference = 0;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "totalSamples" -> numbers[0] = in.readLong();
                case "memoryUsage" -> numbers[1] = in.readLong();
                case "firstTimestamp" -> numbers[2] = in.readLong();
                case "lastTimestamp" -> numbers[3] = in.readLong();
                case "retentionTime" -> retention = Duration.ofMillis(in.readLong());
                case "chunkCount" -> numbers[4] = in.readLong();
                case "chunkSize" -> numbers[5] = in.readLong();
                case "chunkType" -> chunkType = Replies.text(in, "compressed or uncompressed");
                case "duplicatePolicy" -> duplicatePolicy = Replies.optional(in, Text.STRING);
                case "labels" -> labels = TextPairs.read(in);
                case "sourceKey" -> sourceKey = Replies.optional(in, Text.STRING);
                case "rules" -> rules = rules(in);
                case "ignoreMaxTimeDiff" -> ignoredTime = Duration.ofMillis(in.readLong());
                case "ignoreMaxValDiff" -> ignoredDifference = in.readDouble();
                default -> in.skip();
            }
        }
        return new SeriesInfo(numbers[0], numbers[1], numbers[2], numbers[3], retention, numbers[4], numbers[5],
            chunkType, duplicatePolicy, labels, sourceKey, rules, ignoredTime, ignoredDifference);
    }

    /** By destination; RESP2 sends arrays that begin with it. */
    private static List<Rule> rules(ReplyReader in) {
        boolean map = in.type() == ReplyType.MAP;
        List<Rule> found = new ArrayList<>();
        for (int i = map ? in.beginMap() : in.beginArray(); i > 0; i--) {
            String destination = map ? Replies.text(in, "a key") : null;
            int known = map ? 3 : 4;
            int count = Replies.begin(in, known - 1);
            destination = map ? destination : Replies.text(in, "a key");
            Duration bucket = Duration.ofMillis(in.readLong());
            String aggregator = in.readString();
            // Servers older than 1.8 align nothing.
            long align = count < known ? 0 : in.readLong();
            Replies.end(in, count, known);
            found.add(new Rule(destination, bucket, aggregator, align));
        }
        return found;
    }
}
