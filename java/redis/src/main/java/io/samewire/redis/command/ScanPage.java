package io.samewire.redis.command;

import java.util.List;

/**
 * A part of what a scan finds. The same element may be in several pages.
 *
 * @param cursor where the next page starts, {@link #START} if this is the last one
 * @param items what was found; may be empty although there is more
 */
public record ScanPage<T>(String cursor, List<T> items) {
    /** The cursor of the first page. */
    public static final String START = "0";

    /** Returns whether the scan is complete. */
    public boolean isLast() {
        return cursor.equals(START);
    }
}
