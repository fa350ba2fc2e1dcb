package io.samewire.pack.records;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.records.RecordTypes.Book;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Mutated record files end in records or in coded errors, and take memory in proportion to the file and to what one
 * block may expand to.
 */
class RecordMutantsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Limits LIMITS = Limits.DEFAULT.withBufferedBytes(100_000);
    /** The buffers of readers and walks, blocks that expand, and codecs, times the uses of one file. */
    private static final long MOST_BYTES = 8 << 20;
    private static final RecordReaderOptions READ = RecordReaderOptions.DEFAULT.withLimits(LIMITS);
    private static final RecordWriterOptions WRITE =
        RecordWriterOptions.DEFAULT.withBlockBytes(30).withLimits(LIMITS);

    private final SplittableRandom random = new SplittableRandom(20);
    private int refused;

    /** What is done with a file. */
    private interface Use {
        void with(byte[] data) throws IOException;
    }

    @Test
    void endInCodedErrors() throws IOException {
        byte[] plain = RecordFilesTest.file(RecordFilesTest.books(20), WRITE);
        byte[] packed = RecordFilesTest.file(RecordFilesTest.books(40),
            WRITE.withBlockBytes(500).withCompression(Compression.ZSTD));
        for (int i = 0; i < 1500; i++) {
            byte[] data = mutated(i % 2 == 0 ? plain : packed);
            data = i % 3 == 0 ? data : sealed(data);
            run(RecordMutantsTest::readAll, data);
            run(RecordMutantsTest::readAsMaps, data);
            run(RecordMutantsTest::seek, data);
            run(RecordMutantsTest::append, data);
        }
        assertTrue(refused > 1500, "refused " + refused);
    }

    private void run(Use use, byte[] data) throws IOException {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            use.with(data);
        } catch (SamewireException error) {
            assertTrue(error.code() != Code.MISUSE, error::getMessage);
            refused++;
        }
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(bytes < MOST_BYTES, bytes + " bytes for " + Arrays.toString(data));
    }

    private static void readAll(byte[] data) throws IOException {
        RecordReader.open(new MemoryFile(data), RecordFilesTest.CODEC, READ).forEachRemaining(book -> { });
    }

    private static void readAsMaps(byte[] data) throws IOException {
        RecordReader.open(new MemoryFile(data), READ).forEachRemaining(map -> { });
    }

    private static void seek(byte[] data) throws IOException {
        RecordReader<Book> reader = RecordReader.open(new MemoryFile(data), RecordFilesTest.CODEC, READ);
        reader.seek(reader.count() / 2);
        reader.forEachRemaining(book -> { });
    }

    private static void append(byte[] data) throws IOException {
        try (RecordWriter<Book> out = RecordWriter.append(new MemoryFile(data), RecordFilesTest.CODEC, WRITE)) {
            out.write(new Book("last", 1));
        }
    }

    private byte[] mutated(byte[] data) {
        byte[] found = data.clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            int at = random.nextInt(found.length);
            int end = Math.min(found.length, at + 1 + random.nextInt(8));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(found, 0, at);
            switch (random.nextInt(4)) {
                case 0 -> {
                    out.write(random.nextInt(256));
                    out.write(found, at + 1, found.length - at - 1);
                }
                case 1 -> out.write(found, end, found.length - end);
                case 2 -> {
                    byte[] made = new byte[1 + random.nextInt(8)];
                    random.nextBytes(made);
                    out.writeBytes(made);
                    out.write(found, at, found.length - at);
                }
                default -> {
                    int from = random.nextInt(found.length);
                    out.write(found, from, Math.min(40, found.length - from));
                    out.write(found, at, found.length - at);
                }
            }
            found = out.toByteArray();
        }
        return found;
    }

    /** Makes the checksums of a file right as far as its sizes lead, so that mutants reach what is behind them. */
    private static byte[] sealed(byte[] data) {
        int at = Block.MAGIC.length;
        while (at + 2 < data.length) {
            int size = data[at + 1] & 0x7f;
            int body = at + 2;
            if (data[at + 1] < 0) {
                size |= (data[at + 2] & 0x7f) << 7;
                body = at + 3;
            }
            int end = body + size;
            if (end + Block.CHECKSUM_BYTES > data.length) {
                break;
            }
            int sum = Block.checksum(data, at, end);
            for (int i = 0; i < Block.CHECKSUM_BYTES; i++) {
                data[end + i] = (byte) (sum >>> 8 * i);
            }
            at = end + Block.CHECKSUM_BYTES;
        }
        return data;
    }
}
