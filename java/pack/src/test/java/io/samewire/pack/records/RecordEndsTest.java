package io.samewire.pack.records;

import static io.samewire.pack.records.RecordFilesTest.CODEC;
import static io.samewire.pack.records.RecordFilesTest.books;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.records.RecordTypes.Book;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The option {@code complete}: a file that was cut off is noticed, also between two blocks. */
class RecordEndsTest {
    private static final RecordReaderOptions COMPLETE = RecordReaderOptions.DEFAULT.withComplete(true);
    private static final List<Book> BOOKS = books(12);

    /** What was read, and the error behind it or null. */
    private record Result(List<Book> books, SamewireException error) {}

    /** Adds two records in a block to a file, and closes it. */
    private static byte[] appended(byte[] before, List<Book> books) throws IOException {
        MemoryFile file = new MemoryFile(before);
        try (RecordWriter<Book> out = before.length == 0
            ? RecordWriter.create(file, CODEC, RecordWriterOptions.DEFAULT)
            : RecordWriter.append(file, CODEC, RecordWriterOptions.DEFAULT)) {
            for (int start = 0; start < books.size(); start += 2) {
                out.writeAll(books.subList(start, start + 2));
                out.flush();
            }
        }
        return file.contents();
    }

    private static byte[] file() throws IOException {
        return appended(new byte[0], BOOKS);
    }

    /** Where each block ends, the schema's first. */
    private static List<Integer> ends(byte[] data) {
        BlockScanner scanner = new BlockScanner(Limits.DEFAULT, 0);
        scanner.feed(ByteBuffer.wrap(data));
        List<Integer> ends = new ArrayList<>();
        for (Block block = scanner.next(); block != null; block = scanner.next()) {
            ends.add((int) block.end());
        }
        return ends;
    }

    /** Reads the first bytes of a file, as a stream that cannot be sought. */
    private static Result read(byte[] data, int cut, RecordReaderOptions options) throws IOException {
        List<Book> books = new ArrayList<>();
        try {
            RecordReader.open(Channels.newChannel(new ByteArrayInputStream(data, 0, cut)), CODEC, options)
                .forEachRemaining(books::add);
        } catch (SamewireException error) {
            return new Result(books, error);
        }
        return new Result(books, null);
    }

    private static void assertTruncated(List<Book> books, int at, Result found) {
        assertEquals(books, found.books());
        assertEquals(Code.TRUNCATED, found.error().code(), found.error()::getMessage);
        assertEquals(at, found.error().at());
        assertNull(found.error().path());
    }

    @Test
    void aWholeFileIsComplete() throws IOException {
        byte[] data = file();
        assertEquals(new Result(BOOKS, null), read(data, data.length, COMPLETE));
        byte[] empty = appended(new byte[0], List.of());
        assertEquals(new Result(List.of(), null), read(empty, empty.length, COMPLETE));
        byte[] more = appended(data, BOOKS);
        assertEquals(new Result(books(12, 12), null), read(more, more.length, COMPLETE));
    }

    private static List<Book> books(int... counts) {
        return Arrays.stream(counts).mapToObj(RecordFilesTest::books).flatMap(List::stream).toList();
    }

    @Test
    void isTruncatedAtTheEndOfEveryBlockBehindItsRecords() throws IOException {
        byte[] data = file();
        List<Integer> ends = ends(data);
        for (int i = 0; i < ends.size() - 1; i++) {
            List<Book> books = BOOKS.subList(0, 2 * i);
            assertEquals(new Result(books, null), read(data, ends.get(i), RecordReaderOptions.DEFAULT));
            Result found = read(data, ends.get(i), COMPLETE);
            assertTruncated(books, ends.get(i), found);
            assertTrue(found.error().getMessage().contains("expected an index as the last block"));
        }
    }

    @Test
    void isTruncatedAtEveryByteOfTheLastTwoBlocks() throws IOException {
        byte[] data = file();
        List<Integer> ends = ends(data);
        int last = ends.get(ends.size() - 2);
        for (int cut = ends.get(ends.size() - 3) + 1; cut < data.length; cut++) {
            assertTruncated(BOOKS.subList(0, cut < last ? 10 : 12), cut, read(data, cut, COMPLETE));
        }
    }

    @Test
    void aFileThatWasAppendedToNeedsTheIndexAtItsEnd() throws IOException {
        byte[] data = file();
        byte[] more = appended(data, books(4));
        for (int end : ends(more)) {
            if (end > data.length && end < more.length) {
                assertNull(read(more, end, RecordReaderOptions.DEFAULT).error());
                assertEquals(end, read(more, end, COMPLETE).error().at());
            }
        }
    }

    @Test
    void theErrorStaysAndSeekDoesNotHideIt() throws IOException {
        byte[] data = file();
        byte[] cut = Arrays.copyOf(data, ends(data).get(3));
        RecordReader<Book> found = RecordReader.open(new MemoryFile(cut), CODEC, COMPLETE);
        assertEquals(6, found.count());
        found.seek(5);
        assertEquals(BOOKS.get(5), found.next());
        for (int i = 0; i < 2; i++) {
            assertEquals(Code.TRUNCATED, assertThrows(SamewireException.class, found::hasNext).code());
        }
        RecordReader<Book> whole = RecordReader.open(new MemoryFile(data), CODEC, COMPLETE);
        for (int from : new int[] {12, 5, 0}) {
            whole.seek(from);
            assertEquals(BOOKS.subList(from, 12), whole.stream().toList());
        }
        RecordReader<Book> empty = RecordReader.open(new MemoryFile(appended(new byte[0], List.of())), CODEC, COMPLETE);
        empty.seek(0);
        assertFalse(empty.hasNext());
    }

    @Test
    void aGrowingFileIsNotComplete() {
        SamewireException error = assertThrows(SamewireException.class, () -> COMPLETE.withGrowing(true));
        assertEquals(Code.MISUSE, error.code());
        RecordReaderOptions growing = RecordReaderOptions.DEFAULT.withGrowing(true);
        assertThrows(SamewireException.class, () -> growing.withComplete(true));
    }
}
