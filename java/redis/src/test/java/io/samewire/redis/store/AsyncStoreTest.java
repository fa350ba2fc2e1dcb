package io.samewire.redis.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Name;
import io.samewire.pack.Nullable;
import io.samewire.pack.Pack;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisCluster;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.ValkeyCluster;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store of callers that do not wait, beside the blocking one of the same values. */
@Timeout(180)
class AsyncStoreTest extends OnOneServer {
    private static final String SCHEMA = "samewire:schema:0f27dc222788d95c";
    private static final Book CARRIE = new Book("Carrie", 1974);
    private static final Book CUJO = new Book("Cujo", 1981);

    record Book(String name, int year) { }

    /** Other fields under the same name, which resolve in one direction. */
    @Name("Book")
    record LaterBook(long year, @Nullable String author, String name) { }

    private final Store<Book> waiting = client.store(Book.class, "book:");
    private final AsyncStore<Book> store = waiting.async();

    private static StoredValueException refused(CompletableFuture<?> future) {
        return assertInstanceOf(StoredValueException.class,
            assertThrows(CompletionException.class, future::join).getCause());
    }

    @Test
    void storesWhatTheBlockingStoreReads() {
        assertEquals(Optional.empty(), store.get("carrie").join());
        store.put("carrie", CARRIE).join();
        assertEquals(Optional.of(CARRIE), waiting.get("carrie"));
        assertEquals(Optional.of(CARRIE), store.get("carrie").join());
        assertEquals("struct Book { name: string, year: i32 }", run(Strings.get(SCHEMA)).orElseThrow());
        assertFalse(store.putIfAbsent("carrie", CUJO).join());
        assertTrue(store.replace("carrie", CUJO).join());
        assertFalse(store.replace("none", CUJO).join());
        assertTrue(store.exists("carrie").join());
        assertEquals(1, store.delete("carrie", "none").join());
        assertFalse(store.exists("carrie").join());
        assertEquals(waiting.toString(), store.toString());
    }

    @Test
    void valuesLiveAsLongAsTheStoreSays() {
        AsyncStore<Book> brief = waiting.withTtl(Duration.ofSeconds(100)).async();
        brief.put("x", CARRIE).join();
        brief.putAll(Map.of("y", CARRIE)).join();
        brief.update("z", old -> Optional.of(CUJO)).join();
        for (String key : List.of("book:x", "book:y", "book:z")) {
            long left = run(Keys.pttl(key));
            assertTrue(left > 0 && left <= 100_000, key + " lives for " + left + " ms");
        }
        store.update("x", old -> Optional.of(CUJO)).join();
        assertTrue(run(Keys.pttl("book:x")) > 0, "an update lost the time to live");
        assertTrue(brief.touch("x").join());
        assertFalse(brief.touch("none").join());
        assertFalse(store.touch("none").join());
    }

