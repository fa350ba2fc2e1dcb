package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Sets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guides' sets. */
class SetsTest extends OnOneServer {
    @BeforeEach
    void add() {
        assertEquals(1, run(Sets.sadd("readers:it", "ann")));
        assertEquals(0, run(Sets.sadd("readers:it", "ann")));
        assertEquals(2, run(Sets.sadd("readers:it", "bob", "cyd")));
        assertEquals(2, run(Sets.sadd("readers:cujo", "ann", "dan")));
    }

    @Test
    void knowsItsMembers() {
        assertTrue(run(Sets.sismember("readers:cujo", "ann")));
        assertFalse(run(Sets.sismember("readers:cujo", "bob")));
        assertEquals(List.of(true, true, false), run(Sets.smismember("readers:it", "bob", "cyd", "dan")));
        assertEquals(Set.of("ann", "bob", "cyd"), run(Sets.smembers("readers:it")));
        assertEquals(3, run(Sets.scard("readers:it")));
    }

    @Test
    void combinesSets() {
        run(Sets.sadd("readers:carrie", "ann", "bob", "cyd", "dan"));
        assertEquals(Set.of("ann"), run(Sets.sinter("readers:it", "readers:cujo", "readers:carrie")));
        assertEquals(Set.of("ann", "bob", "cyd", "dan"), run(Sets.sunion("readers:it", "readers:cujo")));
        assertEquals(Set.of("bob", "cyd"), run(Sets.sdiff("readers:it", "readers:cujo")));
        assertEquals(Set.of(), run(Sets.sdiff("readers:it", "readers:cujo", "readers:carrie")));
        assertEquals(1, run(Sets.sintercard("readers:it", "readers:cujo")));
        assertEquals(4, run(Sets.sunionstore("all", "readers:it", "readers:cujo")));
    }

    @Test
    void removesMembers() {
        assertEquals(1, run(Sets.srem("readers:it", "ann")));
        Optional<String> taken = run(Sets.spop("readers:it"));
        assertTrue(Set.of("bob", "cyd").contains(taken.orElseThrow()));
        assertEquals(1, run(Sets.scard("readers:it")));
        assertTrue(run(Sets.srandmember("readers:it")).isPresent());
        assertTrue(run(Sets.smove("readers:cujo", "readers:it", "dan")));
    }

    @Test
    void scansMembers() {
        assertEquals(3, client.scan(cursor -> Sets.sscan("readers:it", cursor)).distinct().count());
    }
}
