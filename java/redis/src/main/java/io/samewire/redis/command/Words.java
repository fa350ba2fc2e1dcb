package io.samewire.redis.command;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RequestWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The arguments of commands as they wait to be written. A word is a {@link String} or {@link Bytes}, a {@link Long}, a
 * {@link Double}, a {@link Token}, an array of words, or null for an option that is not there.
 *
 * <p>An array of boxed words, not an object for each argument: {@code GET} takes 48 bytes in all, the key not counted.
 */
final class Words {
    private Words() { }

    /** How many words there are. */
    static int count(Object[] words) {
        int count = 0;
        for (Object word : words) {
            if (word instanceof Object[] inner) {
                count += count(inner);
            } else if (word instanceof Token token) {
                count += token.words;
            } else if (word != null) {
                count++;
            }
        }
        return count;
    }

    /** How many bytes the words take, about: what is no text counts as a short one. */
    static long bytes(Object[] words) {
        long bytes = 0;
        for (Object word : words) {
            if (word instanceof CharSequence text) {
                bytes += text.length();
            } else if (word instanceof Object[] inner) {
                bytes += bytes(inner);
            }
            bytes += 16;
        }
        return bytes;
    }

    static void write(Object[] words, RequestWriter out) {
        for (Object word : words) {
            if (word instanceof String text) {
                out.word(text);
            } else if (word instanceof Bytes bytes) {
                out.word(bytes.array());
            } else if (word instanceof Long number) {
                out.word(number.longValue());
            } else if (word instanceof Token token) {
                token.write(out);
            } else if (word instanceof Object[] inner) {
                write(inner, out);
            } else if (word instanceof Double number) {
                out.word(number.doubleValue());
            }
        }
    }

    /** The words of a name, then those of the arguments, without arrays and gaps. */
    static List<Object> flat(Facts facts, Object[] words) {
        List<Object> found = new ArrayList<>(List.of(facts.name().split(" ")));
        flatten(words, found);
        return found;
    }

    private static void flatten(Object[] words, List<Object> found) {
        for (Object word : words) {
            if (word instanceof Object[] inner) {
                flatten(inner, found);
            } else if (word instanceof Token token) {
                found.addAll(List.of(token.text.split(" ")));
            } else if (word != null) {
                found.add(word);
            }
        }
    }

    /** Words as a text for people. */
    static String shown(Object word) {
        List<Object> found = new ArrayList<>();
        flatten(new Object[] {word}, found);
        return found.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** A copy with another word at a slot, which may lie behind the end. */
    static Object[] with(Object[] words, int slot, Object word) {
        Object[] copy = Arrays.copyOf(words, Math.max(words.length, slot + 1));
        copy[slot] = word;
        return copy;
    }

    /** A copy with more words at a slot, behind those that are there. */
    static Object[] append(Object[] words, int slot, Object more) {
        Object before = slot < words.length ? words[slot] : null;
        return with(words, slot, new Object[] {before, more});
    }

    /** A text as it is kept: what could still change is copied. */
    static Object text(CharSequence text) {
        if (text == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "expected a text, found null: leave an option out, or "
                + "pass an empty text");
        }
        return text instanceof String || text instanceof Bytes ? text : text.toString();
    }

    /** One text and more of them. */
    static Object[] texts(CharSequence first, CharSequence[] more) {
        Object[] found = new Object[more.length + 1];
        found[0] = text(first);
        for (int i = 0; i < more.length; i++) {
            found[i + 1] = text(more[i]);
        }
        return found;
    }

    /** Texts, of which there may be none. */
    static Object[] texts(CharSequence[] texts) {
        Object[] found = new Object[texts.length];
        for (int i = 0; i < texts.length; i++) {
            found[i] = text(texts[i]);
        }
        return found;
    }

    /** Texts, of which there may be none. */
    static Object[] texts(Collection<? extends CharSequence> texts) {
        return texts.stream().map(Words::text).toArray();
    }

    /** At least one text. */
    static Object[] some(Collection<? extends CharSequence> texts, String what) {
        Object[] found = texts(texts);
        if (found.length == 0) {
            throw misuse("expected at least one " + what + ", the collection is empty");
        }
        return found;
    }

    /** One number and more of them. */
    static Object[] numbers(long first, long[] more) {
        Object[] found = new Object[more.length + 1];
        found[0] = first;
        for (int i = 0; i < more.length; i++) {
            found[i + 1] = more[i];
        }
        return found;
    }

    /** One number and more of them. */
    static Object[] numbers(double first, double[] more) {
        Object[] found = new Object[more.length + 1];
        found[0] = first;
        for (int i = 0; i < more.length; i++) {
            found[i + 1] = more[i];
        }
        return found;
    }

    /** Items and what is added to their counts, in turn. */
    static Object[] increments(Map<? extends CharSequence, Long> increments) {
        List<Object> found = new ArrayList<>(2 * increments.size());
        increments.forEach((item, increment) -> {
            found.add(text(item));
            found.add(increment);
        });
        return some(found, "item");
    }

