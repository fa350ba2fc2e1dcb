package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.List;
import java.util.Objects;

/**
 * A value in a row of an aggregation: a text, or the list that {@code TOLIST} and {@code RANDOM_SAMPLE} make.
 *
 * @param items the text alone, or the items of the list; an item that is null is not there
 * @param isList whether it is a list
 */
public record RowValue(List<Bytes> items, boolean isList) {
    static RowValue read(ReplyReader in) {
        if (in.type() == ReplyType.ARRAY || in.type() == ReplyType.SET) {
            List<Bytes> items = Replies.list(in, Text.BINARY);
            items.removeIf(Objects::isNull);
            return new RowValue(items, true);
        }
        return new RowValue(List.of(Text.BINARY.read(in)), false);
    }

    /**
     * Returns the text.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} for a list, {@code bad_utf8} if it is not valid UTF-8
     */
    public String text() {
        if (isList) {
            throw Words.misuse("expected a text, found a list of " + items.size() + ": take texts()");
        }
        return items.get(0).text();
    }

    /** Returns the items of a list, or the text alone. */
    public List<String> texts() {
        return items.stream().map(Bytes::text).toList();
    }

    /**
     * Returns the number that the text is, which may be {@code nan}, {@code inf} or {@code -inf}.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is none
     */
    public double number() {
        String text = text();
        try {
            return switch (text) {
                case "nan", "-nan" -> Double.NaN;
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException none) {
            throw Words.misuse("expected a number, found '" + text + "': take text()");
        }
    }
}
