package io.samewire.redis.command;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Reads replies, and parts of them. Each method takes what RESP2 and what RESP3 send for the same command. */
final class Replies {
    private static final byte[] OK = {'O', 'K'};
    private static final int MOST_SHOWN = 100;

    private Replies() { }

    /** A whole reply of any type. An error is thrown here; inside an array it is a value. */
    static Reply untyped(ReplyReader in) {
        if (in.type() == ReplyType.ERROR) {
            throw in.readError();
        }
        return in.readReply();
    }

    /** Whether the status is OK; a null says no. */
    static boolean isOk(ReplyReader in) {
        if (in.isNil()) {
            in.skip();
            return false;
        } else if (!in.readMatches(OK)) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "expected OK or null, found another status: is "
                + "the connection inside a transaction that the program began by itself?");
        }
        return true;
    }

    /** A status. An error is thrown; there is nothing else to tell. */
    static Void ok(ReplyReader in) {
        in.readMatches(OK);
        return null;
    }

    static <T> Optional<T> optional(ReplyReader in, Reading<T> reading) {
        if (in.isNil()) {
            in.skip();
            return Optional.empty();
        }
        return Optional.of(reading.read(in));
    }

    static OptionalLong optionalLong(ReplyReader in) {
        if (in.isNil()) {
            in.skip();
            return OptionalLong.empty();
        }
        return OptionalLong.of(in.readLong());
    }

    static OptionalDouble optionalDouble(ReplyReader in) {
        if (in.isNil()) {
            in.skip();
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(in.readDouble());
    }

    /** The elements of an array or a set; none for a null. */
    static <T> List<T> list(ReplyReader in, Reading<T> reading) {
        int count = in.beginArray();
        List<T> found = new ArrayList<>(Math.max(count, 0));
        for (int i = 0; i < count; i++) {
            found.add(reading.read(in));
        }
        return found;
    }

    static <T> List<Optional<T>> optionals(ReplyReader in, Reading<T> reading) {
        return list(in, element -> optional(element, reading));
    }

    static <T> Optional<List<T>> optionalList(ReplyReader in, Reading<T> reading) {
        return optional(in, list -> list(list, reading));
    }

    /** The elements of a set, which RESP2 sends as an array, in the order of the reply. */
    static <T> Set<T> set(ReplyReader in, Reading<T> reading) {
        int count = in.beginArray();
        Set<T> found = new LinkedHashSet<>(capacity(count));
        for (int i = 0; i < count; i++) {
            found.add(reading.read(in));
        }
        return found;
    }

    /**
     * The entries of a map, which RESP2 sends as keys and values in turn, in the order of the reply; none for a null.
     */
    static <K, V> Map<K, V> map(ReplyReader in, Reading<K> keys, Reading<V> values) {
        int count = in.beginMap();
        Map<K, V> found = new LinkedHashMap<>(capacity(count));
        for (int i = 0; i < count; i++) {
            K key = keys.read(in);
            found.put(key, values.read(in));
        }
        return found;
    }

    static int capacity(int count) {
        return Math.max(count, 0) * 4 / 3 + 1;
    }

    /** Some of the elements of a collection, and the cursor to go on from. */
    static <T> ScanPage<T> page(ReplyReader in, Reading<List<T>> elements) {
        int count = begin(in, 2);
        String cursor = text(in, "a cursor");
        List<T> found = elements.read(in);
        end(in, count, 2);
        return new ScanPage<>(cursor, found);
    }

    /** Fields and values: in turn, or as RESP3 sends some of them, a pair each. */
    static <K, V> List<Field<K, V>> fields(ReplyReader in, Reading<K> names, Reading<V> values) {
        List<Field<K, V>> found = new ArrayList<>();
        pairs(in, () -> {
            K name = names.read(in);
            found.add(new Field<>(name, values.read(in)));
        });
        return found;
    }

    /** Members and scores: in turn, or as RESP3 sends some of them, a pair each. */
    static <V> List<ScoredMember<V>> scores(ReplyReader in, Reading<V> members) {
        List<ScoredMember<V>> found = new ArrayList<>();
        pairs(in, () -> {
            V member = members.read(in);
            found.add(new ScoredMember<>(member, in.readDouble()));
        });
        return found;
    }

    private static void pairs(ReplyReader in, Runnable pair) {
        int count = in.beginArray();
        boolean nested = count > 0 && in.type() == ReplyType.ARRAY;
        if (!nested && count > 0 && (count & 1) != 0) {
            throw mismatch("pairs", "an array of " + count);
        }
        for (int i = nested ? count : count / 2; i > 0; i--) {
            int elements = nested ? begin(in, 2) : 2;
            pair.run();
            end(in, elements, 2);
        }
    }

    /** The one member and its score; an empty array for none. */
    static <V> Optional<ScoredMember<V>> scored(ReplyReader in, Reading<V> members) {
        return scores(in, members).stream().findFirst();
    }

    /** Rank and score; null for none. */
    static Optional<RankedScore> ranked(ReplyReader in) {
        int count = beginOptional(in, 2);
        if (count < 0) {
            return Optional.empty();
        }
        long rank = in.readLong();
        double score = in.readDouble();
        end(in, count, 2);
        return Optional.of(new RankedScore(rank, score));
    }

    /** Begins an array of at least so many elements. A null is refused: reading on would take what is behind it. */
    static int begin(ReplyReader in, int least) {
        int count = beginOptional(in, least);
        if (count < 0) {
            throw mismatch("an array of " + least + " elements", "null");
        }
        return count;
    }

    /** Begins an array of at least so many elements, or a null: -1. */
    static int beginOptional(ReplyReader in, int least) {
        int count = in.beginArray();
        if (count >= 0 && count < least) {
            throw mismatch("an array of " + least + " elements", "one of " + count);
        }
        return count;
    }

    /** Begins a map, or an array of keys and values in turn. A null is refused. */
    static int beginMap(ReplyReader in) {
        int count = in.beginMap();
        if (count < 0) {
            throw mismatch("a map", "null");
        }
        return count;
    }

    /** The name of an entry of a map. */
    static String name(ReplyReader in) {
        return text(in, "the name of an entry");
    }

    /** A text that is not null. */
    static String text(ReplyReader in, String expected) {
        String text = in.readString();
        if (text == null) {
            throw mismatch(expected, "null");
        }
        return text;
    }

    /** Passes over the elements that a newer server has behind those that are known. */
    static void end(ReplyReader in, int count, int known) {
        for (int i = known; i < count; i++) {
            in.skip();
        }
    }

    /** A reply, or a part of it, that is something else. What came may be long: the message has its beginning. */
    static SamewireException mismatch(String expected, String came) {
        String shown = came.length() <= MOST_SHOWN ? came : came.substring(0, MOST_SHOWN) + "…";
        return new SamewireException(Code.TYPE_MISMATCH, -1, null,
            "expected " + expected + ", the server replied " + shown);
    }

    /** A text in which malformed bytes become U+FFFD: what other clients wrote, for people to read. */
    static String lenient(ReplyReader in) {
        return in.readLenientString();
    }

    static Instant seconds(ReplyReader in) {
        return time(in.readLong(), 0);
    }

    static Instant micros(ReplyReader in) {
        int count = begin(in, 2);
        long seconds = in.readLong();
        long micros = in.readLong();
        end(in, count, 2);
        return time(seconds, micros);
    }

    private static Instant time(long seconds, long micros) {
        try {
            return Instant.ofEpochSecond(seconds, Math.multiplyExact(micros, 1_000));
        } catch (DateTimeException | ArithmeticException beyond) {
            throw mismatch("a time since 1970", seconds + " s and " + micros + " µs");
        }
    }

    private static String lines(ReplyReader in) {
        String text = lenient(in);
        if (text == null) {
            throw mismatch("a text", "null");
        }
        return text;
    }

    /** Lines of {@code name:value}; other lines are headings. */
    static Map<String, String> properties(ReplyReader in) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String line : lines(in).split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.charAt(0) != '#') {
                found.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return found;
    }

    /** The fields of one connection: {@code id=3 addr=127.0.0.1:4711}. */
    static Map<String, String> connection(ReplyReader in) {
        return connection(lines(in).strip());
    }

    /** The fields of connections, a line each. */
    static List<Map<String, String>> connections(ReplyReader in) {
        return lines(in).lines().filter(line -> !line.isBlank()).map(Replies::connection).toList();
    }

    private static Map<String, String> connection(String line) {
        Map<String, String> found = new LinkedHashMap<>();
        String last = null;
        for (String item : line.split(" ")) {
            int equals = item.indexOf('=');
            if (equals > 0) {
                last = item.substring(0, equals);
                found.put(last, item.substring(equals + 1));
            } else if (last != null) {
                found.merge(last, " " + item, String::concat); // The path of a unix socket may have blanks.
            }
        }
        return found;
    }
}
