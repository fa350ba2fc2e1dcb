package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Decoder;
import io.samewire.pack.Pack;
import io.samewire.pack.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads the records of a file one after another, holding one block at a time ({@code spec/records.md}).
 *
 * <pre>{@code
 * try (RecordReader<Book> books = RecordReader.open(Path.of("books.records"), Pack.codec(Book.class))) {
 *     for (Book book : books) {
 *         System.out.println(book.id());
 *     }
 * }
 * }</pre>
 *
 * <p>A type that differs from the file's is resolved ({@code spec/pack.md} section 13), once. It is its own iterator: a
 * loop that ends, or the end of a growing file, can be followed by another loop that goes on. Not thread-safe.
 *
 * @param <T> the records; {@code Object} without a codec, as {@link Pack#decoder} has them
 */
public final class RecordReader<T> implements Iterable<T>, Iterator<T>, AutoCloseable {
    private final ReadableByteChannel channel;
    private final boolean owned;
    private final RecordReaderOptions options;
    private final ByteBuffer piece = ByteBuffer.allocate(FileWalk.PIECE_BYTES);
    private BlockScanner scanner;
    private Schema schema;
    private Decoder<? extends T> decoder;
    /** Where the schema's block ends. */
    private long first;
    private RecordBlock block;
    /** The block that was read last is an index. */
    private boolean indexed;
    private long number;
    private SamewireException failure;
    /** Made when it is first needed, and kept: an index may be large, and is read once. */
    private FileWalk walk;

    private RecordReader(ReadableByteChannel channel, boolean owned, RecordReaderOptions options) {
        this.channel = channel;
        this.owned = owned;
        this.options = options;
        this.scanner = new BlockScanner(options.limits(), 0);
    }

    /**
     * Opens a file with the default options and reads its schema.
     *
     * @throws SamewireException as {@link #open(Path, Codec, RecordReaderOptions)}
     * @throws IOException of the file
     */
    public static <T> RecordReader<T> open(Path file, Codec<T> codec) throws IOException {
        return open(file, codec, RecordReaderOptions.DEFAULT);
    }

    /**
     * Opens a file and reads its schema.
     *
     * @param codec of a record's type; its limits hold for messages
     * @throws SamewireException {@code schema_mismatch} with the path if the type cannot be read from the file's;
     *     {@code malformed}, {@code unsupported}, {@code bad_number}, {@code limit_size} or {@code truncated} at the
     *     offset in the file for one that is broken
     * @throws IOException of the file
     */
    public static <T> RecordReader<T> open(Path file, Codec<T> codec, RecordReaderOptions options)
        throws IOException {
        return new RecordReader<T>(FileChannel.open(file), true, options).opened(codec);
    }

    /**
     * Opens a file whose types the program does not know, and reads its schema: records are maps, lists and their like,
     * as {@link Pack#decoder} has them.
     *
     * @throws SamewireException as {@link #open(Path, Codec, RecordReaderOptions)}
     * @throws IOException of the file
     */
    public static RecordReader<Object> open(Path file, RecordReaderOptions options) throws IOException {
        return new RecordReader<Object>(FileChannel.open(file), true, options).opened(null);
    }

    /**
     * Reads a file from a blocking channel at its start, say {@code Channels.newChannel(stream)}. The caller closes it.
     *
     * @throws SamewireException as {@link #open(Path, Codec, RecordReaderOptions)}
     * @throws IOException of the channel
     */
    public static <T> RecordReader<T> open(ReadableByteChannel channel, Codec<T> codec, RecordReaderOptions options)
        throws IOException {
        return new RecordReader<T>(channel, false, options).opened(codec);
    }

    /**
     * Reads a file whose types the program does not know from a blocking channel. The caller closes it.
     *
     * @throws SamewireException as {@link #open(Path, Codec, RecordReaderOptions)}
     * @throws IOException of the channel
     */
    public static RecordReader<Object> open(ReadableByteChannel channel, RecordReaderOptions options)
        throws IOException {
        return new RecordReader<Object>(channel, false, options).opened(null);
    }

    @SuppressWarnings("unchecked") // Without a codec T is Object.
    private RecordReader<T> opened(Codec<T> codec) throws IOException {
        try {
            Block head = nextBlock(true);
            first = head.end();
            schema = FileWalk.schemaOf(head);
            decoder = codec != null ? codec.resolve(schema.text())
                : (Decoder<T>) Pack.decoder(schema.text(), options.limits());
            return this;
        } catch (IOException | RuntimeException | Error failed) {
            if (owned) {
                channel.close();
            }
            throw failed;
        }
    }

    /** Returns the schema that the records were written with. */
    public Schema schema() {
        return schema;
    }

    /** Returns this reader: its records from the next one on. */
    @Override
    public Iterator<T> iterator() {
        return this;
    }

    /** Returns the records from the next one on, in their order. The stream throws as {@link #next()}. */
    public Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
    }

    /**
     * Returns whether there is a next record. At the end of a growing file it may return true later.
     *
     * @throws SamewireException of the file, with its offset; the same again at each further call; {@code closed} after
     *     {@link #close()}
     * @throws UncheckedIOException of the file
     */
    @Override
    public boolean hasNext() {
        try {
            return block != null && block.hasNext() || openNext();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Returns the next record.
     *
     * @throws SamewireException as {@link Decoder#decode(byte[])} for a record that is broken: offset and path are
     *     those of its message, and the text has its number; the next call goes on behind it. Otherwise as {@link
     *     #hasNext()}
     * @throws NoSuchElementException at the end
     * @throws UncheckedIOException of the file
     */
    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the file has " + number + " records");
        }
        block.next();
        long record = number++;
        try {
            return decoder.decode(block.bytes(), block.from(), block.to());
        } catch (SamewireException error) {
            throw new SamewireException(error.code(), error.at(), error.path(), "record " + record + ": "
                + error.text(), error);
        }
    }

    /**
     * Returns how many records the whole blocks of the file hold: from its index, or by walking over its blocks. What
     * was found is kept: a further call looks at what was added to the file.
     *
     * @throws SamewireException of the file; {@code misuse} if it cannot be sought; {@code closed}
     * @throws IOException of the file
     */
    public long count() throws IOException {
        return located().records();
    }

    /**
     * Makes the record of a number, from 0, the next one; the number of records makes it the end. Reads one block.
     *
     * @throws SamewireException as {@link #count()}; {@code misuse} for a number that is not in the file
     * @throws IOException of the file
     */
    public void seek(long record) throws IOException {
        Places places = located();
        if (record < 0 || record > places.records()) {
            throw new SamewireException(Code.MISUSE, -1, null, "seek(" + record + "): the file has "
                + places.records() + " records");
        }
        SeekableByteChannel file = (SeekableByteChannel) channel;
        block = null;
        if (places.size() == 0) {
            start(file, walk.end());
            indexed = walk.indexed();
            number = 0;
            return;
        }
        int place = places.blockOf(record);
        long at = places.start(place);
        number = places.first(place);
        if (at > Block.MAGIC.length && at < walk.end()) {
            start(file, at);
            if (openNext() && block.count() == places.count(place)) {
                for (; number < record; number++) {
                    block.next();
                }
                return;
            }
        }
        throw fail(new SamewireException(Code.MALFORMED, at, null,
            "the index names a block of records that is not here"));
    }

    private void start(SeekableByteChannel file, long at) throws IOException {
        file.position(at);
        scanner = new BlockScanner(options.limits(), at);
    }

    /** Closes the file if it was opened by its path. */
    @Override
    public void close() throws IOException {
        block = null;
        if (failure == null) {
            failure = new SamewireException(Code.CLOSED, -1, null, "this reader was closed");
        }
        if (owned) {
            channel.close();
        }
    }

    /** Returns what is read, and where. */
    @Override
    public String toString() {
        return "RecordReader of " + schema + ", at record " + number;
    }

    /** Returns where the blocks of records are. Leaves the file's position as it was. */
    private Places located() throws IOException {
        if (failure != null) {
            throw failure;
        } else if (!(channel instanceof SeekableByteChannel file)) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "this channel cannot be sought: read it from start to end, or open the file by its path");
        } else {
            long here = file.position();
            walk = walk == null ? new FileWalk(file, options.limits()) : walk;
            try {
                walk.update();
            } finally {
                file.position(here);
            }
            return walk.places();
        }
    }

    /** Opens the next block of records; false at the end of the file. */
    private boolean openNext() throws IOException {
        for (Block next = nextBlock(!options.growing()); next != null; next = nextBlock(!options.growing())) {
            try {
                indexed = next.kind() == BlockKind.INDEX;
                if (!indexed) {
                    block = RecordBlock.open(next, options.limits());
                    return true;
                }
                Places.of(next, first);
            } catch (SamewireException error) {
                throw fail(error);
            }
        }
        if (options.complete() && !indexed) {
            throw fail(new SamewireException(Code.TRUNCATED, scanner.at(), null, "expected an index as the last block, "
                + "as closing the writer leaves it, got the end of the file: the file was cut off, or its writer has "
                + "not closed it; copy it again, or read it without complete"));
        }
        return false;
    }

    private Block nextBlock(boolean endIsError) throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            for (Block next = scanner.next(); ; next = scanner.next()) {
                if (next != null) {
                    return next;
                } else if (channel.read(piece.clear()) <= 0) {
                    if (endIsError) {
                        scanner.end();
                    }
                    pause();
                    return null;
                }
                scanner.feed(piece.flip());
            }
        } catch (SamewireException error) {
            throw fail(error);
        }
    }

    /**
     * Checks what stands at the end of a growing file: it may be written, or cut off and replaced, before the next
     * attempt.
     */
    private void pause() {
        scanner.checkUnfinished();
        if (owned && scanner.inside() && channel instanceof SeekableByteChannel file) {
            try {
                start(file, scanner.at());
            } catch (IOException pipe) {
                // A pipe of the file system cannot go back. Nor can it be cut.
                return;
            }
        }
    }

    private SamewireException fail(SamewireException error) {
        block = null;
        failure = error;
        return error;
    }
}