    /** The number of keys, these, and their weights. */
    static Object[] wholeWeights(Map<? extends CharSequence, Long> weights) {
        Object[] keys = some(weights.keySet(), "key");
        return new Object[] {counted(keys), Tokens.WEIGHTS, weights.values().toArray()};
    }

    /** The keys and values of at least one entry, in turn. */
    static Object[] pairs(Map<? extends CharSequence, ? extends CharSequence> map, String what) {
        List<Object> found = new ArrayList<>(2 * map.size());
        map.forEach((key, value) -> {
            found.add(text(key));
            found.add(text(value));
        });
        if (found.isEmpty()) {
            throw misuse("expected at least one " + what + ", the map is empty");
        }
        return found.toArray();
    }

    /** The number of words of an array, then these. */
    static Object[] counted(Object[] words) {
        Object[] found = new Object[words.length + 1];
        found[0] = (long) words.length;
        System.arraycopy(words, 0, found, 1, words.length);
        return found;
    }

    /** The number of words of arrays in an array, then these. */
    static Object[] countedDeep(Object[] words) {
        return new Object[] {(long) count(words), words};
    }

    /** Whether an option without arguments was given. */
    static boolean has(Object[] words, Token option) {
        for (Object word : words) {
            if (word == option) {
                return true;
            }
        }
        return false;
    }

    /** The number of entries, then their keys and values in turn. */
    static Object[] countedPairs(Map<? extends CharSequence, ? extends CharSequence> map, String what) {
        return new Object[] {(long) map.size(), pairs(map, what)};
    }

    /** Scores and members in turn. */
    static Object[] scores(Map<? extends CharSequence, Double> scores) {
        List<Object> found = new ArrayList<>(2 * scores.size());
        scores.forEach((member, score) -> {
            found.add(score);
            found.add(text(member));
        });
        return some(found, "member");
    }

    /** The number of keys, these, and their weights. */
    static Object[] weights(Map<? extends CharSequence, Double> weights) {
        Object[] keys = some(weights.keySet(), "key");
        return new Object[] {counted(keys), Tokens.WEIGHTS, weights.values().toArray()};
    }

    /** Positions and members in turn. */
    static Object[] places(Map<? extends CharSequence, GeoPosition> places) {
        List<Object> found = new ArrayList<>(3 * places.size());
        places.forEach((member, place) -> {
            found.add(place.longitude());
            found.add(place.latitude());
            found.add(text(member));
        });
        return some(found, "member");
    }

    /** The names of streams, then an id for each. */
    static Object[] streams(Map<? extends CharSequence, ? extends CharSequence> streams) {
        return new Object[] {some(streams.keySet(), "stream"), texts(streams.values())};
    }

    /** Indices and elements in turn. */
    static Object[] elements(Map<Long, ? extends CharSequence> elements) {
        List<Object> found = new ArrayList<>(2 * elements.size());
        elements.forEach((index, element) -> {
            found.add(index);
            found.add(text(element));
        });
        return some(found, "element");
    }

    /** The words of several arguments. */
    static <T> Object[] each(Function<T, Object> word, T first, T[] more) {
        return Stream.concat(Stream.of(first), Arrays.stream(more)).map(word).toArray();
    }

    /** The ends of ranges. */
    static Object[] ranges(IndexRange first, IndexRange[] more) {
        return Stream.concat(Stream.of(first), Stream.of(more))
            .flatMap(range -> Stream.of(range.first(), range.last())).toArray();
    }

    private static Object[] some(List<Object> found, String what) {
        if (found.isEmpty()) {
            throw misuse("expected at least one " + what + ", the map is empty");
        }
        return found.toArray();
    }

    /** A duration in seconds, with a fraction if it has one; 0 waits for ever. */
    static Object seconds(Duration duration) {
        notNegative(duration);
        return duration.toNanosPart() == 0 ? (Object) duration.toSeconds() : duration.toNanos() / 1e9;
    }

    /** A duration in milliseconds, rounded up; 0 waits for ever. */
    static Long millis(Duration duration) {
        notNegative(duration);
        return duration.plusNanos(999_999).toMillis();
    }

    /** A duration for an option that has no fraction of a second. */
    static Long wholeSeconds(Duration duration) {
        notNegative(duration);
        if (duration.getNano() != 0) {
            throw misuse("expected whole seconds, found " + duration + ": take the option in milliseconds, like"
                + " Expiration.px or pexpire, where there is one");
        }
        return duration.toSeconds();
    }

    /** The seconds since 1970, rounded up: what expires then does not expire before. */
    static Long unixSeconds(Instant at) {
        return at.getEpochSecond() + (at.getNano() == 0 ? 0 : 1);
    }

    /** The milliseconds since 1970, rounded up. */
    static Long unixMillis(Instant at) {
        return at.plusNanos(999_999).toEpochMilli();
    }

    private static void notNegative(Duration duration) {
        if (duration.isNegative()) {
            throw misuse("expected a duration of at least 0, found " + duration);
        }
    }

    static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }
}
