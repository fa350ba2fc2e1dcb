package acceptance;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Watches objects that only Python may hold, and drops those that only Java holds. */
public final class Kept {
    private static final List<WeakReference<Object>> WATCHED = new ArrayList<>();

    private Kept() {
    }

    /** A new object of some weight that nothing in Java holds. */
    public static synchronized Object make() {
        Object made = new byte[1024][];
        WATCHED.add(new WeakReference<>(made));
        return made;
    }

    public static synchronized void watch(Object object) {
        WATCHED.add(new WeakReference<>(object));
    }

    /** How many of the watched objects live after a collection. */
    public static synchronized int alive() {
        System.gc();
        int alive = 0;
        for (WeakReference<Object> reference : WATCHED) {
            alive += reference.get() == null ? 0 : 1;
        }
        return alive;
    }

    public static synchronized void forget() {
        WATCHED.clear();
    }

    /** A collection without a look. */
    public static void collect() {
        System.gc();
    }
}
