package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/**
 * Where in a reply a reader stands: which element is next, which aggregates are open around it, and what they may still
 * take. It walks over elements without making values of them.
 */
abstract class ReplyCursor {
    static final byte[] NOTHING = {};
    private static final int INITIAL_LEVELS = 8;

    final Head head = new Head();
    byte[] buffer = NOTHING;
    int from;
    /** As much as may be read: no more than {@code frameBytes}. */
    int to;
    int at;
    /** Elements to come of the innermost aggregate; of the reply itself, 1 before it is read. */
    int left;
    /** The text that was looked at last: where it stands, and where the cursor goes behind it. */
    int textStart;
    int textEnd;

    private final Budget budget;
    private int level;
    /** By open aggregate, from 1 on: what was left of the one around it, its elements, and its type. */
    private int[] outer = new int[INITIAL_LEVELS];
    private int[] counts = new int[INITIAL_LEVELS];
    private byte[] kinds = new byte[INITIAL_LEVELS];
    /** Whether {@code .} comes behind its elements. */
    private boolean[] closed = new boolean[INITIAL_LEVELS];

    ReplyCursor(Limits limits) {
        budget = new Budget(limits);
    }

    /** Goes to the start of a reply at {@code bytes[start]}; bytes before {@code end} may be read. */
    final void start(byte[] bytes, int start, int end) {
        // The same one nearly always: see Head for what storing a reference costs.
        if (buffer != bytes) {
            buffer = bytes;
        }
        from = start;
        at = start;
        to = end - start > budget.frameBytes ? start + budget.frameBytes : end;
        left = 1;
        level = 0;
        budget.reset();
    }

    /** Looks at the head of the next element, behind its attributes. */
    final void look() {
        while (peek() == '|') {
            passAttribute();
        }
    }

