package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Field;
import io.samewire.redis.command.Hashes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guides' hashes. */
class HashesTest extends OnOneServer {
    private static final Map<String, String> CARRIE = Map.of("name", "Carrie", "author", "Stephen King",
        "kind", "novel", "price", "800");

    @BeforeEach
    void put() {
        assertEquals(4, run(Hashes.hset("book:1", CARRIE)));
    }

    @Test
    void setsAndGetsFields() {
        assertEquals(Optional.of("Carrie"), run(Hashes.hget("book:1", "name")));
        assertEquals(Optional.empty(), run(Hashes.hget("book:1", "year")));
        assertEquals(CARRIE, run(Hashes.hgetall("book:1")));
        assertEquals(0, run(Hashes.hset("book:1", "price", "900")));
        assertFalse(run(Hashes.hsetnx("book:1", "price", "1000")));
    }

    @Test
    void getsSeveralFields() {
        assertEquals(List.of(Optional.of("Carrie"), Optional.of("800"), Optional.empty()),
            run(Hashes.hmget("book:1", "name", "price", "year")));
        assertEquals(Set.of("name", "author", "kind", "price"), Set.copyOf(run(Hashes.hkeys("book:1"))));
        assertTrue(run(Hashes.hvals("book:1")).contains("novel"));
        assertEquals(4, run(Hashes.hlen("book:1")));
    }

    @Test
    void countsInFields() {
        assertEquals(900, run(Hashes.hincrby("book:1", "price", 100)));
        assertEquals(800, run(Hashes.hincrby("book:1", "price", -100)));
        assertEquals(1, run(Hashes.hincrby("book:1:numbers", "lent", 1)));
        assertEquals(2, run(Hashes.hincrby("book:1:numbers", "lent", 1)));
        assertEquals(0.5, run(Hashes.hincrbyfloat("book:1:numbers", "rating", 0.5)));
    }

    @Test
    void removesFields() {
        assertEquals(2, run(Hashes.hdel("book:1", "price", "kind", "year")));
        assertFalse(run(Hashes.hexists("book:1", "price")));
        assertTrue(run(Hashes.hexists("book:1", "name")));
    }

    @Test
    void expiresFields() {
        assertEquals(List.of(1L, -2L), run(Hashes.hexpire("book:1", 60, "price", "year")));
        assertTrue(run(Hashes.httl("book:1", "price")).get(0) > 50);
        assertEquals(List.of(1L), run(Hashes.hpersist("book:1", "price")));
    }

    @Test
    void scansFields() {
        Map<String, String> found = client.scan(cursor -> Hashes.hscan("book:1", cursor))
            .collect(Collectors.toMap(Field::name, Field::value));
        assertEquals(CARRIE, found);
    }
}
