package io.samewire.pack.records;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Pack;
import io.samewire.pack.records.RecordTypes.Book;
import io.samewire.pack.records.RecordTypes.Film;
import io.samewire.pack.records.RecordTypes.Wider;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Record files as programs use them: paths, pipes, files that grow, crash or fill the disk. */
class RecordFilesTest {
    static final Codec<Book> CODEC = Pack.codec(Book.class);

    @TempDir
    private Path folder;

    static List<Book> books(int number) {
        return IntStream.range(0, number).mapToObj(i -> new Book("book " + i, 1900 + i % 100)).toList();
    }

    /** A closed file of these records, one in a block if they are small blocks. */
    static byte[] file(List<Book> books, RecordWriterOptions options) throws IOException {
        MemoryFile file = new MemoryFile(new byte[0]);
        try (RecordWriter<Book> out = RecordWriter.create(file, CODEC, options)) {
            out.writeAll(books);
        }
        return file.contents();
    }

    static RecordReader<Book> reader(byte[] data) throws IOException {
        return RecordReader.open(new MemoryFile(data), CODEC, RecordReaderOptions.DEFAULT);
    }

    private static SamewireException refused(Code code, String text, Executable work) {
        SamewireException error = assertThrows(SamewireException.class, work);
        assertEquals(code, error.code(), error::getMessage);
        assertTrue(error.getMessage().contains(text), error::getMessage);
        return error;
    }

    @Test
    void readsWhatWasWrittenInManyBlocks() throws IOException {
        Path path = folder.resolve("books.records");
        try (RecordWriter<Book> out = RecordWriter.create(path, CODEC,
            RecordWriterOptions.DEFAULT.withBlockBytes(1000))) {
            out.writeAll(books(5000));
            assertEquals(5000, out.records());
        }
        try (RecordReader<Book> found = RecordReader.open(path, CODEC)) {
            assertEquals(books(5000), found.stream().toList());
            assertEquals(5000, found.count());
            for (int number : new int[] {4999, 0, 2500, 63}) {
                found.seek(number);
                assertEquals(books(5000).get(number), found.next());
            }
            found.seek(5000);
            assertFalse(found.hasNext());
            assertThrows(NoSuchElementException.class, found::next);
            refused(Code.MISUSE, "5000 records", () -> found.seek(-1));
            refused(Code.MISUSE, "5000 records", () -> found.seek(5001));
        }
    }

    @Test
    void seekReadsTheIndexOnce() throws IOException {
        MemoryFile file = new MemoryFile(file(books(20_000), RecordWriterOptions.DEFAULT.withBlockBytes(40)));
        try (RecordReader<Book> found = RecordReader.open(file, CODEC, RecordReaderOptions.DEFAULT)) {
            found.seek(10_000);
            long before = file.bytesRead();
            found.count();
            assertEquals(before, file.bytesRead());
            for (int i = 0; i < 10; i++) {
                found.seek(1000 * i);
                assertEquals("book " + 1000 * i, found.next().name());
            }
            assertTrue(file.bytesRead() - before <= 10 * FileWalk.PIECE_BYTES);
        }
    }

    @Test
    void countsWhatIsAddedAfterTheFirstCount() throws IOException {
        MemoryFile file = new MemoryFile(new byte[0]);
        try (RecordWriter<Book> out = RecordWriter.create(file, CODEC, RecordWriterOptions.DEFAULT)) {
            MemoryFile view = file;
            for (int i = 0; i < 5; i++) {
                out.writeAll(books(10));
                out.flush();
            }
            RecordReader<Book> found = RecordReader.open(view.position(0), CODEC,
                RecordReaderOptions.DEFAULT.withGrowing(true));
            assertEquals(50, found.count());
            view.position(view.size());
            out.writeAll(books(7));
            out.flush();
            assertEquals(57, found.count());
            found.seek(56);
            assertEquals("book 6", found.next().name());
            view.position(view.size());
        }
        RecordReader<Book> found = RecordReader.open(file.position(0), CODEC, RecordReaderOptions.DEFAULT);
        assertEquals(57, found.count());
        file.truncate(0).write(java.nio.ByteBuffer.wrap(file(books(3), RecordWriterOptions.DEFAULT)));
        assertEquals(3, found.count());
    }

