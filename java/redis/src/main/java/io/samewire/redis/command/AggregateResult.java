package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Rows of an aggregation.
 *
 * @param total what the server says of the number of rows; it may count those of one part only
 * @param rows the rows, each a map of names and values; a value that is null is not there
 * @param cursor what {@link Search#ftCursorRead} returns more rows for; empty if there are none
 * @param warnings what the server warns of, with RESP3
 */
public record AggregateResult(long total, List<Map<String, RowValue>> rows, OptionalLong cursor,
        List<String> warnings) {
    /** With a cursor an array of the rows and the cursor, which is 0 at the end; else the rows alone. */
    static AggregateResult read(ReplyReader in) {
        if (in.type() == ReplyType.MAP) {
            return readMap(in);
        }
        int count = Replies.begin(in, 1);
        if (in.type() == ReplyType.INTEGER) {
            return readRows(in, count);
        }
        AggregateResult found = in.type() == ReplyType.MAP ? readMap(in) : readRows(in, Replies.begin(in, 1));
        long cursor = count > 1 ? in.readLong() : 0;
        Replies.end(in, count, 2);
        return new AggregateResult(found.total, found.rows,
            cursor == 0 ? OptionalLong.empty() : OptionalLong.of(cursor), found.warnings);
    }

    /** RESP2's array, which has begun: the total, then a row each. */
    private static AggregateResult readRows(ReplyReader in, int count) {
        long total = in.readLong();
        List<Map<String, RowValue>> rows = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            rows.add(FoundDocument.fields(in, RowValue::read));
        }
        return new AggregateResult(total, rows, OptionalLong.empty(), List.of());
    }

    private static AggregateResult readMap(ReplyReader in) {
        long total = 0;
        List<Map<String, RowValue>> rows = null;
        List<String> warnings = List.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "total_results" -> total = in.readLong();
                case "results" -> rows = Replies.list(in, AggregateResult::row);
                case "warning", "warnings" -> warnings = Replies.list(in, Text.LENIENT);
                default -> in.skip();
            }
        }
        if (rows == null) {
            throw Replies.mismatch("results", "a map without them");
        }
        return new AggregateResult(total, rows, OptionalLong.empty(), warnings);
    }

    private static Map<String, RowValue> row(ReplyReader in) {
        Map<String, RowValue> found = Map.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            if (Replies.name(in).equals("extra_attributes")) {
                found = FoundDocument.fields(in, RowValue::read);
            } else {
                in.skip();
            }
        }
        return found;
    }
}
