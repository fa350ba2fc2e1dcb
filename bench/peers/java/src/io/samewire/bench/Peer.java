package io.samewire.bench;

/** One library set up for one workload. */
public interface Peer {
    /** The workload's value in the library's own types; most take it as it is. */
    default Object adapt(Object neutral) {
        return neutral;
    }

    /** Owned bytes. */
    byte[] encode(Object value);

    /** Encodes into memory that is kept; returns the number of bytes, or -1 if the library has no such call. */
    default int into(Object value) {
        return -1;
    }

    /** A value equal to the one encoded. */
    Object decode(byte[] data);
}
