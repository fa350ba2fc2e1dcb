package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/** The classes of a session, by number from 1 ({@code spec/bridge.md} section 9). Thread-safe. */
public final class Classes {
    private static final int FIRST = 64;

    private static final class Entry {
        final Class<?> type;
        final int number;

        Entry(Class<?> type, int number) {
            this.type = type;
            this.number = number;
        }
    }

    private final Policy policy;
    /** Open addressing, at most half full. Entries are immutable and never removed, so it is read without the lock. */
    private volatile Entry[] table = new Entry[FIRST];
    private volatile Class<?>[] byNumber = new Class<?>[FIRST];
    private int size;

    Classes(Policy policy) {
        this.policy = policy;
    }

    /**
     * Returns the number of a class, a new one the first time.
     *
     * @throws SamewireException {@code unsupported} if the policy denies the class
     */
    public int number(Class<?> type) {
        Entry entry = find(table, type);
        return entry != null ? entry.number : add(type);
    }

    private static Entry find(Entry[] table, Class<?> type) {
        int mask = table.length - 1;
        int i = System.identityHashCode(type) & mask;
        Entry entry = table[i];
        while (entry != null && entry.type != type) {
            i = i + 1 & mask;
            entry = table[i];
        }
        return entry;
    }

    private int add(Class<?> type) {
        // Checked outside of the lock, which protects only the table.
        policy.check(type);
        synchronized (this) {
            Entry entry = find(table, type);
            if (entry != null) {
                return entry.number;
            }
            entry = new Entry(type, ++size);
            if (size == byNumber.length) {
                byNumber = Arrays.copyOf(byNumber, 2 * size);
            }
            byNumber[size] = type;
            Entry[] grown = table;
            if (2 * size > grown.length) {
                grown = new Entry[2 * grown.length];
                for (Entry old : table) {
                    if (old != null) {
                        insert(grown, old);
                    }
                }
            }
            insert(grown, entry);
            table = grown;
            return entry.number;
        }
    }

    private static void insert(Entry[] table, Entry entry) {
        int mask = table.length - 1;
        int i = System.identityHashCode(entry.type) & mask;
        while (table[i] != null) {
            i = i + 1 & mask;
        }
        table[i] = entry;
    }

    /**
     * Returns the class of a number.
     *
     * @throws SamewireException {@code misuse} if there is none
     */
    public Class<?> get(long number) {
        Class<?>[] known = byNumber;
        Class<?> type = number > 0 && number < known.length ? known[(int) number] : null;
        if (type == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "this session has no class of the number " + number);
        }
        return type;
    }
}
