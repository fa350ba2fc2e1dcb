package io.samewire.redis.spring;

import io.samewire.redis.command.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Range.Bound;
import org.springframework.data.redis.connection.Limit;

/** The bounds of ranges, as the server reads them. */
final class Bounds {
    private Bounds() { }

    static List<Object> scores(Range<? extends Number> range) {
        return List.of(score(range.getLowerBound(), "-inf"), score(range.getUpperBound(), "+inf"));
    }

    /** From the highest on. */
    static List<Object> scoresDescending(Range<? extends Number> range) {
        return List.of(score(range.getUpperBound(), "+inf"), score(range.getLowerBound(), "-inf"));
    }

    private static String score(Bound<? extends Number> bound, String none) {
        Number value = bound.getValue().orElse(null);
        if (value == null) {
            return none;
        }
        String text = value instanceof Double || value instanceof Float ? Arguments.text(value.doubleValue())
            : value.toString();
        return bound.isInclusive() ? text : "(" + text;
    }

    static List<Object> members(Range<byte[]> range) {
        return List.of(member(range.getLowerBound(), "-"), member(range.getUpperBound(), "+"));
    }

    /** From the last on. */
    static List<Object> membersDescending(Range<byte[]> range) {
        return List.of(member(range.getUpperBound(), "+"), member(range.getLowerBound(), "-"));
    }

    private static CharSequence member(Bound<byte[]> bound, String none) {
        byte[] value = bound.getValue().orElse(null);
        if (value == null) {
            return none;
        }
        byte[] word = new byte[value.length + 1];
        word[0] = (byte) (bound.isInclusive() ? '[' : '(');
        System.arraycopy(value, 0, word, 1, value.length);
        return Bytes.wrap(word);
    }

    /** Bounds of a stream's ids. */
    static List<Object> ids(Range<?> range) {
        return List.of(id(range.getLowerBound(), "-"), id(range.getUpperBound(), "+"));
    }

    /** From the newest on. */
    static List<Object> idsDescending(Range<?> range) {
        return List.of(id(range.getUpperBound(), "+"), id(range.getLowerBound(), "-"));
    }

    private static String id(Bound<?> bound, String none) {
        Object value = bound.getValue().orElse(null);
        if (value == null) {
            return none;
        }
        String text = value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
        return bound.isInclusive() || text.equals("-") || text.equals("+") ? text : "(" + text;
    }

    static List<Object> limit(Limit limit) {
        return limit == null || limit.isUnlimited() ? List.of() : List.of("LIMIT", limit.getOffset(), limit.getCount());
    }

    static List<Object> count(Limit limit) {
        return limit == null || limit.isUnlimited() ? List.of() : List.of("COUNT", limit.getCount());
    }
}
