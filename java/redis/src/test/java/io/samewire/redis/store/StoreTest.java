package io.samewire.redis.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Name;
import io.samewire.pack.Nullable;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Stores on a real server. */
@Timeout(180)
class StoreTest extends OnOneServer {
    private static final String SCHEMA = "samewire:schema:0f27dc222788d95c";
    private static final Book CARRIE = new Book("Carrie", 1974);
    private static final Book CUJO = new Book("Cujo", 1981);

    record Book(String name, int year) { }

    @Name("Book")
    record LaterBook(long year, @Nullable String author, String name) { }

    private static Store<Book> books() {
        return client.store(Book.class, "book:");
    }

    private static byte[] held(String key) {
        return client.execute(Strings.get(key).as(Text.BYTES)).orElseThrow();
    }

    @Test
    void keepsValuesUnderPrefixAndName() {
        Store<Book> store = books();
        assertEquals(Optional.empty(), store.get("carrie"));
        store.put("carrie", CARRIE);
        assertEquals(Optional.of(CARRIE), store.get("carrie"));
        assertEquals(Optional.of(CARRIE), store.get(Bytes.of("carrie")));
        assertEquals("910f27dc222788d95c0643617272696506ec1e", HexFormat.of().formatHex(held("book:carrie")));
        assertEquals("struct Book { name: string, year: i32 }", new String(held(SCHEMA)));
        assertTrue(store.exists("carrie"));
        assertEquals(1, store.delete("carrie", "none"));
        assertFalse(store.exists("carrie"));
    }

    @Test
    void writesOnConditions() {
        Store<Book> store = books();
        assertFalse(store.replace("x", CARRIE));
        assertTrue(store.putIfAbsent("x", CARRIE));
        assertFalse(store.putIfAbsent("x", CUJO));
        assertTrue(store.replace("x", CUJO));
        assertEquals(Optional.of(CUJO), store.get("x"));
    }

