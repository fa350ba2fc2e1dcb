package io.samewire.pack.wire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The structs of a message that a {@code ref} may name, in order of their numbers. A struct that stood in a field which
 * a resolving reader lacks is kept as a {@link Place} and read at the first reference to it; the structs inside it keep
 * the numbers that they already have.
 */
public final class SharedStructs {
    /** Where a struct begins, and what had been read before it. */
    private record Place(int pos, int latin, int wide, int utf8, int texts, int shared) {}

    /** Where the cursor stood before it went to a {@link Place}. */
    private record Return(Place place, int items, long cells, int unclaimed) {}

    private final List<Object> values = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Deque<Return> returns = new ArrayDeque<>();
    /** How many numbers have been given where the cursor stands; less than the size while something is read again. */
    private int given;

    private static SharedStructs of(Reader in) {
        if (in.shared == null) {
            in.shared = new SharedStructs();
        }
        return in.shared;
    }

    /**
     * The struct that a {@code ref} with that varint stands for; null if it is yet to be read at the cursor, which has
     * then moved to where it stands. In that case {@link #end} must follow.
     */
    public static Object find(Reader in, int number, String name) {
        if (number == 0) {
            return null;
        }
        if (!has(in, number, name)) {
            throw Fault.FAULT;
        }
        SharedStructs all = in.shared;
        Object value = all.values.get(number - 1);
        if (!(value instanceof Place place)) {
            return value;
        }
        all.returns.push(new Return(all.here(in), in.items, in.cells, in.unclaimed));
        all.go(in, place);
        // It counts as deep as if it stood here. Its items and cells were charged when
        // it was skipped, and its counts are known to be true; those of structs that it names are claimed apart.
        in.items = in.mostItems;
        in.cells = Long.MAX_VALUE;
        in.unclaimed = in.end - in.start;
        return null;
    }

    /** Records the struct that was read for a {@code ref} with that varint. Returns it, or the same one read before. */
    public static Object end(Reader in, int number, String name, Object value) {
        SharedStructs all = of(in);
        if (number == 0) {
            return all.add(name, value);
        }
        Return back = all.returns.pop();
        all.go(in, back.place);
        in.items = back.items;
        in.cells = back.cells;
        in.unclaimed = back.unclaimed;
        all.values.set(number - 1, value);
        return value;
    }

    private Object add(String name, Object value) {
        int number = given++;
        if (number == values.size()) {
            values.add(value);
            names.add(name);
        } else if (values.get(number) instanceof Place) {
            values.set(number, value);
        }
        return values.get(number);
    }

    private Place here(Reader in) {
        return new Place(in.pos, in.latin, in.wide, in.utf8, in.textCount, given);
    }

    private void go(Reader in, Place place) {
        in.pos = place.pos;
        in.latin = place.latin;
        in.wide = place.wide;
        in.utf8 = place.utf8;
        in.textCount = place.texts;
        given = place.shared;
    }

    /** Where the struct at the cursor begins, for {@link #end} once it has been skipped. */
    static Object place(Reader in) {
        return of(in).here(in);
    }

    /** Whether {@code number}, from 1, has been given to a struct of that name. */
    static boolean has(Reader in, int number, String name) {
        SharedStructs all = of(in);
        return number > 0 && number <= all.given && all.names.get(number - 1).equals(name);
    }
}
