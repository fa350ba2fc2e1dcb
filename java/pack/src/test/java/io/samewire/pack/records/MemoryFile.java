package io.samewire.pack.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;

/** A file in memory: it counts what is read, comes in pieces, and can be full. */
final class MemoryFile implements SeekableByteChannel {
    private byte[] bytes;
    private int size;
    private int position;
    private int pieceEnd;
    private int room = Integer.MAX_VALUE;
    private long bytesRead;

    MemoryFile(byte[] bytes) {
        this.bytes = bytes.clone();
        this.size = bytes.length;
    }

    /** Has the first read end at this byte. */
    MemoryFile cutAt(int at) {
        pieceEnd = at;
        return this;
    }

    /** Lets the file grow to so many bytes only: the last write is a short one. */
    MemoryFile full(int at) {
        room = at;
        return this;
    }

    byte[] contents() {
        return Arrays.copyOf(bytes, size);
    }

    long bytesRead() {
        return bytesRead;
    }

    @Override
    public int read(ByteBuffer target) {
        int end = position < pieceEnd ? Math.min(pieceEnd, size) : size;
        int length = Math.min(target.remaining(), end - position);
        if (length <= 0) {
            return target.hasRemaining() ? -1 : 0;
        }
        target.put(bytes, position, length);
        position += length;
        bytesRead += length;
        return length;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = Math.min(source.remaining(), room - position);
        if (length == 0 && source.hasRemaining()) {
            throw new IOException("No space left on device");
        }
        if (position + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (position + length));
        }
        source.get(bytes, position, length);
        position += length;
        size = Math.max(size, position);
        return length;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public MemoryFile position(long at) {
        position = Math.toIntExact(at);
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public MemoryFile truncate(long at) {
        size = (int) Math.min(size, at);
        position = Math.min(position, size);
        return this;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // Memory needs none.
    }
}
