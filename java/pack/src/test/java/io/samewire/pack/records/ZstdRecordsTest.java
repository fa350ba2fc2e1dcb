package io.samewire.pack.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compressed blocks, with zstd-jni and without. */
class ZstdRecordsTest {
    private static final RecordWriterOptions COMPRESSED =
        RecordWriterOptions.DEFAULT.withCompression(Compression.ZSTD);

    private static MemoryFile file(int announced, byte[] data) {
        byte[] schema = {'s', 't', 'r', 'i', 'n', 'g'};
        byte[] first = Block.bytes(BlockKind.SCHEMA, new Numbers.Writer(), schema, schema.length);
        byte[] second =
            Block.bytes(BlockKind.ZSTD, new Numbers.Writer().number(1).number(announced), data, data.length);
        return new MemoryFile(joined(Block.MAGIC, first, second));
    }

    private static byte[] joined(byte[]... parts) {
        byte[] whole = new byte[Stream.of(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }

    private static Code refused(int announced, byte[] data, Limits limits) throws IOException {
        RecordReader<String> reader = RecordReader.open(file(announced, data), Pack.codec(String.class),
            RecordReaderOptions.DEFAULT.withLimits(limits));
        SamewireException error = assertThrows(SamewireException.class, reader::next);
        assertEquals(error, assertThrows(SamewireException.class, reader::next), "the same error again");
        return error.code();
    }

    @Test
    void isSmallerAndReadsTheSame() throws IOException {
        byte[] plain = RecordFilesTest.file(RecordFilesTest.books(3000), RecordWriterOptions.DEFAULT);
        byte[] packed = RecordFilesTest.file(RecordFilesTest.books(3000), COMPRESSED);
        assertEquals(RecordFilesTest.books(3000), RecordFilesTest.reader(packed).stream().toList());
        assertTrue(packed.length < plain.length / 2, packed.length + " of " + plain.length);
        byte[] one = RecordFilesTest.file(RecordFilesTest.books(1), COMPRESSED);
        assertEquals(RecordFilesTest.file(RecordFilesTest.books(1), RecordWriterOptions.DEFAULT).length, one.length);
    }

    @Test
    void refusesDataThatLieBeforeTheyAreExpanded() throws IOException {
        byte[] bomb = Zstd.compress(new byte[50_000_000], 50_000_000);
        byte[] message = Pack.codec(String.class).encode("abc");
        byte[] frame = joined(new byte[] {(byte) message.length}, message);
        byte[] good = Zstd.compress(frame, frame.length);
        byte[] skippable = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
        assertEquals("abc", RecordReader.open(file(frame.length, good), Pack.codec(String.class),
            RecordReaderOptions.DEFAULT).next());
        assertEquals(Code.MALFORMED, refused(10, bomb, Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(60_000_000, bomb, Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(frame.length, joined(good, new byte[] {'x'}), Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(frame.length, joined(good, skippable), Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(frame.length, joined(skippable, good), Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(frame.length, joined(good, Zstd.compress(frame, 0)), Limits.DEFAULT));
        assertEquals(Code.MALFORMED, refused(frame.length, frame, Limits.DEFAULT));
        for (int cut = 0; cut < good.length; cut++) {
            assertEquals(Code.MALFORMED, refused(frame.length, Arrays.copyOf(good, cut), Limits.DEFAULT));
        }
        assertEquals(Code.LIMIT_SIZE, refused(2000, bomb.length < 1000 ? bomb : Arrays.copyOf(bomb, 900),
            Limits.DEFAULT.withBufferedBytes(1000)));
    }

    @Test
    void isFoundWhereTheProgramHasItThoughThisLibrarysLoaderDoesNotSeeIt() throws Exception {
        URL[] urls = withoutZstd().map(ZstdRecordsTest::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Method method = loader.loadClass(Elsewhere.class.getName()).getDeclaredMethod("run", byte[].class);
            method.setAccessible(true);
            method.invoke(null, (Object) RecordFilesTest.file(RecordFilesTest.books(300), COMPRESSED));
        } catch (InvocationTargetException failed) {
            throw new AssertionError(failed.getCause());
        }
    }

    @Test
    void withoutTheLibraryItNamesTheDependency() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = withoutZstd().collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(java, "-cp", classes, Without.class.getName()).redirectErrorStream(true)
            .start();
        try (OutputStream input = process.getOutputStream()) {
            input.write(RecordFilesTest.file(RecordFilesTest.books(300), COMPRESSED));
        }
        assertEquals("as expected", new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    private static Stream<String> withoutZstd() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(part -> !part.contains("zstd-jni"));
    }

    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Runs where zstd-jni is not on the class path. */
    static final class Without {
        private Without() {}

        public static void main(String[] arguments) throws IOException {
            byte[] file = System.in.readAllBytes();
            RecordReader<RecordTypes.Book> reader = RecordFilesTest.reader(file);
            for (SamewireException error : new SamewireException[] {
                assertThrows(SamewireException.class, reader::next),
                assertThrows(SamewireException.class,
                    () -> RecordFilesTest.file(RecordFilesTest.books(1), COMPRESSED))}) {
                assertEquals(Code.UNSUPPORTED, error.code());
                assertTrue(error.getMessage().contains("com.github.luben:zstd-jni"), error::getMessage);
            }
            System.out.print("as expected");
        }
    }

    /** Runs where this library is loaded apart from zstd-jni. */
    static final class Elsewhere {
        private Elsewhere() {}

        static void run(byte[] file) throws IOException {
            assertThrows(ClassNotFoundException.class, () -> Class.forName("com.github.luben.zstd.Zstd"));
            assertEquals(300, RecordFilesTest.reader(file).stream().count());
            assertEquals(file.length, RecordFilesTest.file(RecordFilesTest.books(300), COMPRESSED).length);
        }
    }
}
