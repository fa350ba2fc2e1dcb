package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Reads what JSON replies for a path: an array with an element for each match, or one element for a path of the older
 * syntax, which becomes a list of one. RESP3 puts some of the arrays into another one.
 */
final class Matches {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private Matches() { }

    /** An item for each match; {@code item} reads nulls, too. */
    static <T> List<T> list(ReplyReader in, Reading<T> item) {
        List<T> found = new ArrayList<>();
        collect(in, item, found);
        return found;
    }

    private static <T> void collect(ReplyReader in, Reading<T> item, List<T> found) {
        if (in.type() != ReplyType.ARRAY) {
            found.add(item.read(in));
            return;
        }
        for (int i = in.beginArray(); i > 0; i--) {
            collect(in, item, found);
        }
    }

    static <V> List<Optional<V>> texts(ReplyReader in, Reading<V> text) {
        return list(in, element -> Replies.optional(element, text));
    }

    /** Booleans, which are numbers, or the words true and false for a path of the older syntax. */
    static List<Optional<Boolean>> booleans(ReplyReader in) {
        return list(in, element -> Replies.optional(element, Matches::bool));
    }

    private static Boolean bool(ReplyReader in) {
        if (in.type() == ReplyType.INTEGER || in.type() == ReplyType.BOOLEAN) {
            return in.readBoolean();
        }
        String text = in.readString();
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Replies.mismatch("a boolean", "'" + text + "'");
        };
    }

    /**
     * Numbers, which RESP2 sends as a text of JSON: {@code [5.5,null]}, or {@code 4} for a path of the older syntax.
     */
    static List<OptionalDouble> doubles(ReplyReader in) {
        if (in.type() != ReplyType.BULK || in.isNil()) {
            return list(in, Replies::optionalDouble);
        }
        String text = in.readString().strip();
        List<OptionalDouble> found = new ArrayList<>();
        if (text.startsWith("[") && text.endsWith("]")) {
            text = text.substring(1, text.length() - 1);
            if (text.isBlank()) {
                return found;
            }
        }
        // One after the other: a text of commas would be split into as many texts before the first is refused.
        int from = 0;
        for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', from)) {
            found.add(number(text.substring(from, comma).strip()));
            from = comma + 1;
        }
        found.add(number(text.substring(from).strip()));
        return found;
    }

    private static OptionalDouble number(String text) {
        if (text.equals("null")) {
            return OptionalDouble.empty();
        }
        // Java reads more than JSON has: NaN, 1d, 0x1p3.
        double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!Double.isFinite(number)) {
            throw Replies.mismatch("a number of JSON", "'" + text + "'");
        }
        return OptionalDouble.of(number);
    }

    /** The keys of objects: one array of them for a path of the older syntax. */
    static List<Optional<List<String>>> keys(ReplyReader in) {
        List<Optional<List<String>>> found = new ArrayList<>();
        if (in.isNil()) {
            in.skip();
            found.add(Optional.empty());
            return found;
        }
        int count = in.beginArray();
        if (count > 0 && in.type() != ReplyType.ARRAY && !in.isNil()) {
            List<String> names = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                names.add(in.readString());
            }
            found.add(Optional.of(names));
            return found;
        }
        for (int i = 0; i < count; i++) {
            found.add(Replies.optionalList(in, Text.STRING));
        }
        return found;
    }
}
