package io.samewire.bridge.session;

import java.util.Map;

/**
 * Objects that the peer refers to, by number and by identity. An entry exists while its count is above 0.
 *
 * <p>Changes are made under the lock. A number is looked up without it: entries are immutable except for their count,
 * so an entry with the right number has the right object. A miss, which may be due to entries being moved, is repeated
 * under the lock.
 */
final class Exports {
    private static final int FIRST = 64;

    private static final class Entry {
        final Object object;
        final long number;
        final int hash;
        long count;

        Entry(Object object, long number, int hash) {
            this.object = object;
            this.number = number;
            this.hash = hash;
        }
    }

    /** Open addressing, at most half full, in both: the same entries by number and by identity. */
    private volatile Entry[] byNumber = new Entry[FIRST];
    private Entry[] byIdentity = new Entry[FIRST];
    private int size;
    private long last;

    private static int mix(long number) {
        long mixed = number * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32);
    }

    private static int mixHash(int hash) {
        return hash * 0x9e3779b9 >>> 7;
    }

    /** Adds 1 to the count of an object, and returns its number. */
    synchronized long export(Object object) {
        int hash = mixHash(System.identityHashCode(object));
        Entry[] table = byIdentity;
        int mask = table.length - 1;
        int i = hash & mask;
        for (Entry entry = table[i]; entry != null; entry = table[i]) {
            if (entry.object == object) {
                entry.count++;
                return entry.number;
            }
            i = i + 1 & mask;
        }
        Entry entry = new Entry(object, ++last, hash);
        entry.count = 1;
        table[i] = entry;
        insertNumber(byNumber, entry);
        if (++size * 2 > table.length) {
            resize(table.length * 2);
        }
        return entry.number;
    }

    private static void insertNumber(Entry[] table, Entry entry) {
        int mask = table.length - 1;
        int i = mix(entry.number) & mask;
        while (table[i] != null) {
            i = i + 1 & mask;
        }
        table[i] = entry;
    }

    private void resize(int length) {
        Entry[] numbers = new Entry[length];
        Entry[] identities = new Entry[length];
        int mask = length - 1;
        for (Entry entry : byIdentity) {
            if (entry != null) {
                insertNumber(numbers, entry);
                int i = entry.hash & mask;
                while (identities[i] != null) {
                    i = i + 1 & mask;
                }
                identities[i] = entry;
            }
        }
        byIdentity = identities;
        byNumber = numbers;
    }

    /** Returns the object of a number, or null if it is not exported. */
    Object get(long number) {
        Object object = find(byNumber, number);
        if (object == null) {
            synchronized (this) {
                object = find(byNumber, number);
            }
        }
        return object;
    }

    private static Object find(Entry[] table, long number) {
        int mask = table.length - 1;
        int i = mix(number) & mask;
        // Bounded: while entries are moved, a reader without the lock might see a table without a gap.
        for (int steps = 0; steps <= mask; steps++) {
            Entry entry = table[i];
            if (entry == null) {
                return null;
            }
            if (entry.number == number) {
                return entry.object;
            }
            i = i + 1 & mask;
        }
        return null;
    }

    /** Subtracts from the count of a number. Returns false if the count is lower, or the number is not exported. */
    synchronized boolean release(long number, long count) {
        Entry[] table = byNumber;
        int mask = table.length - 1;
        int i = mix(number) & mask;
        while (table[i] != null && table[i].number != number) {
            i = i + 1 & mask;
        }
        Entry entry = table[i];
        if (entry == null || count < 1 || entry.count < count) {
            return false;
        }
        entry.count -= count;
        if (entry.count == 0) {
            remove(entry, i);
        }
        return true;
    }

    private void remove(Entry entry, int numberIndex) {
        int mask = byIdentity.length - 1;
        int i = entry.hash & mask;
        while (byIdentity[i] != entry) {
            i = i + 1 & mask;
        }
        close(byIdentity, i, false);
        close(byNumber, numberIndex, true);
        size--;
        if (byIdentity.length > FIRST && size * 8 < byIdentity.length) {
            resize(byIdentity.length / 2);
        }
    }

    /** Empties a slot, and moves the following entries that would not be found beyond the gap. */
    private static void close(Entry[] table, int place, boolean numbers) {
        int mask = table.length - 1;
        int gap = place;
        for (int i = gap + 1 & mask; table[i] != null; i = i + 1 & mask) {
            int home = (numbers ? mix(table[i].number) : table[i].hash) & mask;
            if ((i - home & mask) >= (i - gap & mask)) {
                table[gap] = table[i];
                gap = i;
            }
        }
        table[gap] = null;
    }

    /** Adds the objects to a map, under a prefix and their numbers. */
    synchronized void copyTo(Map<String, Object> map, String prefix) {
        for (Entry entry : byIdentity) {
            if (entry != null) {
                map.put(prefix + entry.number, entry.object);
            }
        }
    }

    synchronized int size() {
        return size;
    }

    synchronized void clear() {
        byNumber = new Entry[FIRST];
        byIdentity = new Entry[FIRST];
        size = 0;
    }
}
