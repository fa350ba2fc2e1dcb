package io.samewire.pack.records;

import io.samewire.core.Limits;
import java.util.Objects;

/**
 * How a record file is read.
 *
 * @param growing whether a block that is not whole yet is no error: the records end before it, and go on once it is
 *     whole. A file that was opened by its path is then read again from where that block starts: its writer may have
 *     crashed, and another one have put another block in its place. In a channel of the caller such a block is {@code
 *     malformed}
 * @param limits {@code bufferedBytes} bounds a block; the others each message if the reader has no codec
 */
public record RecordReaderOptions(boolean growing, Limits limits) {
    /** A file that is whole, and the default limits. */
    public static final RecordReaderOptions DEFAULT = new RecordReaderOptions(false, Limits.DEFAULT);

    /** Checks that there are limits. */
    public RecordReaderOptions {
        Objects.requireNonNull(limits);
    }

    /** Returns these options with another {@link #growing()}. */
    public RecordReaderOptions withGrowing(boolean grows) {
        return new RecordReaderOptions(grows, limits);
    }

    /** Returns these options with other {@link #limits()}. */
    public RecordReaderOptions withLimits(Limits chosen) {
        return new RecordReaderOptions(growing, chosen);
    }
}
