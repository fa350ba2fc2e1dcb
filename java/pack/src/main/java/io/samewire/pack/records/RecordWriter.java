package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Difference;
import io.samewire.pack.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Writes records of one type into a file that says what they are ({@code spec/records.md}).
 *
 * <pre>{@code
 * try (RecordWriter<Book> out = RecordWriter.create(Path.of("books.records"), Pack.codec(Book.class))) {
 *     out.write(new Book("1001", 1974));
 * }
 * }</pre>
 *
 * <p>A record is encoded at once, and reaches the file with its block: when the block is full, on {@link #flush()} and
 * on {@link #close()}. What a crash finds unflushed is lost; the blocks before it are whole. One writer a file at a
 * time: files are not locked. Not thread-safe. An interrupt while the file is written closes a file of the system, as
 * its channels do; the writer has then ended.
 *
 * @param <T> the records
 */
public final class RecordWriter<T> implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final WritableByteChannel channel;
    private final boolean owned;
    private final Codec<T> codec;
    private final int blockBytes;
    private final int bufferedBytes;
    private final boolean compressed;
    private final Output message = new Output();
    private byte[] frames = new byte[1024];
    private int length;
    private int count;
    private Places places = new Places();
    private boolean indexed;
    private long position;
    private boolean ended;

    private RecordWriter(WritableByteChannel channel, boolean owned, Codec<T> codec, RecordWriterOptions options) {
        this.channel = channel;
        this.owned = owned;
        // The file names the schema once.
        this.codec = codec.withoutDigest();
        this.blockBytes = options.blockBytes();
        this.bufferedBytes = options.limits().bufferedBytes();
        this.compressed = options.compression() == Compression.ZSTD;
    }

    /**
     * Writes a new file with the default options. A file that exists is replaced.
     *
     * @throws IOException of the file
     */
    public static <T> RecordWriter<T> create(Path file, Codec<T> codec) throws IOException {
        return create(file, codec, RecordWriterOptions.DEFAULT);
    }

    /**
     * Writes a new file. A file that exists is replaced.
     *
     * @throws SamewireException {@code misuse} for {@code blockBytes} above the codec's {@code frameBytes}, {@code
     *     unsupported} without zstd
     * @throws IOException of the file
     */
    public static <T> RecordWriter<T> create(Path file, Codec<T> codec, RecordWriterOptions options)
        throws IOException {
        check(codec, options);
        FileChannel opened = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING);
        return new RecordWriter<>(opened, true, codec, options).begun();
    }

    /**
     * Writes a new file into a blocking channel at its start, say {@code Channels.newChannel(stream)}. The caller
     * closes it.
     *
     * @throws SamewireException as {@link #create(Path, Codec, RecordWriterOptions)}
     * @throws IOException of the channel
     */
    public static <T> RecordWriter<T> create(WritableByteChannel channel, Codec<T> codec, RecordWriterOptions options)
        throws IOException {
        check(codec, options);
        return new RecordWriter<>(channel, false, codec, options).begun();
    }

    /**
     * Adds to a file of the same schema with the default options, or begins one.
     *
     * @throws SamewireException as {@link #append(Path, Codec, RecordWriterOptions)}
     * @throws IOException of the file
     */
    public static <T> RecordWriter<T> append(Path file, Codec<T> codec) throws IOException {
        return append(file, codec, RecordWriterOptions.DEFAULT);
    }

    /**
     * Adds to a file of the same schema, or begins one. An unfinished block at its end, of a writer that crashed, is
     * cut off.
     *
     * @throws SamewireException {@code schema_mismatch} with the first difference for a file of another schema; what
     *     {@link RecordReader} throws for a broken file; otherwise as {@link #create(Path, Codec, RecordWriterOptions)}
     * @throws IOException of the file
     */
    public static <T> RecordWriter<T> append(Path file, Codec<T> codec, RecordWriterOptions options)
        throws IOException {
        check(codec, options);
        FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
            StandardOpenOption.CREATE);
        return new RecordWriter<>(opened, true, codec, options).appending(opened, options);
    }

    /**
     * Adds to the file of a channel that can be read and written. The caller closes it.
     *
     * @throws SamewireException as {@link #append(Path, Codec, RecordWriterOptions)}
     * @throws IOException of the channel
     */
    public static <T> RecordWriter<T> append(SeekableByteChannel channel, Codec<T> codec, RecordWriterOptions options)
        throws IOException {
        check(codec, options);
        return new RecordWriter<>(channel, false, codec, options).appending(channel, options);
    }

    private static void check(Codec<?> codec, RecordWriterOptions options) {
        // A larger block would meet bufferedBytes in a reader of the same limits. Its count stands before its frames.
        int most = Math.min(codec.limits().frameBytes(), options.limits().bufferedBytes() - Block.MOST_NUMBER_BYTES);
        if (options.blockBytes() > most) {
            throw new SamewireException(Code.MISUSE, -1, null, "blockBytes=" + options.blockBytes()
                + ": expected a number of bytes from 1 to " + most + ", the less of limits.frameBytes and "
                + "limits.bufferedBytes - " + Block.MOST_NUMBER_BYTES);
        } else if (options.compression() == Compression.ZSTD && !Zstd.found()) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "Compression.ZSTD " + Zstd.MISSING);
        }
    }

    private RecordWriter<T> begun() throws IOException {
        put(head());
        return this;
    }

    /** Magic and the block of the schema. */
    private byte[] head() {
        byte[] schema = codec.schema().text().getBytes(StandardCharsets.UTF_8);
        byte[] block = Block.bytes(BlockKind.SCHEMA, new Numbers.Writer(), schema, schema.length);
        byte[] start = Arrays.copyOf(Block.MAGIC, Block.MAGIC.length + block.length);
        System.arraycopy(block, 0, start, Block.MAGIC.length, block.length);
        return start;
    }

    /**
     * Empties a file that holds only the beginning of this writer's head. All others hold records, even with damaged
     * sizes.
     */
    private void cutHead(SeekableByteChannel file) throws IOException {
        byte[] head = head();
        ByteBuffer there = ByteBuffer.allocate(head.length);
        file.position(0);
        while (there.hasRemaining() && file.read(there) >= 0) {
            continue;
        }
        int different = Arrays.mismatch(there.array(), 0, there.position(), head, 0, head.length);
        if (different < there.position() || file.size() > head.length) {
            throw new SamewireException(Code.MALFORMED, different < 0 ? head.length : different, null,
                "the schema's block does not end in the file, and is not what this writer writes: nothing is cut off; "
                    + "is its size damaged, or was it of another type?");
        }
        file.truncate(0).position(0);
    }

    private RecordWriter<T> appending(SeekableByteChannel file, RecordWriterOptions options) throws IOException {
        try {
            FileWalk walk = new FileWalk(file, options.limits());
            walk.update();
            if (walk.schema() == null) {
                cutHead(file);
                return begun();
            }
            Difference difference = codec.schema().difference(walk.schema());
            if (difference != null) {
                throw new SamewireException(Code.SCHEMA_MISMATCH, -1, difference.path(),
                    "records of another type are in the file: " + difference + "; write them to a file of their own");
            }
            file.truncate(walk.end()).position(walk.end());
            position = walk.end();
            places = walk.places();
            indexed = walk.indexed();
            return this;
        } catch (IOException | RuntimeException | Error failure) {
            end(failure);
            throw failure;
        }
    }

    /** Returns how many records the file holds, with those that are not flushed yet. */
    public long records() {
        return places.records() + count;
    }

    /**
     * Adds a record.
     *
     * @throws SamewireException as {@link Codec#encode}, and {@code limit_size} for a record whose block is larger than
     *     {@code bufferedBytes}: then the file is as it was and can be written on; {@code closed} after {@link
     *     #close()}, or after the file could not be written
     * @throws IOException of the file, which ends the writer
     */
    public void write(T record) throws IOException {
        open();
        message.clear();
        int size = codec.encodeInto(record, message);
        Numbers.Writer head = new Numbers.Writer().number(size);
        // Alone in a block, it stands behind a count of one byte.
        long alone = 1L + head.length() + size;
        if (alone > bufferedBytes) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, "$", "a record that needs a block of " + alone
                + " bytes, limits.bufferedBytes is " + bufferedBytes + ": raise it on both sides");
        }
        if (count > 0 && (long) length + head.length() + size > blockBytes) {
            flush();
        }
        int end = Math.addExact(length, head.length() + size);
        if (end > frames.length) {
            frames = Arrays.copyOf(frames, Math.max(end, Math.min(2 * frames.length, blockBytes)));
        }
        head.copyTo(frames, length);
        System.arraycopy(message.array(), 0, frames, end - size, size);
        length = end;
        count++;
        if (length >= blockBytes) {
            flush();
        }
    }

    /**
     * Adds records one by one.
     *
     * @throws SamewireException as {@link #write}: those before the one at fault are added
     * @throws IOException of the file
     */
    public void writeAll(Iterable<? extends T> records) throws IOException {
        for (T record : records) {
            write(record);
        }
    }

    /**
     * Writes the records so far as a block, so that readers of the file see them.
     *
     * @throws SamewireException {@code closed} as {@link #write}
     * @throws IOException of the file
     */
    public void flush() throws IOException {
        open();
        if (count == 0) {
            return;
        }
        byte[] block = Block.bytes(BlockKind.RECORDS, new Numbers.Writer().number(count), frames, length);
        if (compressed) {
            byte[] packed = Zstd.compress(frames, length);
            Numbers.Writer numbers = new Numbers.Writer().number(count).number(length);
            byte[] smaller = Block.bytes(BlockKind.ZSTD, numbers, packed, packed.length);
            block = smaller.length < block.length ? smaller : block;
        }
        long start = position;
        put(block);
        places.add(start, count);
        indexed = false;
        count = 0;
        length = 0;
        // A record larger than a block is rare: its memory is not kept.
        if (frames.length > blockBytes) {
            frames = new byte[Math.min(1024, blockBytes)];
        }
    }

    /**
     * Flushes, and returns once the records so far would survive a power cut ({@link FileChannel#force}). Closing does
     * not: call this before. Of a new file on a POSIX system the entry in its folder has to be forced, too.
     *
     * @throws SamewireException {@code closed} as {@link #write}; {@code misuse} for a channel that is not a file's
     * @throws IOException of the file, which ends the writer
     */
    public void sync() throws IOException {
        flush();
        if (!(channel instanceof FileChannel file)) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "this channel cannot be synced: it is not that of a file of the system");
        }
        try {
            file.force(false);
        } catch (IOException | RuntimeException | Error failure) {
            // The system may have dropped what it could not write, and a second attempt would say that all is well.
            end(failure);
            throw failure;
        }
    }

    /**
     * Writes what is left and the index, and closes the file if it was opened by its path. Closing twice does nothing.
     * Of more blocks than an index within {@code bufferedBytes} names none is written: readers then walk over the
     * blocks.
     *
     * @throws IOException of the file
     */
    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        try {
            flush();
            byte[] index = indexed ? null : places.index(position, bufferedBytes);
            if (index != null) {
                put(index);
            }
        } catch (IOException | RuntimeException | Error failure) {
            end(failure);
            throw failure;
        }
        ended = true;
        if (owned) {
            channel.close();
        }
    }

    /** Returns what is written, and how much. */
    @Override
    public String toString() {
        return "RecordWriter of " + codec.schema() + ", " + records() + " records";
    }

    private void open() {
        if (ended) {
            throw new SamewireException(Code.CLOSED, -1, null,
                "this writer has ended: open the file again with RecordWriter.append");
        }
    }

    /** Writes all bytes, or ends the writer and leaves the file as it was. */
    private void put(byte[] bytes) throws IOException {
        try {
            for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
                channel.write(rest);
            }
        } catch (IOException | RuntimeException | Error failure) {
            cut(failure);
            end(failure);
            throw failure;
        }
        position += bytes.length;
    }

    private void cut(Throwable failure) {
        if (channel instanceof SeekableByteChannel file) {
            try {
                file.truncate(position);
            } catch (IOException | RuntimeException also) {
                failure.addSuppressed(also);
            }
        }
    }

    private void end(Throwable failure) {
        if (ended) {
            return;
        }
        ended = true;
        frames = NOTHING;
        count = 0;
        if (owned) {
            try {
                channel.close();
            } catch (IOException also) {
                failure.addSuppressed(also);
            }
        }
    }
}
