package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Placement;
import io.samewire.redis.command.Popped;
import io.samewire.redis.command.Side;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The guides' lists. */
class ListsTest extends OnOneServer {
    @Test
    void isAQueue() {
        assertEquals(1, run(Lists.lpush("returns", "Carrie")));
        assertEquals(2, run(Lists.lpush("returns", "It")));
        assertEquals(Optional.of("Carrie"), run(Lists.rpop("returns")));
        assertEquals(Optional.of("It"), run(Lists.rpop("returns")));
        assertEquals(Optional.empty(), run(Lists.rpop("returns")));
    }

    @Test
    void isAStack() {
        run(Lists.lpush("returns", "Carrie"));
        run(Lists.lpush("returns", "It"));
        assertEquals("It", run(Lists.lpop("returns")).orElseThrow());
        assertEquals("Carrie", run(Lists.lpop("returns")).orElseThrow());
        assertEquals(0, run(Lists.llen("returns")));
        assertEquals(0, run(Keys.exists("returns")));
    }

    @Test
    void movesFromListToList() {
        run(Lists.lpush("returns", "Carrie", "It"));
        assertEquals(Optional.of("It"), run(Lists.lmove("returns", "shelf", Side.LEFT, Side.LEFT)));
        assertEquals(List.of("Carrie"), run(Lists.lrange("returns", 0, -1)));
        assertEquals(List.of("It"), run(Lists.lrange("shelf", 0, -1)));
        assertEquals(Optional.empty(), run(Lists.blmove("empty", "shelf", Side.LEFT, Side.LEFT, Duration.ofMillis(1))));
    }

    @Test
    void pushesAtBothEnds() {
        assertEquals(3, run(Lists.rpush("returns", "Carrie", "It", "Cujo")));
        assertEquals(5, run(Lists.lpush("returns", "Misery", "Christine")));
        assertEquals(List.of("Christine", "Misery", "Carrie", "It", "Cujo"), run(Lists.lrange("returns", 0, -1)));
        assertEquals(List.of("It"), run(Lists.lrange("returns", 3, 3)));
        assertEquals(List.of("It", "Cujo"), run(Lists.lrange("returns", -2, 100)));
        assertEquals(List.of(), run(Lists.lrange("returns", 5, 10)));
        assertEquals(6, run(Lists.linsert("returns", Placement.BEFORE, "It", "Insomnia")));
        assertEquals(Optional.of("Insomnia"), run(Lists.lindex("returns", 3)));
    }

    @Test
    void popsSeveral() {
        run(Lists.rpush("returns", "Carrie", "It", "Cujo", "Misery"));
        assertEquals(Optional.of(List.of("Carrie", "It")), run(Lists.lpop("returns", 2)));
        assertEquals(Optional.of(List.of("Misery", "Cujo")), run(Lists.rpop("returns", 2)));
    }

    @Test
    void keepsTheLatest() {
        run(Lists.rpush("returns", "Carrie", "It", "Cujo", "Misery", "Christine"));
        run(Lists.ltrim("returns", 0, 2));
        assertEquals(List.of("Carrie", "It", "Cujo"), run(Lists.lrange("returns", 0, -1)));
        run(Lists.ltrim("returns", -1, -1));
        assertEquals(List.of("Cujo"), run(Lists.lrange("returns", 0, -1)));
    }

    @Test
    void waitsForElements() {
        run(Lists.rpush("returns", "Carrie"));
        assertEquals(Optional.of(new Popped<>("returns", "Carrie")),
            run(Lists.brpop(Duration.ofSeconds(1), "returns")));
        assertEquals(Optional.empty(), run(Lists.brpop(Duration.ofMillis(1), "returns")));
    }
}
