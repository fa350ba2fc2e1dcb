package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A codec is thread-safe, and calls may nest. */
class ConcurrencyTest {
    record Item(String name, String group, int number) {}

    /** A record whose accessor encodes something itself. */
    record Nested(String text) {
        private static final Codec<List<String>> INNER = Pack.codec(new TypeRef<List<String>>() {});

        @Override
        public String text() {
            return text + INNER.encode(List.of("in", "in", "in")).length;
        }
    }

    private static List<Item> items(int seed) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            items.add(new Item("name " + seed * 31 + i, "group " + i % 3, i * seed));
        }
        return items;
    }

    @Test
    void manyThreadsOneCodec() throws Exception {
        Codec<List<Item>> codec = Pack.codec(new TypeRef<List<Item>>() {});
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int seed = 1; seed <= 40; seed++) {
                List<Item> items = items(seed);
                byte[] wanted = codec.encode(items);
                work.add(() -> {
                    Output output = new Output();
                    for (int i = 0; i < 300; i++) {
                        assertArrayEquals(wanted, codec.encode(items));
                        assertEquals(items, codec.decode(wanted));
                        output.clear();
                        codec.encodeInto(items, output);
                        assertArrayEquals(wanted, output.toByteArray());
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void manyShortLivedThreads() throws Exception {
        Codec<List<Item>> codec = Pack.codec(new TypeRef<List<Item>>() {});
        List<Item> items = items(3);
        byte[] wanted = codec.encode(items);
        for (int i = 0; i < 200; i++) {
            Thread thread = new Thread(() -> codec.encode(items));
            thread.start();
            thread.join();
        }
        assertArrayEquals(wanted, codec.encode(items));
    }

    @Test
    void oneCallInsideAnother() {
        Codec<List<Nested>> codec = Pack.codec(new TypeRef<List<Nested>>() {});
        byte[] bytes = codec.encode(List.of(new Nested("a"), new Nested("a")));
        assertEquals("a8", codec.decode(bytes).get(1).text().substring(0, 2));
    }
}
