package io.samewire.pack.bind;

import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import java.lang.invoke.MethodHandle;
import java.util.Collection;
import java.util.Comparator;

/**
 * Scala's sets and maps that are trees. Its hash tables compare a key with each other one of its hash, so that an
 * attacker's 20,000 strings of one hash, 0.7 MB, would cost 8 s. If many keys have one hash, a tree is made.
 */
record ScalaTrees(MethodHandle from, Object ordering) {
    /** Of n keys in n buckets that were not chosen by an attacker, a bucket has a tenth of these. */
    private static final int MOST_IN_BUCKET = 64;
    private static final int GOLDEN = 0x9E3779B9;

    /** Those of a class, or null if the order of its keys may not be that of equality. */
    static ScalaTrees of(Class<?> beside, String name, CompiledType key) {
        if (!(key instanceof CompiledScalar) && !(key instanceof CompiledEnum)
            && !key.raw.getName().equals("scala.math.BigInt")) {
            return null;
        }
        Class<?> tree = ScalaTypes.load(beside, "scala.collection.immutable.Tree" + name);
        Class<?> order = ScalaTypes.load(beside, "scala.math.Ordering");
        Class<?> orders = ScalaTypes.load(beside, "scala.math.Ordering$");
        Object ordering = ScalaTypes.call(ScalaTypes.found(orders, "comparatorToOrdering", order, Comparator.class),
            Access.constant(ScalaTypes.module(orders)), Comparator.naturalOrder());
        Class<?> once = ScalaTypes.load(beside, "scala.collection.IterableOnce");
        Class<?> trees = ScalaTypes.load(beside, tree.getName() + "$");
        return new ScalaTrees(ScalaTypes.found(trees, "from", tree, once, order)
            .bindTo(Access.constant(ScalaTypes.module(trees))), ordering);
    }

    /** The tree of the elements of a collection of Scala's. */
    Object made(Object elements) {
        return ScalaTypes.call(from, elements, ordering);
    }

    /** Whether a hash table of these keys would compare many of them with each other. */
    static boolean collide(Collection<?> keys) {
        if (keys.size() <= MOST_IN_BUCKET) {
            return false;
        }
        int shift = Integer.numberOfLeadingZeros(keys.size() - 1);
        int[] buckets = new int[1 << Integer.SIZE - shift];
        for (Object key : keys) {
            if (++buckets[key.hashCode() * GOLDEN >>> shift] > MOST_IN_BUCKET) {
                return true;
            }
        }
        return false;
    }
}