    /** Looks at the next head, which may be an attribute's, and returns its type byte. */
    final byte peek() {
        if (left == 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "the reply has no more elements");
        }
        head.searched = 0;
        seen(head.read(buffer, at, to));
        return head.type;
    }

    final void passAttribute() {
        int base = level;
        step();
        while (level > base) {
            step();
        }
    }

    private void seen(int look) {
        if (look == Head.MORE) {
            throw lacking((long) to + 1);
        } else if (look == Head.WRONG) {
            throw wire(head.fault);
        }
    }

    /** Goes behind an element that ends at {@code next}. */
    final void pass(int next) {
        at = next;
        if (--left == 0 && level > 0) {
            leave();
        }
    }

    /** Leaves the aggregates whose elements are over. */
    private void leave() {
        while (left == 0 && level > 0) {
            if (closed[level]) {
                if (counts[level] < 0) {
                    // Not counted: another entry may come.
                    return;
                }
                head.searched = 0;
                seen(head.close(buffer, at, to));
                at = head.after;
            }
            left = outer[level--];
        }
    }

    /** Enters the aggregate whose head was looked at, of so many elements. */
    private void enter(byte type, int elements, boolean streamed, int after) {
        // An attribute is not an element of what is around it.
        int rest = type == '|' ? left : left - 1;
        at = after;
        if (++level == outer.length) {
            outer = Arrays.copyOf(outer, level * 2);
            counts = Arrays.copyOf(counts, level * 2);
            kinds = Arrays.copyOf(kinds, level * 2);
            closed = Arrays.copyOf(closed, level * 2);
        }
        outer[level] = rest;
        counts[level] = elements;
        kinds[level] = type;
        closed[level] = streamed;
        left = Math.max(elements, 0);
    }

    private void check(Code exceeded) {
        if (exceeded != null) {
            throw wire(exceeded);
        }
    }

    /** Judges the aggregate whose head was looked at and returns its elements. */
    private int judge(long entries) {
        boolean pairs = ReplyScanner.pairs(head.type);
        if (head.type == '>' && level > 0) {
            throw wire(Code.MALFORMED);
        }
        check(budget.enter(level + 1, pairs, entries));
        long elements = pairs ? entries * 2 : entries;
        check(budget.reach(elements * Budget.LEAST_ELEMENT + head.after - from));
        // Nothing is to be made for elements that cannot be there, those of all open aggregates together.
        long owed = elements + left - 1;
        for (int i = level; i > 0; i--) {
            owed += outer[i];
        }
        if (owed * Budget.LEAST_ELEMENT > to - head.after) {
            throw IncompleteReplyException.INSTANCE;
        }
        return (int) elements;
    }

    /** Begins the aggregate whose head was looked at and returns its elements. */
    final int begin() {
        boolean streamed = head.form == Head.OPEN;
        byte type = head.type;
        int after = head.after;
        long entries = streamed ? count() : head.number;
        head.type = type;
        head.after = after;
        int elements = judge(entries);
        enter(type, elements, streamed, after);
        if (elements == 0) {
            leave();
        }
        return elements;
    }

    /** Counts the entries of an aggregate without a count, and leaves the cursor where it was. */
    private int count() {
        int start = at;
        int before = left;
        int base = level;
        long items = budget.items();
        long cells = budget.cells();
        int entries = 0;
        step();
        while (level > base) {
            if (level == base + 1 && left == 0 && !atEnd()) {
                entries++;
            }
            step();
        }
        at = start;
        left = before;
        level = base;
        budget.restore(items, cells);
        return entries;
    }

    /** Whether the aggregate without a count that the cursor is in ends here. */
    private boolean atEnd() {
        if (at >= to) {
            throw lacking((long) to + 1);
        }
        return buffer[at] == '.';
    }

    /** Passes over one head, and the text or line behind it. */
    private void step() {
        if (left == 0 && level > 0) {
            boolean pairs = ReplyScanner.pairs(kinds[level]);
            if (atEnd()) {
                head.searched = 0;
                seen(head.close(buffer, at, to));
                at = head.after;
                left = outer[level--];
                leave();
                return;
            }
            check(budget.entry(pairs));
            left = pairs ? 2 : 1;
        }
        head.searched = 0;
        seen(head.read(buffer, at, to));
        switch (head.form) {
            case Head.LINE -> pass(head.after);
            case Head.TEXT -> {
                body(head.type == '=' ? 4 : 0);
                pass(textEnd);
            }
            case Head.STREAM -> {
                int first = at;
                for (at = head.after; chunk(); at = textEnd) {
                    continue;
                }
                at = first;
                pass(textEnd);
            }
            case Head.COUNTED -> {
                int elements = judge(head.number);
                enter(head.type, elements, false, head.after);
                if (elements == 0) {
                    leave();
                }
            }
            default -> {
                judge(0);
                enter(head.type, -1, true, head.after);
            }
        }
    }

    /** Passes over plain elements of the innermost aggregate, at most so many, and returns whether there was one. */
    final boolean plain(int most) {
        long passed = PlainElements.pass(buffer, at, to, most);
        int count = (int) (passed >>> Integer.SIZE);
        if (count == 0) {
            return false;
        }
        // The last of them is passed as any element is.
        left -= count - 1;
        pass((int) passed);
        return true;
    }

    /** Passes over the next element, of any kind, with all that it contains. */
    final void walk() {
        if (left > 0 && plain(1)) {
            return;
        }
        look();
        int base = level;
        step();
        while (level > base) {
            if (!plain(left)) {
                step();
            }
        }
    }

    /** Finds a text behind its length, of whose bytes the first {@code format} are not part of it. */
    final int body(int format) {
        long end = head.after + head.number;
        if (end + 2 > to) {
            throw lacking(end + 2);
        }
        int stop = (int) end;
        if (buffer[stop] != '\r' || buffer[stop + 1] != '\n'
            || format > 0 && (head.number < format || buffer[head.after + format - 1] != ':')) {
            throw wire(Code.MALFORMED);
        }
        textStart = head.after + format;
        textEnd = stop + 2;
        return stop - textStart;
    }

    /** Finds the chunk at the cursor, and returns whether it is not the last one, which is empty. */
    final boolean chunk() {
        head.searched = 0;
        seen(head.chunk(buffer, at, to));
        if (head.number == 0) {
            textEnd = head.after;
            return false;
        }
        body(0);
        return true;
    }

    private SamewireException wire(Code code) {
        return WireErrors.error(code, at - from, path());
    }

    /** For an element that cannot end before {@code end}, which is beyond what there is. */
    private RuntimeException lacking(long end) {
        Code exceeded = budget.reach(end - from);
        return exceeded == null ? IncompleteReplyException.INSTANCE : wire(exceeded);
    }

    /** Returns the path of the next element. */
    final String path() {
        StringBuilder path = new StringBuilder(Path.ROOT);
        for (int i = 1; i <= level; i++) {
            int rest = i == level ? left : outer[i + 1] + (kinds[i + 1] == '|' ? 0 : 1);
            int index = Math.max(counts[i], 0) - rest;
            boolean pairs = kinds[i] == '%';
            path.append(!pairs ? Path.element(index) : (index & 1) == 0 ? Path.key(index / 2) : Path.value(index / 2));
        }
        return path.toString();
    }
}
