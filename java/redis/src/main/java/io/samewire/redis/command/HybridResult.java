package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Map;

/**
 * What {@code FT.HYBRID} found.
 *
 * @param total how many documents were found
 * @param rows some of them, the best first, each a map of names and values: {@code __key} and {@code __score}, or what
 *     was loaded; a value that is null is not there
 * @param milliseconds how long the server took
 * @param warnings what the server warns of: results that are not complete, say
 */
public record HybridResult(long total, List<Map<String, RowValue>> rows, double milliseconds, List<String> warnings) {
    static HybridResult read(ReplyReader in) {
        long total = 0;
        double milliseconds = 0;
        List<Map<String, RowValue>> rows = null;
        List<String> warnings = List.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "total_results" -> total = in.readLong();
                case "results" -> rows = Replies.list(in, row -> FoundDocument.fields(row, RowValue::read));
                case "execution_time" -> milliseconds = in.readDouble();
                case "warning", "warnings" -> warnings = Replies.list(in, Text.LENIENT);
                default -> in.skip();
            }
        }
        if (rows == null) {
            throw Replies.mismatch("results", "a map without them");
        }
        return new HybridResult(total, rows, milliseconds, warnings);
    }
}
