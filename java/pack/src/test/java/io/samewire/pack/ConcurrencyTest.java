package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.samewire.core.Frames;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A codec is thread-safe, and calls may nest. */
class ConcurrencyTest {
    record Item(String name, String group, int number) {}

    /** A record whose accessor encodes something itself. */
    record Nested(String text) {
        private static final Codec<List<String>> INNER =
            Pack.builder(new TypeRef<List<String>>() {}).check(false).build();

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
            byte[][] got = new byte[1][];
            Thread thread = new Thread(() -> got[0] = codec.encode(items));
            thread.start();
            thread.join();
            assertArrayEquals(wanted, got[0]);
        }
        assertArrayEquals(wanted, codec.encode(items));
    }

    /**
     * What a decoder knows of its schema is complete before threads share it: here each meets 300 structs that it only
     * skips.
     */
    @Test
    void manyThreadsOneFreshDecoder() throws Exception {
        record Title(String title) {}
        int structs = 300;
        StringBuilder schema = new StringBuilder("struct Title { title: string, parts: list<union { ");
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(new byte[] {(byte) 0x81, 1, (byte) 0x61, 1});
        message.writeBytes(Frames.head(structs));
        for (int i = 0; i < structs; i++) {
            schema.append(i == 0 ? "" : ", ").append("struct S").append(1000 + i).append(" { x: i8 }");
            message.writeBytes(i == 0 ? new byte[1] : Frames.head(i));
            message.write(i);
        }
        String text = schema.append(" }> }").toString();
        byte[] bytes = message.toByteArray();
        Codec<Title> codec = Pack.codec(Title.class);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 20; round++) {
                Decoder<Title> decoder = codec.resolve(text);
                Callable<Title> read = () -> decoder.decode(bytes);
                for (Future<Title> done : threads.invokeAll(Collections.nCopies(4, read))) {
                    assertEquals(new Title("a"), done.get());
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void entriesOfAConcurrentMapBelongTogether() throws Exception {
        Codec<ConcurrentHashMap<Integer, String>> codec =
            Pack.codec(new TypeRef<ConcurrentHashMap<Integer, String>>() {});
        ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 100; i++) {
            map.put(i, "of " + i);
        }
        Thread other = new Thread(() -> {
            for (int i = 100; !Thread.interrupted(); i++) {
                map.remove(i - 100);
                map.put(i, "of " + i);
            }
        });
        other.start();
        try {
            for (int i = 0; i < 5000; i++) {
                codec.decode(codec.encode(map)).forEach((key, value) -> assertEquals("of " + key, value));
            }
        } finally {
            other.interrupt();
            other.join();
        }
    }

    record Rows(String text, short[] shorts, int[] ints, long[] longs, double[] doubles, boolean[] flags) {}

    /**
     * A thread that writes to bytes or arrays in use gets an unspecified value or an error, but no other memory is read
     * or written.
     */
    @Test
    void arraysThatChangeMeanwhile() throws InterruptedException {
        Codec<Rows> codec = Pack.codec(Rows.class);
        Rows rows = new Rows("text", new short[200], new int[300], new long[300], new double[20], new boolean[50]);
        byte[] message = codec.encode(rows);
        byte[] whole = message.clone();
        boolean[] done = new boolean[1];
        Thread other = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(1);
            while (!done(done)) {
                message[random.nextInt(message.length)] = (byte) random.nextInt();
                rows.shorts[random.nextInt(200)] = (short) random.nextInt();
                rows.ints[random.nextInt(300)] = random.nextInt() >>> random.nextInt(32);
                rows.longs[random.nextInt(300)] = random.nextLong() >> random.nextInt(64);
                if (random.nextInt(20) == 0) {
                    System.arraycopy(whole, 0, message, 0, whole.length);
                }
            }
        });
        other.start();
        try {
            for (int i = 0; i < 20_000; i++) {
                attempt(() -> codec.decode(message));
                attempt(() -> codec.decode(codec.encode(rows)));
            }
        } finally {
            synchronized (done) {
                done[0] = true;
            }
            other.join();
        }
        assertEquals("text", codec.decode(whole).text);
    }

    private static boolean done(boolean[] done) {
        synchronized (done) {
            return done[0];
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (SamewireException refused) {
            assertNotNull(refused.code());
        }
    }

    @Test
    void oneCallInsideAnother() {
        Codec<List<Nested>> codec = Pack.codec(new TypeRef<List<Nested>>() {});
        byte[] bytes = codec.encode(List.of(new Nested("a"), new Nested("a")));
        assertEquals("a8", codec.decode(bytes).get(1).text().substring(0, 2));
    }
}
