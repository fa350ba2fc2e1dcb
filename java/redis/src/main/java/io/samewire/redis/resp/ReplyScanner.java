package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/**
 * Finds where replies end while their bytes come in. It looks at each byte once, however many pieces they come in,
 * skips the bodies of texts, and keeps one count for each open aggregate. It allocates nothing, except to judge a
 * double of over 15 digits. Not thread-safe.
 */
public final class ReplyScanner {
    private static final int INITIAL_LEVELS = 8;
    private static final long UNCOUNTED = 1L << 62;

    /** What one look at the bytes gave. */
    private enum Progress {
        /** The element is not complete; {@link #missing} bytes at least are missing. */
        SHORT,
        /** A head or a chunk was passed: what it belongs to goes on. */
        INSIDE,
        /** A value is complete. */
        VALUE
    }

    private final Budget budget;
    private final Head head = new Head();
    /**
     * By open aggregate, from 1 on: elements to come; of one without a count, {@link #UNCOUNTED} and those that its
     * entry still needs.
     */
    private long[] left = new long[INITIAL_LEVELS];
    private byte[] kind = new byte[INITIAL_LEVELS];
    private int level;
    /** The type byte that is looked at next, from the start of the reply. */
    private int at;
    private boolean streamed;
    private int missing;
    /** Bytes of replies that are over. */
    private long passed;
    private SamewireException error;

    /** Creates a scanner at the start of a stream, with the default limits. */
    public ReplyScanner() {
        this(Limits.DEFAULT);
    }

    /** Creates a scanner at the start of a stream, of whose limits it uses all but {@code textBytes}. */
    public ReplyScanner(Limits limits) {
        budget = new Budget(limits);
    }

    /**
     * Looks at what has come. {@code buffer[from]} is the first byte of the reply that is being followed; between two
     * calls the bytes may move to another place or array, and more of them may come.
     *
     * @return the length of the reply, which is then complete, and the next one begins; or a negative number: 0 minus
     *     how many bytes are missing at least
     * @throws SamewireException what is wrong with the bytes ({@code spec/redis.md} section 3), at the offset of the
     *     element at fault from the start of the stream. The scanner is then dead: later calls throw the same error
     */
    public int scan(byte[] buffer, int from, int to) {
        if (error != null) {
            throw error;
        }
        int end = (int) Math.min(to, (long) from + budget.frameBytes);
        while (true) {
            Progress step = plain(buffer, from, end) ? Progress.VALUE : step(buffer, from, end);
            if (step == Progress.SHORT) {
                return -missing;
            } else if (step == Progress.VALUE && settle()) {
                int length = at;
                passed += length;
                at = 0;
                budget.reset();
                return length;
            }
        }
    }

    /** Counts so many bytes of replies that were read and not scanned, so that offsets stay those of the stream. */
    public void skip(int length) {
        passed += length;
    }

    /** Returns how many bytes of the stream belong to replies that are over. */
    public long passed() {
        return passed;
    }

    /** Returns whether a part of a reply has been scanned: {@link #scan} has to see the rest of it. */
    public boolean isInside() {
        return at > 0 || head.searched > 0;
    }

    /** Passes over plain elements of the innermost aggregate, and returns whether there was one. */
    private boolean plain(byte[] buffer, int from, int to) {
        if (streamed || head.searched > 0) {
            return false;
        }
        long most = level == 0 ? 1 : left[level] < UNCOUNTED ? left[level] : 0;
        long passed = PlainElements.pass(buffer, from + at, to, (int) most);
        int count = (int) (passed >>> Integer.SIZE);
        if (count == 0) {
            return false;
        }
        at = (int) passed - from;
        // The last of them is counted as any value is.
        left[level] -= count - 1;
        return true;
    }

    private Progress step(byte[] buffer, int from, int to) {
        if (streamed) {
            return chunk(buffer, from, to);
        } else if (level > 0 && left[level] == UNCOUNTED && from + at < to) {
            if (buffer[from + at] == '.') {
                return seen(head.close(buffer, from + at, to), from, to) ? close(head.after - from) : Progress.SHORT;
            }
            // Once its first byte is there.
            check(budget.entry(pairs(kind[level])));
            left[level] = UNCOUNTED + (pairs(kind[level]) ? 2 : 1);
        }
        return element(buffer, from, to);
    }