    @Test
    void withoutACodecRecordsAreMaps() throws IOException {
        try (RecordReader<Object> found = RecordReader.open(new MemoryFile(file(books(2),
            RecordWriterOptions.DEFAULT)), RecordReaderOptions.DEFAULT)) {
            assertEquals(List.of(Map.of("name", "book 0", "year", 1900), Map.of("name", "book 1", "year", 1901)),
                found.stream().toList());
            assertEquals(CODEC.schema(), found.schema());
        }
    }

    @Test
    void resolvesAnotherType() throws IOException {
        try (RecordReader<Wider> found = RecordReader.open(new MemoryFile(file(books(1),
            RecordWriterOptions.DEFAULT)), Pack.codec(Wider.class), RecordReaderOptions.DEFAULT)) {
            assertEquals(new Wider(1900, null, "book 0"), found.next());
        }
    }

    @Test
    void anErrorConcernsOneRecordAlone() throws IOException {
        MemoryFile file = new MemoryFile(new byte[0]);
        try (RecordWriter<Book> out = RecordWriter.create(file, CODEC, RecordWriterOptions.DEFAULT)) {
            out.write(new Book("Carrie", 1974));
            assertEquals("$.name",
                refused(Code.TYPE_MISMATCH, "", () -> out.write(new Book(null, 1981))).path());
            out.write(new Book("Misery", 1987));
        }
        assertEquals(List.of("Carrie", "Misery"), reader(file.contents()).stream().map(Book::name).toList());
    }

    @Test
    void aBrokenRecordIsNamedAndReadPast() throws IOException {
        byte[] good = CODEC.encode(new Book("Carrie", 1974));
        MemoryFile file = new MemoryFile(file(List.of(), RecordWriterOptions.DEFAULT));
        byte[] frames = new byte[2 * good.length + 4];
        frames[0] = frames[good.length + 3] = (byte) good.length;
        System.arraycopy(good, 0, frames, 1, good.length);
        frames[good.length + 1] = 1;
        frames[good.length + 2] = (byte) 0x80;
        System.arraycopy(good, 0, frames, good.length + 4, good.length);
        file.position(file.size()).write(java.nio.ByteBuffer.wrap(
            Block.bytes(BlockKind.RECORDS, new Numbers.Writer().number(3), frames, frames.length)));
        RecordReader<Book> found = reader(file.contents());
        assertEquals("Carrie", found.next().name());
        assertEquals(1, refused(Code.TRUNCATED, "record 1: ", found::next).at());
        assertEquals("Carrie", found.next().name());
        assertFalse(found.hasNext());
    }

    @Test
    void aReaderFollowsAFileThatGrows() throws IOException {
        Path path = folder.resolve("growing.records");
        try (RecordWriter<Book> out = RecordWriter.create(path, CODEC);
            RecordReader<Book> found = RecordReader.open(path, CODEC,
                RecordReaderOptions.DEFAULT.withGrowing(true))) {
            assertFalse(found.hasNext());
            for (Book book : books(3)) {
                out.write(book);
                assertFalse(found.hasNext());
                out.flush();
                assertEquals(List.of(book), found.stream().toList());
            }
        }
    }

    @Test
    void appendsAfterACrashAtAnyByte() throws IOException {
        byte[] data = file(books(4), RecordWriterOptions.DEFAULT.withBlockBytes(1));
        Book last = new Book("last", 1);
        Path path = folder.resolve("crashed.records");
        for (int cut = 0; cut <= data.length; cut++) {
            Files.write(path, Arrays.copyOf(data, cut));
            int kept;
            try (RecordWriter<Book> out = RecordWriter.append(path, CODEC)) {
                kept = (int) out.records();
                out.write(last);
            }
            List<Book> wanted = new ArrayList<>(books(kept));
            wanted.add(last);
            try (RecordReader<Book> found = RecordReader.open(path, CODEC)) {
                assertEquals(wanted, found.stream().toList());
                assertEquals(kept + 1, found.count());
            }
        }
    }

