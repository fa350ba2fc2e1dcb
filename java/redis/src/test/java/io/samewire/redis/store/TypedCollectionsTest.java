package io.samewire.redis.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.StreamTrim;
import io.samewire.redis.command.Streams;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Typed hashes, lists, streams and channels on a real server. */
@Timeout(180)
class TypedCollectionsTest extends OnOneServer {
    private static final Book CARRIE = new Book("Carrie", 1974);
    private static final Book CUJO = new Book("Cujo", 1981);

    private static TypedValues<Book> books;

    record Book(String name, int year) { }

    @BeforeEach
    void make() {
        books = client.typed(Book.class);
    }

    @Test
    void hashesHoldValuesInFields() {
        TypedHash<Book> hash = books.hash("shelf");
        assertTrue(hash.put("a", CARRIE));
        assertFalse(hash.put("a", CUJO));
        assertFalse(hash.putIfAbsent("a", CARRIE));
        assertTrue(hash.putIfAbsent("b", CARRIE));
        assertEquals(Optional.of(CUJO), hash.get("a"));
        assertEquals(Optional.empty(), hash.get("none"));
        assertEquals(List.of(Optional.of(CARRIE), Optional.empty()), hash.getAll(List.of("b", "none")));
        assertEquals(Map.of("a", CUJO, "b", CARRIE), hash.all());
        assertEquals(Optional.of(CARRIE), hash.update("a", old -> old.map(book -> CARRIE)));
        assertEquals(Optional.empty(), hash.updateOrDelete("b", old -> Optional.empty()));
        assertFalse(hash.exists("b"));
        assertEquals(List.of("a"), hash.fields());
        assertEquals(1, hash.delete("a", "b"));
        Map<String, Book> many = new LinkedHashMap<>();
        for (int i = 0; i < 3000; i++) {
            many.put("f" + i, new Book("b" + i, i));
        }
        hash.putAll(many);
        assertEquals(3000, hash.length());
        assertEquals(many, hash.items("*").collect(
            Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, again) -> one)));
    }

    @Test
    void listsHoldValuesInOrder() {
        TypedList<Book> list = books.list("queue");
        assertEquals(0, list.pushAll(List.of()));
        assertEquals(2, list.pushAll(List.of(CARRIE, CUJO)));
        assertEquals(3, list.pushLeft(CUJO));
        assertEquals(List.of(CUJO, CARRIE, CUJO), list.range());
        assertEquals(Optional.of(CARRIE), list.get(1));
        list.set(1, CUJO);
        list.trim(0, 1);
        assertEquals(2, list.length());
        assertEquals(Optional.of(CUJO), list.pop());
        assertEquals(Optional.of(CUJO), list.popLeft(Duration.ofSeconds(1)));
        assertEquals(Optional.empty(), list.pop(Duration.ofMillis(20)));
        assertEquals(Optional.empty(), list.popLeft());
        assertThrows(RedisException.class, () -> list.set(5, CARRIE));
    }

    @Test
    void aPopKeepsWhatItCannotRead() {
        client.execute(Lists.rpush("queue", "not a value"));
        StoredValueException error = assertThrows(StoredValueException.class, () -> books.list("queue").pop());
        assertEquals("queue", error.key());
        assertArrayEquals("not a value".getBytes(), error.data());
        client.execute(Lists.rpush("queue", "a"));
        assertEquals("queue[0]",
            assertThrows(StoredValueException.class, () -> books.list("queue").range()).key());
    }

    @Test
    void streamsHoldValuesInEntries() {
        TypedStream<Book> stream = books.stream("events");
        assertEquals("0-0", stream.lastId());
        String first = stream.add(CARRIE);
        client.execute(Streams.xadd("events", Map.of("other", "x")));
        String last = stream.add(CUJO, StreamTrim.maxlen(1000));
        List<Entry<Book>> all = stream.range();
        assertEquals(3, stream.length());
        assertEquals(CARRIE, all.get(0).value());
        assertEquals(Code.MALFORMED, all.get(1).error().orElseThrow().code());
        assertThrows(StoredValueException.class, all.get(1)::value);
        assertEquals(last, stream.lastId());
        assertEquals(CUJO, stream.latest(1).get(0).value());
        assertEquals(2, stream.read(first, Wait.none()).size());
        assertEquals(1, stream.read("0", Wait.none().atMost(1)).size());
        assertEquals(List.of(), stream.read(last, Wait.upTo(Duration.ofMillis(20))));
        assertEquals(1, stream.delete(all.get(1).id()));
        assertThrows(SamewireException.class, () -> Wait.upTo(Duration.ZERO));
        assertThrows(SamewireException.class, () -> Wait.none().atMost(0));
    }

    @Test
    void groupsShareEntries() {
        TypedStream<Book> stream = books.stream("jobs");
        assertTrue(stream.createGroup("g", "0"));
        assertFalse(stream.createGroup("g", "0"));
        String id = stream.add(CARRIE);
        assertEquals(CARRIE, stream.readGroup("g", "one", Wait.none()).get(0).value());
        assertEquals(List.of(), stream.readGroup("g", "two", Wait.upTo(Duration.ofMillis(20))));
        assertEquals(id, stream.pending("g", "one").get(0).id());
        assertEquals(CARRIE, stream.claim("g", "two", Duration.ZERO, 10).get(0).value());
        assertEquals(List.of(), stream.pending("g", "one"));
        assertEquals(1, stream.ack("g", id));
        assertEquals(List.of(), stream.claim("g", "two", Duration.ZERO, 10));
    }

    @Test
    void channelsCarryValues() throws InterruptedException {
        TypedChannel<Book> news = books.channel("news");
        for (TypedChannel<Book> channel : List.of(news, books.shardedChannel("shard"))) {
            BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
            Subscription subscription = channel.subscribe(new TypedListener<>() {
                @Override
                public void value(Book value) {
                    heard.add(value);
                }

                @Override
                public void unreadable(StoredValueException error) {
                    heard.add(error.key());
                }
            });
            assertEquals(1, channel.publish(CARRIE));
            assertEquals(CARRIE, heard.poll(60, TimeUnit.SECONDS));
            client.execute(PubSub.publish("news", "not a value"));
            channel.publish(CUJO);
            Object next = heard.poll(60, TimeUnit.SECONDS);
            assertEquals(channel == news ? "news" : CUJO, next);
            subscription.close();
            awaitNobody(channel);
        }
    }

    /** The server hears of a closed socket a little later. */
    private static void awaitNobody(TypedChannel<Book> channel) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (channel.publish(CARRIE) > 0) {
            assertTrue(System.nanoTime() < end, "still subscribed");
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
