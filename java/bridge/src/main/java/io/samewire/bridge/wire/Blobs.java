package io.samewire.bridge.wire;

/** Where the bytes of large values come from, which follow the message that has their numbers. */
public interface Blobs {
    /**
     * Reads the next so many bytes of the current large value.
     *
     * @throws io.samewire.core.SamewireException {@code malformed} if another message comes; {@code closed}
     */
    void read(byte[] into, int from, int length);
}