    @Test
    void valuesLiveAsLongAsTheStoreSays() {
        Store<Book> store = books().withTtl(Duration.ofSeconds(100));
        store.put("x", CARRIE);
        assertLives("book:x", 90_000, 100_000);
        store.putAll(Map.of("y", CUJO));
        assertLives("book:y", 90_000, 100_000);
        store.withTtl(Duration.ofSeconds(1000)).update("x", old -> Optional.of(CUJO));
        assertLives("book:x", 990_000, 1_000_000);
        books().update("x", old -> Optional.of(CARRIE));
        assertLives("book:x", 990_000, 1_000_000);
        assertTrue(store.touch("x"));
        assertLives("book:x", 90_000, 100_000);
        assertTrue(books().touch("x"));
        assertFalse(store.touch("none"));
        books().put("x", CARRIE);
        assertEquals(-1, client.execute(Keys.pttl("book:x")));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
            SamewireException error = assertThrows(SamewireException.class, () -> books().withTtl(wrong));
            assertEquals(Code.MISUSE, error.code());
        }
    }

    private static void assertLives(String key, long from, long to) {
        long left = client.execute(Keys.pttl(key));
        assertTrue(left > from && left <= to, key + " lives for " + left + " ms");
    }

    @Test
    void writesAndReadsManyInChunks() {
        Store<Book> store = books();
        Map<String, Book> items = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            items.put("n" + i, new Book("book " + i, i));
        }
        // Above the bytes of a chunk several times over.
        items.put("large", new Book("x".repeat(3_000_000), 1));
        assertEquals(items.size(), store.putAll(items.entrySet().iterator()));
        List<String> names = new ArrayList<>(items.keySet());
        names.add("none");
        List<Optional<Book>> found = store.getAll(names);
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Optional.ofNullable(items.get(names.get(i))), found.get(i), names.get(i));
        }
        assertEquals(items, store.items("*").collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        assertEquals(10_001, store.deleteAll(names));
        assertEquals(List.of(), store.scan().toList());
    }

    @Test
    void scansNamesAndNoSchemas() {
        Store<Book> store = client.store(Book.class, "a*[b]\\");
        store.putAll(Map.of("one", CARRIE, "öl", CUJO));
        client.execute(Strings.set("a-b-x", "other"));
        assertEquals(Set.of("one", "öl"), store.scan().collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(List.of("one"), store.scan("o*").toList());
        assertEquals(Set.of("a*[b]\\one", "a*[b]\\öl", "a-b-x"),
            client.store(Book.class, "").scan().collect(Collectors.toSet()));
        store.put(Bytes.wrap(new byte[] {(byte) 0xff}), CARRIE);
        assertEquals(3, store.scanBytes("*").count());
        assertEquals(Code.BAD_UTF8, assertThrows(SamewireException.class, () -> store.scan().toList()).code());
    }

    @Test
    void readsOtherSchemas() {
        books().put("x", CARRIE);
        Store<LaterBook> later = client.store(LaterBook.class, "book:");
        assertEquals(Optional.of(new LaterBook(1974, null, "Carrie")), later.get("x"));
        client.execute(Keys.del(SCHEMA));
        assertEquals(Optional.of(new LaterBook(1974, null, "Carrie")), later.get("x"), "looked up once");
        later.put("y", new LaterBook(1977, "Stephen King", "The Shining"));
        StoredValueException error = assertThrows(StoredValueException.class, () -> books().get("y"));
        assertEquals(Code.SCHEMA_MISMATCH, error.code());
        assertEquals("$.year", error.path());
        assertEquals("book:y", error.key());
        assertArrayEquals(held("book:y"), error.data());
        assertTrue(error.getMessage().startsWith("book:y: schema_mismatch in $.year: "), error.getMessage());
    }

    @Test
    void looksAfterTheKeyOfItsSchema() {
        AtomicInteger seconds = new AtomicInteger();
        Store<Book> store = TypedValues.of(executor(), io.samewire.pack.Pack.codec(Book.class),
            () -> seconds.get() * 1_000_000_000L).store("book:");
        store.put("x", CARRIE);
        client.execute(Keys.del(SCHEMA));
        seconds.set(59);
        store.put("x", CARRIE);
        assertEquals(0, client.execute(Keys.exists(SCHEMA)));
        seconds.set(60);
        store.put("x", CARRIE);
        assertEquals(1, client.execute(Keys.exists(SCHEMA)));
    }

    private static CommandExecutor executor() {
        return new ClientExecutor(client);
    }

    @Test
    void writesNothingIfTheKeyHoldsAnotherSchema() {
        client.execute(Strings.set(SCHEMA, "i32"));
        StoredValueException error = assertThrows(StoredValueException.class, () -> books().put("x", CARRIE));
        assertEquals(Code.SCHEMA_MISMATCH, error.code());
        assertEquals(SCHEMA, error.key());
        assertEquals("i32", new String(error.data()));
        assertFalse(books().exists("x"));
    }

    @Test
    void keepsSchemasWhereItIsTold() {
        client.typed(Book.class).withSchemas("app:schemas:").store("book:").put("x", CARRIE);
        assertEquals(1, client.execute(Keys.exists("app:schemas:0f27dc222788d95c")));
        assertEquals(0, client.execute(Keys.exists(SCHEMA)));
    }

    @Test
    void updatesLoseNothing() throws Exception {
        Store<Book> store = books();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> work = () -> {
                for (int i = 0; i < 50; i++) {
                    store.update("x", old -> Optional.of(new Book("n", old.map(Book::year).orElse(0) + 1)));
                }
                return null;
            };
            for (Future<Void> done : threads.invokeAll(List.of(work, work, work, work))) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(Optional.of(new Book("n", 200)), store.get("x"));
        assertEquals(Optional.empty(), store.updateOrDelete("x", old -> Optional.empty()));
        assertFalse(store.exists("x"));
    }

    @Test
    void anUpdateThatReturnsNothingIsMisuseAndDeletesNothing() {
        Store<Book> store = books();
        store.put("x", CUJO);
        SamewireException wrong = assertThrows(SamewireException.class, () -> store.update("x", old -> null));
        assertEquals(Code.MISUSE, wrong.code());
        assertTrue(wrong.getMessage().contains("updateOrDelete() deletes"), wrong.getMessage());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> store.update("x", old -> old.map(book -> null))).code(), "a function without a result");
        assertThrows(SamewireException.class, () -> store.updateOrDelete("x", old -> null));
        assertEquals(Optional.of(CUJO), store.get("x"));
        assertEquals(Optional.empty(), store.update("absent", old -> old));
    }

    @Test
    void aNameThatIsNullIsMisuse() {
        for (Executable call : List.<Executable>of(() -> books().get(null), () -> books().put(null, CUJO),
                () -> books().exists(null), () -> books().update(null, old -> old))) {
            SamewireException wrong = assertThrows(SamewireException.class, call);
            assertEquals(Code.MISUSE, wrong.code());
            assertTrue(wrong.getMessage().contains("a name is null"), wrong.getMessage());
        }
    }
}
