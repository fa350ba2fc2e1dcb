package io.samewire.redis.store;

import io.samewire.pack.Nullable;
import io.samewire.redis.client.RedisClient;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Java side of {@code python/tests/redis/crossing.py}: {@code Crossing write|read URI}. Writes typed values of
 * every place, or reads those that Python wrote and prints what it found.
 */
final class Crossing {
    /** As Python declares it, in another order. */
    record Book(String id, String title, @Nullable String author, int year, BigDecimal price, List<String> tags,
        Map<String, Long> sold, Instant added) { }

    /** A version of the other side's record that lacks fields, and has a wider one. */
    record Later(String word, long number, @Nullable String note) { }

    private Crossing() { }

    /** The value of a number, which the other side makes likewise. */
    static Book book(int i) {
        Map<String, Long> sold = new LinkedHashMap<>();
        sold.put("de", (long) i << 33);
        sold.put("日本", (long) -i);
        return new Book("b" + i, "Straße " + i + " 日本 😀", i % 3 == 0 ? null : "author " + i % 7, 1900 + i,
            new BigDecimal(i + ".50"), List.of("t" + i % 5, "all"), sold,
            Instant.ofEpochSecond(1_700_000_000L + i, i * 1000L));
    }

    public static void main(String[] args) {
        try (RedisClient client = RedisClient.connect(args[1])) {
            if (args[0].equals("write")) {
                write(client);
            } else {
                read(client);
            }
        }
    }

    private static void write(RedisClient client) {
        TypedValues<Book> books = client.typed(Book.class);
        Map<String, Book> many = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            many.put("ö" + i, book(i));
        }
        books.store("java:").putAll(many);
        books.hash("java-hash").putAll(many);
        books.list("java-list").pushAll(new ArrayList<>(many.values()));
        many.values().forEach(books.stream("java-stream")::add);
        client.store(Later.class, "java-later:").put("x", new Later("word", 1L << 40, "note"));
        books.channel("java-channel").publish(book(7));
    }

    private static void read(RedisClient client) {
        TypedValues<Book> books = client.typed(Book.class);
        List<String> names = new ArrayList<>();
        List<Book> wanted = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            names.add("ö" + i);
            wanted.add(book(i));
        }
        List<Book> stored = new ArrayList<>();
        books.store("python:").getAll(names).forEach(book -> stored.add(book.orElseThrow()));
        List<Book> hashed = new ArrayList<>();
        books.hash("python-hash").getAll(names).forEach(book -> hashed.add(book.orElseThrow()));
        System.out.println("store " + stored.equals(wanted));
        System.out.println("hash " + hashed.equals(wanted));
        System.out.println("list " + books.list("python-list").range().equals(wanted));
        System.out.println("stream "
            + books.stream("python-stream").range().stream().map(Entry::value).toList().equals(wanted));
        System.out.println("later " + client.store(Later.class, "python-later:").get("x").orElseThrow());
    }
}
