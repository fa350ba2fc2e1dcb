package io.samewire.pack.wire;

import io.samewire.core.Path;

/**
 * What a native type threw, with the path from the value that was read to the one that it threw for. Code that traces
 * puts a step before the path wherever the exception passes. In columns, whose values are made before those that hold
 * them, it first carries an index: that of the value in its column.
 */
public final class Traced extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int NONE = -1;

    private final StringBuilder steps = new StringBuilder();
    private int index = NONE;

    private Traced(Exception cause) {
        super(null, cause, false, false);
    }

    private static Traced of(Exception thrown) {
        return thrown instanceof Traced traced ? traced : new Traced(thrown);
    }

    /** Returns what the native type threw. */
    public static Exception cause(Exception thrown) {
        return thrown instanceof Traced traced ? (Exception) traced.getCause() : thrown;
    }

    /** Returns the whole path; that of the root if nothing was traced. */
    public static String path(Exception thrown) {
        return thrown instanceof Traced traced ? Path.ROOT + traced.steps : Path.ROOT;
    }

    /** Thrown in a field, or an element of a tuple, to which {@code step} leads. */
    public static Traced step(Exception thrown, String step) {
        Traced traced = of(thrown);
        traced.steps.insert(0, step);
        return traced;
    }

    /** Thrown for the value with that index in a row or column. */
    public static Traced at(Exception thrown, int index) {
        Traced traced = of(thrown);
        traced.index = index;
        return traced;
    }

    /** Thrown for that element of a container; {@code part} says which part of a map's entry. */
    public static Traced element(Exception thrown, int index, String part) {
        return step(thrown, Path.element(index) + part);
    }

    /** Thrown in a row or column that is all of a container. */
    public static Traced element(Exception thrown, String part) {
        Traced traced = of(thrown);
        if (traced.index == NONE) {
            return traced;
        }
        int element = traced.index;
        traced.index = NONE;
        return element(traced, element, part);
    }

    /** Thrown in a column of the elements of {@code count} containers, which begin at {@code bounds}. */
    public static Traced run(Exception thrown, String part, long[] bounds, int count) {
        Traced traced = of(thrown);
        int element = traced.index;
        for (int i = 0; i < count; i++) {
            if (element >= bounds[i] && element < bounds[i + 1]) {
                traced.index = i;
                return element(traced, element - (int) bounds[i], part);
            }
        }
        return traced;
    }

    /** Thrown in a column of those of {@code count} values whose flags are set. */
    public static Traced present(Exception thrown, Reader in, int flags, int count) {
        Traced traced = of(thrown);
        int before = traced.index;
        for (int i = 0; i < count; i++) {
            if (in.flag(flags, i) && before-- == 0) {
                traced.index = i;
                break;
            }
        }
        return traced;
    }
}
