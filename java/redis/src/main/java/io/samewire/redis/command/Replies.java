package io.samewire.redis.command;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
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
        begin(in, 2);
        String cursor = in.readString();
        return new ScanPage<>(cursor, elements.read(in));
    }

    /** Fields and values: in turn, or as RESP3 sends some of them, a pair each. */
    static <K, V> List<Field<K, V>> fields(ReplyReader in, Reading<K> names, Reading<V> values) {
        int count = in.beginArray();
        boolean nested = count > 0 && in.type() == ReplyType.ARRAY;
        List<Field<K, V>> found = new ArrayList<>();
        for (int i = nested ? count : count / 2; i > 0; i--) {
            if (nested) {
                begin(in, 2);
            }
            K name = names.read(in);
            found.add(new Field<>(name, values.read(in)));
        }
        return found;
    }

    /** Members and scores: in turn, or as RESP3 sends some of them, a pair each. */
    static <V> List<ScoredMember<V>> scores(ReplyReader in, Reading<V> members) {
        int count = in.beginArray();
        boolean nested = count > 0 && in.type() == ReplyType.ARRAY;
        List<ScoredMember<V>> found = new ArrayList<>(Math.max(count, 0));
        for (int i = nested ? count : count / 2; i > 0; i--) {
            if (nested) {
                begin(in, 2);
            }
            V member = members.read(in);
            found.add(new ScoredMember<>(member, in.readDouble()));
        }
        return found;
    }

    /** The one member and its score; an empty array for none. */
    static <V> Optional<ScoredMember<V>> scored(ReplyReader in, Reading<V> members) {
        return scores(in, members).stream().findFirst();
    }

    /** Rank and score; null for none. */
    static Optional<RankedScore> ranked(ReplyReader in) {
        if (begin(in, 2) < 0) {
            return Optional.empty();
        }
        long rank = in.readLong();
        return Optional.of(new RankedScore(rank, in.readDouble()));
    }

    /** Begins an array of at least so many elements, or a null: -1. */
    static int begin(ReplyReader in, int least) {
        int count = in.beginArray();
        if (count >= 0 && count < least) {
            throw mismatch("an array of " + least + " elements", "one of " + count);
        }
        return count;
    }

    /** Passes over the elements that a newer server has behind those that are known. */
    static void end(ReplyReader in, int count, int known) {
        for (int i = known; i < count; i++) {
            in.skip();
        }
    }

    static RuntimeException mismatch(String expected, String came) {
        return new io.samewire.core.SamewireException(io.samewire.core.Code.TYPE_MISMATCH, -1, null,
            "expected " + expected + ", the server replied " + came);
    }

    /** A text in which malformed bytes become U+FFFD: what other clients wrote, for people to read. */
    static String lenient(ReplyReader in) {
        return in.readLenientString();
    }

    static Instant seconds(ReplyReader in) {
        return Instant.ofEpochSecond(in.readLong());
    }

    static Instant micros(ReplyReader in) {
        begin(in, 2);
        long seconds = in.readLong();
        return Instant.ofEpochSecond(seconds, in.readLong() * 1_000);
    }

    /** Lines of {@code name:value}; other lines are headings. */
    static Map<String, String> properties(ReplyReader in) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String line : lenient(in).split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.charAt(0) != '#') {
                found.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return found;
    }

    /** The fields of one connection: {@code id=3 addr=127.0.0.1:4711}. */
    static Map<String, String> connection(ReplyReader in) {
        return connection(lenient(in).strip());
    }

    /** The fields of connections, a line each. */
    static List<Map<String, String>> connections(ReplyReader in) {
        return lenient(in).lines().filter(line -> !line.isBlank()).map(Replies::connection).toList();
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