    @Test
    void refusesToAppendAnotherTypeAndChangesNothing() throws IOException {
        byte[] data = file(books(3), RecordWriterOptions.DEFAULT);
        MemoryFile file = new MemoryFile(data);
        refused(Code.SCHEMA_MISMATCH, "struct Film here, struct Book there",
            () -> RecordWriter.append(file, Pack.codec(Film.class), RecordWriterOptions.DEFAULT));
        assertArrayEquals(data, file.contents());
        data[data.length - 3] ^= 1;
        refused(Code.MALFORMED, "checksum",
            () -> RecordWriter.append(new MemoryFile(data), CODEC, RecordWriterOptions.DEFAULT));
    }

    @Test
    void aFirstBlockThatSeemsNotToEndIsEmptiedOnlyIfItIsThatOfTheWriter() throws IOException {
        byte[] data = file(books(3), RecordWriterOptions.DEFAULT);
        byte[] damaged = data.clone();
        // A size that the file is too short for: every record would be behind it.
        damaged[9] = (byte) 0xff;
        damaged[10] = 0x7f;
        MemoryFile file = new MemoryFile(damaged);
        refused(Code.MALFORMED, "nothing is cut off",
            () -> RecordWriter.append(file, CODEC, RecordWriterOptions.DEFAULT));
        assertArrayEquals(damaged, file.contents());
        byte[] begun = Arrays.copyOf(data, 30);
        refused(Code.MALFORMED, "nothing is cut off",
            () -> RecordWriter.append(new MemoryFile(begun), Pack.codec(Film.class), RecordWriterOptions.DEFAULT));
        MemoryFile again = new MemoryFile(begun);
        try (RecordWriter<Book> out = RecordWriter.append(again, CODEC, RecordWriterOptions.DEFAULT)) {
            out.writeAll(books(3));
        }
        assertArrayEquals(data, again.contents());
    }

    private static int startOfIndex(byte[] file) {
        return (int) Places.fixed(file, file.length - Long.BYTES - Block.CHECKSUM_BYTES);
    }

    @Test
    void aWriterWritesNothingThatItsOwnLimitsRefuse() throws IOException {
        Limits tight = Limits.DEFAULT.withBufferedBytes(64);
        RecordWriterOptions options = RecordWriterOptions.DEFAULT.withBlockBytes(40).withLimits(tight);
        MemoryFile file = new MemoryFile(new byte[0]);
        try (RecordWriter<Book> out = RecordWriter.create(file, CODEC, options)) {
            out.writeAll(books(120));
            refused(Code.LIMIT_SIZE, "needs a block", () -> out.write(new Book("x".repeat(64), 1)));
            assertEquals(120, out.records());
        }
        // An index of forty blocks would be larger than the limit: there is none.
        FileWalk walk = new FileWalk(file, Limits.DEFAULT);
        walk.update();
        assertFalse(walk.indexed());
        RecordReader<Book> found = RecordReader.open(file.position(0), CODEC,
            RecordReaderOptions.DEFAULT.withLimits(tight));
        assertEquals(120, found.count());
        found.seek(119);
        assertEquals(books(120).get(119), found.next());
        refused(Code.MISUSE, "blockBytes=60", () -> RecordWriter.create(file, CODEC, options.withBlockBytes(60)));
        try (RecordWriter<Book> out = RecordWriter.append(file, CODEC, options)) {
            assertEquals(120, out.records());
        }
    }

    @Test
    void anIndexNamesOnlyBlocksThatCanBeThere() {
        long[][] refused = {{53, 61}, {52, 62}, {53, 92}, {53, -1}};
        long[][] fit = {{53, 62}, {53, 91}, {}};
        for (long[] starts : fit) {
            assertEquals(starts.length, Places.of(index(starts), 53).size());
        }
        for (long[] starts : refused) {
            refused(Code.MALFORMED, "cannot be there", () -> Places.of(index(starts), 53));
        }
    }

