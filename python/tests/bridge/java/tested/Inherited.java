package tested;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Classes whose members come from generic types, or from types that are not public. */
public final class Inherited {
    private Inherited() {}

    /** Something with a key. */
    public abstract static class Repository<K, V> {
        public abstract V find(K key);

        public String save(K key) {
            return "saved " + key;
        }
    }

    /** Keys of one class: the compiler adds `find(Object)`. */
    public static class Users extends Repository<Long, String> {
        @Override
        public String find(Long key) {
            return "user " + key;
        }

        @Override
        public String save(Long key) {
            return "saved user " + key;
        }
    }

    /** A subclass that adds nothing. */
    public static class Admins extends Users {}

    /** An interface's method with a type argument. */
    public static class Sink implements Consumer<Long>, Comparable<Long> {
        public Long last = 0L;

        @Override
        public void accept(Long value) {
            last = value;
        }

        @Override
        public int compareTo(Long other) {
            return Long.compare(last, other);
        }
    }

    public static Repository<Long, String> repository() {
        return new Admins();
    }

    interface Constants {
        int LIMIT = 7;

        default String said() {
            return "default";
        }
    }

    abstract static class Base {
        public static int count = 3;
        public int field = 5;

        public static String make() {
            return "made";
        }

        public String open() {
            return "open";
        }

        public final String closed() {
            return "closed";
        }

        public String take(Object value) {
            return "Object";
        }
    }

    /** A public class below one that is not. */
    public static class Public extends Base implements Constants {
        public String take(String value) {
            return "String";
        }
    }

    private static class HiddenSink implements Consumer<Long> {
        private long last;

        @Override
        public void accept(Long value) {
            last = value;
        }

        @Override
        public String toString() {
            return "last " + last;
        }
    }

    public static Consumer<Long> hiddenSink() {
        return new HiddenSink();
    }

    static class Hidden extends Base {
        public String own() {
            return "own";
        }
    }

    /** An object whose class and superclass are not accessible. */
    public static Object hidden() {
        return new Hidden();
    }

    /** Maps of one entry, 3 to "three", by the class of the key. */
    public static Map<String, Map<?, String>> maps() {
        Map<String, Map<?, String>> made = new LinkedHashMap<>();
        made.put("Byte", new HashMap<>(Map.of((byte) 3, "three")));
        made.put("Short", new HashMap<>(Map.of((short) 3, "three")));
        made.put("Integer", new HashMap<>(Map.of(3, "three")));
        made.put("Long", new HashMap<>(Map.of(3L, "three")));
        made.put("Float", new HashMap<>(Map.of(3f, "three")));
        made.put("Double", new HashMap<>(Map.of(3d, "three")));
        made.put("BigInteger", new HashMap<>(Map.of(java.math.BigInteger.valueOf(3), "three")));
        made.put("sorted Long", new TreeMap<>(Map.of(3L, "three")));
        made.put("sorted Short", new TreeMap<>(Map.of((short) 3, "three")));
        return made;
    }

    public static Map<Character, Integer> letters() {
        return new TreeMap<>(Map.of('a', 1, 'b', 2));
    }

    /** The classes of a map's keys. */
    public static String classes(Map<?, ?> map) {
        StringBuilder text = new StringBuilder();
        for (Object key : map.keySet()) {
            text.append(key.getClass().getSimpleName()).append(' ');
        }
        return text.toString().trim();
    }
}
