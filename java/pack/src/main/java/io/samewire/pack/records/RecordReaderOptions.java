package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Objects;

/**
 * How a record file is read.
 *
 * @param growing whether a block that is not whole yet is not an error: the records end before it, and go on once it is
 *     whole. A file that was opened by its path is then read again from where that block starts: its writer may have
 *     crashed, and another one have put another block in its place. In a channel of the caller such a block is {@code
 *     malformed}
 * @param complete whether the file must end with the index that closing a writer leaves: behind the last record of one
 *     without it, which was cut off between two blocks or whose writer has not closed it, reading throws {@code
 *     truncated} at the file's length. Not together with {@code growing}
 * @param limits {@code bufferedBytes} bounds a block; the others each message if the reader has no codec
 */
public record RecordReaderOptions(boolean growing, boolean complete, Limits limits) {
    /** A file that does not grow, with or without its index, and the default limits. */
    public static final RecordReaderOptions DEFAULT = new RecordReaderOptions(false, false, Limits.DEFAULT);

    /**
     * Checks that there are limits.
     *
     * @throws SamewireException {@code misuse} for {@code complete} with {@code growing}
     */
    public RecordReaderOptions {
        Objects.requireNonNull(limits);
        if (complete && growing) {
            throw new SamewireException(Code.MISUSE, -1, null, "expected complete or growing, got both: a file that "
                + "grows has no index at its end yet; leave one out");
        }
    }

    /**
     * Returns these options with another {@link #growing()}.
     *
     * @throws SamewireException {@code misuse} with {@link #complete()}
     */
    public RecordReaderOptions withGrowing(boolean grows) {
        return new RecordReaderOptions(grows, complete, limits);
    }

    /**
     * Returns these options with another {@link #complete()}.
     *
     * @throws SamewireException {@code misuse} with {@link #growing()}
     */
    public RecordReaderOptions withComplete(boolean insists) {
        return new RecordReaderOptions(growing, insists, limits);
    }

    /** Returns these options with other {@link #limits()}. */
    public RecordReaderOptions withLimits(Limits chosen) {
        return new RecordReaderOptions(growing, complete, chosen);
    }
}
