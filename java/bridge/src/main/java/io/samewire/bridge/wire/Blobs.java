package io.samewire.bridge.wire;

/** The source of large values, which follow the message that has their lengths. */
public interface Blobs {
    /**
     * Reads the next so many bytes of the current large value.
     *
     * @throws io.samewire.core.SamewireException {@code malformed} if another message comes; {@code closed}
     */
    void read(byte[] into, int from, int length);
}
