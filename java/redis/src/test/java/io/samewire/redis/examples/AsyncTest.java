package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.client.AsyncClient;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Hashes;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.SetCondition;
import io.samewire.redis.command.Sets;
import io.samewire.redis.command.SortedSets;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The asynchronous examples of Lettuce's guide. */
class AsyncTest extends OnOneServer {
    @Test
    void chainsCommands() throws Exception {
        AsyncClient async = client.async();
        CompletableFuture<Optional<String>> name = async.execute(Strings.set("shelf:1", "novels"))
            .thenCompose(done -> async.execute(Strings.setnx("shelf:1", "poems")))
            .thenCompose(absent -> async.execute(Strings.get("shelf:1")));
        assertEquals(Optional.of("novels"), name.get(60, TimeUnit.SECONDS));
        assertEquals(11, async.execute(Strings.set("visits", "0")).thenCompose(done -> async.execute(
            Strings.incr("visits"))).thenCompose(one -> async.execute(Strings.incrby("visits", 10))).join());
        assertEquals(true, async.execute(Strings.set("shelf:1", "x").condition(SetCondition.XX)).join());
    }

    @Test
    void chainsHashesListsAndSets() {
        AsyncClient async = client.async();
        assertEquals(Map.of("name", "It"), async.execute(Hashes.hset("book:1", Map.of("name", "It")))
            .thenCompose(added -> async.execute(Hashes.hgetall("book:1"))).join());
        assertEquals(List.of("Cujo", "It"), async.execute(Lists.lpush("returns", "It", "Cujo"))
            .thenCompose(length -> async.execute(Lists.lrange("returns", 0, -1))).join());
        assertEquals(Set.of("ann"), async.execute(Sets.sadd("readers", "ann"))
            .thenCompose(added -> async.execute(Sets.smembers("readers"))).join());
        assertEquals(100, async.execute(SortedSets.zadd("lent", 50, "It"))
            .thenCompose(added -> async.execute(SortedSets.zincrby("lent", 50, "It"))).join());
    }

    @Test
    void sendsManyWithoutWaiting() {
        AsyncClient async = client.async();
        List<CompletableFuture<Boolean>> sent = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            sent.add(async.execute(Strings.set("key:" + number, "value")));
        }
        CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0])).join();
        assertEquals(1_000, client.scan(Keys::scan).collect(Collectors.toSet()).size());
    }

    @Test
    void handlesErrors() {
        AsyncClient async = client.async();
        String word = async.execute(Strings.set("text", "x")).thenCompose(done -> async.execute(Strings.incr("text")))
            .handle((value, failed) -> failed.getCause() instanceof RedisException error ? error.word() : "none")
            .join();
        assertEquals("ERR", word);
    }
}
