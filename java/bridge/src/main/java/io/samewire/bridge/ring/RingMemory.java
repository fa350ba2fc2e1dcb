package io.samewire.bridge.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Maps the memory that a client offers. */
final class RingMemory {
    private RingMemory() {
    }

    /**
     * Maps a ring's memory.
     *
     * <p>The client chooses the path. So nothing is written before the file was verified to be a ring: otherwise a
     * client could make the gateway write to any file.
     *
     * @throws IOException if there is no such file, or it is not the ring that was offered
     */
    static Mapping map(String path, int capacity, long generation) throws IOException {
        if (!Layout.isCapacity(capacity)) {
            throw new IOException("a ring's capacity is a power of two from 65536 to 16777216: " + capacity);
        }
        Path file;
        try {
            file = Path.of(path);
        } catch (InvalidPathException invalid) {
            throw new IOException(invalid);
        }
        // Checked before it is opened: opening a pipe or a device may block, or have effects.
        if (!Files.isRegularFile(file)) {
            throw new IOException("the ring offered as " + path + " is not a regular file of this machine");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int length = Layout.memoryBytes(capacity);
            if (channel.size() != length) {
                throw new IOException("a ring of capacity " + capacity + " has " + length + " bytes, that of " + path
                    + " has " + channel.size());
            }
            Mapping mapping = Mapping.of(channel, length);
            ByteBuffer memory = mapping.buffer();
            if (memory.getLong(0) != Layout.MAGIC || memory.getInt(Layout.CAPACITY) != capacity
                || memory.getLong(Layout.GENERATION) != generation
                || memory.getLong(Layout.TO_CLIENT + Layout.WRITTEN) != 0) {
                mapping.unmap();
                throw new IOException("the memory of " + path + " is not that of a fresh ring of this generation");
            }
            return mapping;
        }
    }
}
