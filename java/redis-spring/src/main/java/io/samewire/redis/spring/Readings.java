package io.samewire.redis.spring;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.springframework.data.redis.connection.zset.Tuple;

/** Reads replies as what Spring's interfaces return, of RESP2 and of RESP3: a null of the server is a null. */
final class Readings {
    static final Reading<byte[]> BYTES = Readings::bytes;
    static final Reading<String> STRING = ReplyReader::readLenientString;
    static final Reading<Long> LONG = in -> isNull(in) ? null : Long.valueOf(in.readLong());
    static final Reading<Double> DOUBLE = in -> isNull(in) ? null : Double.valueOf(in.readDouble());
    /** An integer, of which 1 says yes. */
    static final Reading<Boolean> YES = in -> isNull(in) ? null : Boolean.valueOf(in.readLong() == 1);
    /** OK, or a null for no. */
    static final Reading<Boolean> OK = in -> isNull(in) ? Boolean.FALSE : Boolean.valueOf("OK".equals(in.readString()));
    static final Reading<Void> NOTHING = in -> {
        failure(in);
        in.skip();
        return null;
    };
    static final Reading<List<byte[]>> BYTES_LIST = list(BYTES);
    static final Reading<List<String>> STRINGS = list(STRING);
    static final Reading<List<Long>> LONGS = list(LONG);
    static final Reading<List<Double>> DOUBLES = list(DOUBLE);
    static final Reading<List<Boolean>> YESES = list(YES);
    static final Reading<Set<byte[]>> BYTES_SET = in -> collection(in, BYTES, LinkedHashSet::new);
    static final Reading<Map<byte[], byte[]>> BYTES_MAP = Readings::map;
    static final Reading<List<Map.Entry<byte[], byte[]>>> ENTRIES =
        pairs(in -> new SimpleImmutableEntry<>(bytes(in), bytes(in)));
    static final Reading<List<Tuple>> TUPLES = pairs(in -> Tuple.of(bytes(in), in.readDouble()));
    static final Reading<Set<Tuple>> TUPLE_SET = in -> {
        List<Tuple> found = TUPLES.read(in);
        return found == null ? null : new LinkedHashSet<>(found);
    };
    /** Whatever it is: bytes, numbers, and lists of these. */
    static final Reading<Object> ANY = in -> {
        failure(in);
        return any(in);
    };

    private Readings() { }

    /** Passes over a null, and says whether there was one. */
    static boolean isNull(ReplyReader in) {
        boolean none = in.isNil();
        if (none) {
            in.skip();
        }
        return none;
    }

    /** Throws an error of the server, which {@link ReplyReader#skip} would pass over. */
    static void failure(ReplyReader in) {
        if (in.type() == ReplyType.ERROR) {
            throw in.readError();
        }
    }

    /** Reads an array of at least so many elements, and passes over those that a newer server has behind them. */
    static <T> T array(ReplyReader in, int known, Reading<T> elements) {
        int count = in.beginArray();
        if (count < known) {
            throw mismatch("an array of " + known + " elements", count < 0 ? "null" : "one of " + count);
        }
        T found = elements.read(in);
        for (int i = known; i < count; i++) {
            in.skip();
        }
        return found;
    }

    private static SamewireException mismatch(String expected, String came) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, "expected " + expected + ", the server replied "
            + came);
    }

    /** Fails with {@code type_mismatch} whatever a reading fails with that is not the program's fault. */
    static <T> Reading<T> checked(String name, Reading<T> reading) {
        return in -> {
            try {
                return reading.read(in);
            } catch (RuntimeException failed) {
                if (failed instanceof SamewireException known && known.code() != Code.MISUSE) {
                    throw failed;
                }
                throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "expected a reply to " + name
                    + ", the server's is none: " + failed.getMessage(), failed);
            }
        };
    }

    static byte[] bytes(ReplyReader in) {
        return in.readBytes();
    }

    static <T> Reading<List<T>> list(Reading<T> element) {
        return in -> collection(in, element, ArrayList::new);
    }

    /** An array of one element at most: the element, or null. */
    static <T> Reading<T> first(Reading<? extends Collection<T>> elements) {
        return in -> {
            Collection<T> found = elements.read(in);
            return found == null || found.isEmpty() ? null : found.iterator().next();
        };
    }

    /** A reading that returns {@code other} in place of null. */
    static <T> Reading<T> or(Reading<T> reading, T other) {
        return in -> {
            T found = reading.read(in);
            return found == null ? other : found;
        };
    }

    private static <T, C extends Collection<T>> C collection(ReplyReader in, Reading<T> element, IntFunction<C> made) {
        int count = in.beginArray();
        if (count < 0) {
            return null;
        }
        C found = made.apply(count);
        for (int i = 0; i < count; i++) {
            found.add(element.read(in));
        }
        return found;
    }

    /** Pairs: arrays of two in RESP3, in turn in RESP2. */
    private static <T> Reading<List<T>> pairs(Reading<T> pair) {
        return in -> {
            boolean map = in.type() == ReplyType.MAP;
            int count = in.beginArray();
            if (count < 0) {
                return null;
            }
            List<T> found = new ArrayList<>(count);
            boolean nested = count > 0 && !map && in.type() == ReplyType.ARRAY;
            if (!nested && (count & 1) != 0) {
                throw mismatch("pairs", "an array of " + count);
            }
            for (int i = 0; i < count; i += nested ? 1 : 2) {
                found.add(nested ? array(in, 2, pair) : pair.read(in));
            }
            return found;
        };
    }

    private static Map<byte[], byte[]> map(ReplyReader in) {
        int count = in.beginMap();
        if (count < 0) {
            return null;
        }
        Map<byte[], byte[]> found = new LinkedHashMap<>(count * 2);
        for (int i = 0; i < count; i++) {
            found.put(bytes(in), bytes(in));
        }
        return found;
    }

    private static Object any(ReplyReader in) {
        return switch (in.type()) {
            case NULL -> {
                in.skip();
                yield null;
            }
            case INTEGER -> in.readLong();
            case DOUBLE -> in.readDouble();
            case BOOLEAN -> in.readBoolean();
            case BIG_NUMBER -> in.readBigInteger();
            case SIMPLE, BULK, VERBATIM -> in.readBytes();
            case ERROR -> Failures.translate(in.readError());
            default -> {
                int count = in.beginArray();
                List<Object> found = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    found.add(any(in));
                }
                yield found;
            }
        };
    }
}
