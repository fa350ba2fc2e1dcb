package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of several versions of a type, by stores of schemas. */
class VersionedCodecTest {
    @TempDir
    Path folder;

    static final class Old {
        record Book(String name, int year) {}

        private Old() {}
    }

    record Book(long year, String name, @Nullable String author) {}

    record Film(String name) {}

    private static SamewireException refused(VersionedCodec<?> codec, byte[] message) {
        return assertThrows(SamewireException.class, () -> codec.decode(message));
    }

    @Test
    void readsWhatAnOlderVersionWrote() {
        for (SchemaStore store : List.of(new MemorySchemas(), new FolderSchemas(folder.resolve("schemas")))) {
            VersionedCodec<Old.Book> old = new VersionedCodec<>(Pack.codec(Old.Book.class), store);
            VersionedCodec<Book> current = new VersionedCodec<>(Pack.codec(Book.class), store);
            byte[] message = old.encode(new Old.Book("Carrie", 1974));
            assertEquals(new Book(1974, "Carrie", null), current.decode(message));
            assertSame(current.decoderFor(message), current.decoderFor(message));
            Book own = new Book(1981, "Cujo", "Stephen King");
            assertEquals(own, current.decode(current.encode(own)));
            assertEquals(Optional.of(current.schema().text()), store.get(current.schema().digest()));
        }
    }

    @Test
    void refusesMessagesWhoseSchemaIsUnknown() {
        MemorySchemas store = new MemorySchemas();
        VersionedCodec<Book> codec = new VersionedCodec<>(Pack.codec(Book.class), store);
        Codec<Old.Book> old = Pack.builder(Old.Book.class).digest(true).build();
        SamewireException nowhere = refused(codec, old.encode(new Old.Book("Carrie", 1974)));
        assertEquals(Code.SCHEMA_MISMATCH, nowhere.code());
        assertEquals(1, nowhere.at());
        SamewireException without = refused(codec, Pack.codec(Book.class).encode(new Book(1, "a", null)));
        assertEquals(Code.SCHEMA_MISMATCH, without.code());
        assertEquals(0, without.at());
        byte[] film = new VersionedCodec<>(Pack.codec(Film.class), store).encode(new Film("It"));
        assertEquals("$", refused(codec, film).path());
    }

    @Test
    void checksWhatAFolderHolds() throws IOException {
        FolderSchemas store = new FolderSchemas(folder);
        byte[] message = new VersionedCodec<>(Pack.codec(Old.Book.class), store).encode(new Old.Book("Carrie", 1974));
        List<Path> files = Files.list(folder).toList();
        assertEquals(1, files.size());
        String text = Files.readString(files.get(0));
        for (String wrong : List.of("i32", text + " ", "struct {")) {
            Files.writeString(files.get(0), wrong);
            assertEquals(Code.MALFORMED,
                refused(new VersionedCodec<>(Pack.codec(Book.class), store), message).code(), wrong);
        }
    }
}
