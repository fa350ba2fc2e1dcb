package io.samewire.pack.columns;

import java.util.Arrays;

/**
 * Byte strings.
 *
 * @param offsets value i is {@code data} from {@code offsets[i]} to {@code offsets[i + 1]}; one more than there are
 *     values
 * @param data the bytes of all values
 * @param validity whether each is present, of an option; else null
 */
public record BytesColumn(int[] offsets, byte[] data, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "bytes";
    }

    @Override
    public int length() {
        return offsets.length - 1;
    }

    @Override
    public Object present(int index) {
        return Arrays.copyOfRange(data, offsets[index], offsets[index + 1]);
    }
}
