package io.samewire.spark.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A file of any of Hadoop's file systems as a channel. Its size is that at which it was opened. */
final class HadoopInput implements SeekableByteChannel {
    private final FSDataInputStream stream;
    private final long size;
    private boolean open = true;

    private HadoopInput(FSDataInputStream stream, long size) {
        this.stream = stream;
        this.size = size;
    }

    static HadoopInput open(Path file, Configuration configuration) throws IOException {
        FileSystem system = file.getFileSystem(configuration);
        long size = system.getFileStatus(file).getLen();
        return new HadoopInput(system.open(file), size);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = stream.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
        if (read > 0) {
            into.position(into.position() + read);
        }
        return read;
    }

    @Override
    public long position() throws IOException {
        return stream.getPos();
    }

    @Override
    public SeekableByteChannel position(long at) throws IOException {
        stream.seek(at);
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        open = false;
        stream.close();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long length) {
        throw new NonWritableChannelException();
    }
}