    /** An index at 100 of blocks that start there, of three records each. */
    private static Block index(long... starts) {
        Numbers.Writer fields = new Numbers.Writer().number(starts.length);
        long before = 0;
        for (long start : starts) {
            fields.number(start - before).number(3);
            before = start;
        }
        fields.fixed(100);
        byte[] body = new byte[fields.length()];
        fields.copyTo(body, 0);
        return new Block(BlockKind.INDEX, 100, 102, 106 + body.length, body);
    }

    @Test
    void aGrowingReaderSeesWhatAnAppendPutInPlaceOfAnUnfinishedBlock() throws IOException {
        byte[] crashed = Arrays.copyOf(file(books(3), RecordWriterOptions.DEFAULT.withBlockBytes(1)), 80);
        Path path = folder.resolve("replaced.records");
        Files.write(path, crashed);
        Book last = new Book("Misery ".repeat(20), 1987);
        RecordReaderOptions growing = RecordReaderOptions.DEFAULT.withGrowing(true);
        try (RecordReader<Book> found = RecordReader.open(path, CODEC, growing)) {
            List<Book> kept = found.stream().toList();
            try (RecordWriter<Book> out = RecordWriter.append(path, CODEC)) {
                assertEquals(kept.size(), out.records());
                out.write(last);
            }
            assertEquals(List.of(last), found.stream().toList());
        }
        // A channel of the caller has to be opened again.
        MemoryFile file = new MemoryFile(crashed);
        RecordReader<Book> found = RecordReader.open(file, CODEC, growing);
        found.stream().toList();
        long read = file.position();
        try (RecordWriter<Book> out = RecordWriter.append(file, CODEC, RecordWriterOptions.DEFAULT)) {
            out.write(last);
        }
        file.position(read);
        refused(Code.MALFORMED, "", found::hasNext);
    }

    @Test
    void aDamagedSizeIsNotTakenForAnUnfinishedBlock() throws IOException {
        int head = startOfIndex(file(List.of(), RecordWriterOptions.DEFAULT));
        byte[] whole = file(books(60), RecordWriterOptions.DEFAULT.withBlockBytes(200));
        byte[] records = Arrays.copyOf(whole, startOfIndex(whole));
        byte[] many = file(books(200), RecordWriterOptions.DEFAULT.withBlockBytes(40));
        int start = startOfIndex(many);
        byte[] indexed = Arrays.copyOf(many, many.length + start - head);
        System.arraycopy(many, head, indexed, many.length, start - head);
        refusesSize(records, head);
        refusesSize(indexed, start);
    }

    /** With one more bit in the size of the block at an offset, which has others behind it. */
    private static void refusesSize(byte[] data, int at) throws IOException {
        byte[] damaged = data.clone();
        damaged[at + 2] |= 0x40;
        MemoryFile file = new MemoryFile(damaged);
        RecordReaderOptions growing = RecordReaderOptions.DEFAULT.withGrowing(true);
        for (Executable use : List.<Executable>of(
            () -> reader(damaged).stream().toList(),
            () -> RecordReader.open(new MemoryFile(damaged), CODEC, growing).stream().toList(),
            () -> reader(damaged).count(),
            () -> RecordWriter.append(file, CODEC, RecordWriterOptions.DEFAULT))) {
            assertEquals(at + 1, refused(Code.MALFORMED, "its size is damaged", use).at());
        }
        assertArrayEquals(damaged, file.contents());
    }

    @Test
    void zerosOfAPowerCutAreToldAsSuch() throws IOException {
        byte[] whole = file(books(3), RecordWriterOptions.DEFAULT);
        int head = startOfIndex(file(List.of(), RecordWriterOptions.DEFAULT));
        refused(Code.UNSUPPORTED, "cut the file to " + whole.length + " bytes",
            () -> reader(Arrays.copyOf(whole, whole.length + 4096)).stream().toList());
        byte[] torn = Arrays.copyOf(Arrays.copyOf(whole, head + 20), whole.length);
        refused(Code.MALFORMED, "the power may have failed", () -> reader(torn).stream().toList());
    }