    static boolean pairs(byte type) {
        return type == '%' || type == '|';
    }

    /** Returns whether a head is there; if not, {@link #missing} is set. */
    private boolean seen(int look, int from, int to) {
        if (look == Head.FOUND) {
            head.searched = 0;
            return true;
        } else if (look == Head.WRONG) {
            throw fail(head.fault);
        }
        check(budget.reach((long) to - from + 1));
        missing = 1;
        return false;
    }

    private void check(Code exceeded) {
        if (exceeded != null) {
            throw fail(exceeded);
        }
    }

    private SamewireException fail(Code code) {
        error = WireErrors.error(code, passed + at, Path.ROOT);
        return error;
    }

    private Progress chunk(byte[] buffer, int from, int to) {
        if (!seen(head.chunk(buffer, from + at, to), from, to)) {
            return Progress.SHORT;
        } else if (head.number > 0) {
            return body(buffer, from, to, Progress.INSIDE);
        }
        at = head.after - from;
        streamed = false;
        return Progress.VALUE;
    }

    private Progress element(byte[] buffer, int from, int to) {
        if (!seen(head.read(buffer, from + at, to), from, to)) {
            return Progress.SHORT;
        }
        switch (head.form) {
            case Head.LINE:
                at = head.after - from;
                return Progress.VALUE;
            case Head.TEXT:
                return body(buffer, from, to, Progress.VALUE);
            case Head.STREAM:
                streamed = true;
                at = head.after - from;
                return Progress.INSIDE;
            default:
                return open(head.after - from);
        }
    }

    private Progress open(int after) {
        boolean counted = head.form == Head.COUNTED;
        if (head.type == '>' && level > 0) {
            throw fail(Code.MALFORMED);
        }
        boolean pairs = pairs(head.type);
        long elements = counted ? head.number * (pairs ? 2 : 1) : 0;
        check(budget.enter(level + 1, pairs, counted ? head.number : 0));
        check(budget.reach(elements * Budget.LEAST_ELEMENT + after));
        if (++level == left.length) {
            left = Arrays.copyOf(left, level * 2);
            kind = Arrays.copyOf(kind, level * 2);
        }
        left[level] = counted ? elements : UNCOUNTED;
        kind[level] = head.type;
        if (elements == 0 && counted) {
            return close(after);
        }
        at = after;
        return Progress.INSIDE;
    }

    /** Passes over a text and its CR LF, which complete {@code whole}. */
    private Progress body(byte[] buffer, int from, int to, Progress whole) {
        long end = head.after + head.number;
        check(budget.reach(end + 2 - from));
        // It ends within an array, since frameBytes is an int, unless `from` is so late that it cannot be there.
        if (end + 2 > to) {
            if (end < to && buffer[(int) end] != '\r') {
                throw fail(Code.MALFORMED);
            }
            missing = (int) Math.min(end + 2 - to, Integer.MAX_VALUE);
            return Progress.SHORT;
        }
        int stop = (int) end;
        if (buffer[stop] != '\r' || buffer[stop + 1] != '\n'
            || head.type == '=' && (head.number < 4 || buffer[head.after + 3] != ':')) {
            throw fail(Code.MALFORMED);
        }
        at = stop + 2 - from;
        return whole;
    }

    /** Leaves the innermost aggregate, which ends at {@code after}; that is a value unless it is an attribute. */
    private Progress close(int after) {
        at = after;
        return kind[level--] == '|' ? Progress.INSIDE : Progress.VALUE;
    }

    /** Counts a complete value towards the aggregates around it, and returns whether the reply is complete. */
    private boolean settle() {
        while (level > 0) {
            if (--left[level] != 0 || close(at) != Progress.VALUE) {
                return false;
            }
        }
        return true;
    }
}
