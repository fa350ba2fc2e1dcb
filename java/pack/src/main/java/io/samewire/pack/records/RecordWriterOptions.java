package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Objects;

/**
 * How a record file is written.
 *
 * @param compression whether blocks are compressed
 * @param blockBytes bytes of records that a block collects, from 1 to the codec's {@code frameBytes}, and to 5 less
 *     than {@code bufferedBytes}; a larger record has a block of its own
 * @param limits {@code bufferedBytes} bounds the blocks that are written, and those of a file that is appended to
 */
public record RecordWriterOptions(Compression compression, int blockBytes, Limits limits) {
    /** No compression, blocks of 65,536 bytes, the default limits. */
    public static final RecordWriterOptions DEFAULT =
        new RecordWriterOptions(Compression.NONE, 65_536, Limits.DEFAULT);

    /**
     * Checks the options.
     *
     * @throws SamewireException {@code misuse} for {@code blockBytes} below 1
     */
    public RecordWriterOptions {
        Objects.requireNonNull(compression);
        Objects.requireNonNull(limits);
        if (blockBytes < 1) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "blockBytes=" + blockBytes + ": expected a number of bytes from 1 to limits.frameBytes");
        }
    }

    /** Returns these options with another {@link #compression()}. */
    public RecordWriterOptions withCompression(Compression chosen) {
        return new RecordWriterOptions(chosen, blockBytes, limits);
    }

    /** Returns these options with other {@link #blockBytes()}. */
    public RecordWriterOptions withBlockBytes(int bytes) {
        return new RecordWriterOptions(compression, bytes, limits);
    }

    /** Returns these options with other {@link #limits()}. */
    public RecordWriterOptions withLimits(Limits chosen) {
        return new RecordWriterOptions(compression, blockBytes, chosen);
    }
}