    @Test
    void aWriterSyncsWhatItHas() throws IOException {
        Path path = folder.resolve("synced.records");
        try (RecordWriter<Book> out = RecordWriter.create(path, CODEC)) {
            out.writeAll(books(3));
            out.sync();
            assertEquals(books(3), reader(Files.readAllBytes(path)).stream().toList());
        }
        try (RecordWriter<Book> out = RecordWriter.create(new MemoryFile(new byte[0]), CODEC,
            RecordWriterOptions.DEFAULT)) {
            refused(Code.MISUSE, "cannot be synced", out::sync);
        }
    }

    @Test
    void aPipeIsReadAsItComes() throws Exception {
        Pipe pipe = Pipe.open();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (Pipe.SinkChannel sink = pipe.sink(); RecordWriter<Book> out = RecordWriter.create(sink, CODEC,
                RecordWriterOptions.DEFAULT.withBlockBytes(100))) {
                out.writeAll(books(1000));
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
        try (Pipe.SourceChannel source = pipe.source();
            RecordReader<Book> found = RecordReader.open(source, CODEC, RecordReaderOptions.DEFAULT)) {
            assertEquals(books(1000), found.stream().toList());
            refused(Code.MISUSE, "cannot be sought", found::count);
        }
        writing.get();
    }

    @Test
    void aFullDiskLeavesWholeBlocksAndEndsTheWriter() throws IOException {
        for (int room = 60; room < 400; room += 7) {
            MemoryFile file = new MemoryFile(new byte[0]).full(room);
            RecordWriter<Book> out = RecordWriter.create(file, CODEC, RecordWriterOptions.DEFAULT.withBlockBytes(1));
            int[] kept = {0};
            IOException full = assertThrows(IOException.class, () -> {
                for (Book book : books(100)) {
                    out.write(book);
                    kept[0]++;
                }
            });
            assertTrue(full.getMessage().contains("No space"));
            refused(Code.CLOSED, "append", () -> out.write(new Book("one more", 1)));
            out.close();
            assertEquals(books(kept[0]), reader(file.contents()).stream().toList());
        }
    }

    @Test
    void refusesImpossibleOptions() {
        Path path = folder.resolve("none.records");
        RecordWriterOptions some = RecordWriterOptions.DEFAULT;
        refused(Code.MISUSE, "blockBytes=0", () -> some.withBlockBytes(0));
        refused(Code.MISUSE, "frameBytes", () -> RecordWriter.create(path, CODEC, some.withBlockBytes((1 << 26) + 1)));
        assertFalse(Files.exists(path));
    }

    @Test
    void afterCloseItIsClosed() throws IOException {
        Path path = folder.resolve("closed.records");
        RecordWriter<Book> out = RecordWriter.create(path, CODEC);
        out.close();
        out.close();
        refused(Code.CLOSED, "", () -> out.write(new Book("Cujo", 1981)));
        RecordReader<Book> found = RecordReader.open(path, CODEC);
        found.close();
        refused(Code.CLOSED, "", found::hasNext);
        refused(Code.CLOSED, "", found::count);
        refused(Code.CLOSED, "", () -> found.seek(0));
    }

    @Test
    void aReaderHoldsOneBlockAtATime() throws IOException {
        Path path = folder.resolve("large.records");
        Book book = new Book("x".repeat(1000), 1);
        try (RecordWriter<Book> out = RecordWriter.create(path, CODEC)) {
            for (int i = 0; i < 20_000; i++) {
                out.write(book);
            }
        }
        assertTrue(Files.size(path) > 20_000_000);
        RecordReaderOptions tight = RecordReaderOptions.DEFAULT
            .withLimits(Limits.DEFAULT.withBufferedBytes(65_536));
        try (RecordReader<Book> found = RecordReader.open(path, CODEC, tight)) {
            assertEquals(20_000, found.stream().filter(book::equals).count());
            assertEquals(20_000, found.count());
        }
    }
}
