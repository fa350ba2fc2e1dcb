package io.samewire.pack.columns;

import java.util.UUID;

/**
 * UUIDs.
 *
 * @param high the higher half of each, its most significant bits; 0 where one is null
 * @param low the lower half of each
 * @param validity whether each is present, of an option; else null
 */
public record UuidColumn(long[] high, long[] low, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "uuid";
    }

    @Override
    public int length() {
        return high.length;
    }

    @Override
    public Object present(int index) {
        return new UUID(high[index], low[index]);
    }
}