    @Test
    void manyAreWrittenAndReadInChunks() {
        manyAreWrittenAndRead(store);
        // What is too large together is read one by one.
        Map<String, Book> large = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            large.put("large" + i, new Book("x".repeat(100_000), i));
        }
        store.putAll(large).join();
        RedisOptions narrow = client.options().withLimits(Limits.DEFAULT.withFrameBytes(500_000));
        try (RedisClient other = RedisClient.connect(narrow)) {
            List<Optional<Book>> found = other.store(Book.class, "book:").async().getAll(large.keySet()).join();
            assertEquals(List.copyOf(large.values()), found.stream().map(Optional::orElseThrow).toList());
        }
    }

    private static void manyAreWrittenAndRead(AsyncStore<Book> store) {
        Map<String, Book> items = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            items.put("n" + i, new Book("book " + i, i));
        }
        items.put("large", new Book("x".repeat(3_000_000), 1));
        store.putAll(items).join();
        List<String> names = new ArrayList<>(items.keySet());
        names.add(7, "none");
        List<Optional<Book>> found = store.getAll(names).join();
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Optional.ofNullable(items.get(names.get(i))), found.get(i), names.get(i));
        }
        assertEquals(10_001, store.deleteAll(names).join());
        assertEquals(List.of(Optional.empty()), store.getAll(List.of("large")).join());
    }

    @Test
    void otherSchemasAreLookedUpOnce() {
        waiting.putAll(Map.of("x", CARRIE, "y", CUJO));
        AsyncStore<LaterBook> later = client.store(LaterBook.class, "book:").async();
        assertEquals(List.of(Optional.of(new LaterBook(1974, null, "Carrie")),
            Optional.of(new LaterBook(1981, null, "Cujo"))), later.getAll(List.of("x", "y")).join());
        run(Keys.del(SCHEMA));
        assertEquals(1974, later.get("x").join().orElseThrow().year());
        later.put("z", new LaterBook(1977, "Stephen King", "The Shining")).join();
        StoredValueException error = refused(store.get("z"));
        assertEquals(Code.SCHEMA_MISMATCH, error.code());
        assertEquals("$.year", error.path());
        assertEquals("book:z", error.key());
        assertArrayEquals(run(Strings.get("book:z").as(Text.BYTES)).orElseThrow(), error.data());
        run(Strings.set("book:odd", "text"));
        assertEquals("book:odd", refused(store.getAll(List.of("x", "odd"))).key());
        assertEquals(Code.TRUNCATED, refused(store.get(emptied())).code());
        assertEquals(Code.SCHEMA_MISMATCH, refused(client.store(LaterBook.class, "book:").async().get("x")).code());
    }

    private static String emptied() {
        run(Strings.set("book:empty", ""));
        return "empty";
    }

    @Test
    void nothingIsWrittenIfTheKeyHoldsAnotherSchema() {
        run(Strings.set(SCHEMA, "i32"));
        assertEquals(SCHEMA, refused(store.put("x", CARRIE)).key());
        assertEquals(SCHEMA, refused(store.putAll(Map.of("x", CARRIE))).key());
        assertEquals(SCHEMA, refused(store.update("x", old -> Optional.of(CARRIE))).key());
        assertFalse(waiting.exists("x"));
    }

    @Test
    void itsSchemaIsLookedAfter() {
        AtomicInteger seconds = new AtomicInteger();
        AsyncStore<Book> timed = TypedValues.of(new ClientExecutor(client), Pack.codec(Book.class),
            () -> seconds.get() * 1_000_000_000L).store("book:").async();
        timed.put("x", CARRIE).join();
        run(Keys.del(SCHEMA));
        seconds.set(59);
        timed.put("x", CARRIE).join();
        assertEquals(0, run(Keys.exists(SCHEMA)));
        seconds.set(60);
        timed.put("x", CARRIE).join();
        assertEquals(1, run(Keys.exists(SCHEMA)));
    }

    @Test
    void callersThatComeTogetherLookForTheirSchemaOnce() {
        run(Server.configResetstat());
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            puts.add(store.put("last", new Book("book", i)));
        }
        puts.forEach(CompletableFuture::join);
        assertEquals(999, waiting.get("last").orElseThrow().year(), "a later put ran before an earlier one");
        String looks = run(Server.info("commandstats")).get("cmdstat_setnx");
        int calls = Integer.parseInt(looks.replaceAll("calls=(\\d+),.*", "$1"));
        assertTrue(calls < 100, "looked for the schema " + calls + " times");
    }

    @Test
    void updatesLoseNothing() {
        List<CompletableFuture<Optional<Book>>> updates = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            updates.add(store.update("n", old -> Optional.of(new Book("n", old.map(Book::year).orElse(0) + 1))));
        }
        updates.forEach(CompletableFuture::join);
        assertEquals(Optional.of(new Book("n", 100)), waiting.get("n"));
        assertThrows(CompletionException.class, store.update("n", old -> Optional.empty())::join);
        assertEquals(Optional.empty(), store.updateOrDelete("n", old -> Optional.empty()).join());
        assertFalse(waiting.exists("n"));
        CompletableFuture<?> nothing = store.update("n", old -> null);
        assertTrue(assertThrows(CompletionException.class, nothing::join).getCause().getMessage()
            .contains("updateOrDelete() deletes"));
        CompletableFuture<?> thrown = store.update("n", old -> {
            throw new IllegalStateException("mine");
        });
        assertEquals("mine", assertThrows(CompletionException.class, thrown::join).getCause().getMessage());
    }

    @Test
    void whatIsChainedMustNotWait() {
        CompletableFuture<?> waits;
        // Nothing is done before it is chained to.
        server.stall();
        try {
            waits = store.update("x", old -> Optional.of(store.get("y").join().orElse(CUJO)));
        } finally {
            server.goOn();
        }
        SamewireException misuse = assertInstanceOf(SamewireException.class,
            assertThrows(CompletionException.class, waits::join).getCause());
        assertEquals(Code.MISUSE, misuse.code());
    }

    @Test
    void clustersHaveIt() {
        try (ValkeyCluster servers = new ValkeyCluster(); RedisCluster cluster = RedisCluster.connect(servers.uris())) {
            AsyncStore<Book> books = cluster.store(Book.class, "book:").async();
            manyAreWrittenAndRead(books);
            books.update("x", old -> Optional.of(CARRIE)).join();
            assertEquals(Optional.of(CARRIE), books.get("x").join());
        }
    }
}
