package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.SamewireException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {
    @Test
    void readsTheWholeUri() {
        RedisOptions options = RedisOptions.of("rediss://alice:p%40ss%3Aword+1@cache.example:7000/3?client_name=a%20b"
            + "&protocol=2&timeout=0.25&connect_timeout=2&max_connections=4");
        assertEquals(Address.tcp("cache.example", 7000), options.address());
        assertTrue(options.tls);
        assertEquals("alice", options.user);
        assertEquals("p@ss:word+1", options.password);
        assertEquals(3, options.database);
        assertEquals("a b", options.clientName);
        assertEquals(2, options.protocol);
        assertEquals(Duration.ofMillis(250).toNanos(), options.commandTimeout);
        assertEquals(Duration.ofSeconds(2).toNanos(), options.connectTimeout);
        assertEquals(4, options.connections);
        assertEquals(0, options.breakerAfter);
        assertEquals(Duration.ofMillis(1500).toNanos(), RedisOptions.of("redis://h?breaker=1.5").breakerAfter);
    }

    @Test
    void fillsInWhatIsNotGiven() {
        RedisOptions options = RedisOptions.of("redis://");
        assertEquals(Address.tcp("localhost", 6379), options.address());
        assertFalse(options.tls);
        assertNull(options.password);
        assertEquals(3, options.protocol);
        assertEquals("secret", RedisOptions.of("valkey://:secret@h").password);
        assertNull(RedisOptions.of("valkey://:secret@h").user);
        assertEquals(Address.tcp("::1", 7), RedisOptions.of("redis://[::1]:7").address());
        assertEquals("[::1]:7", RedisOptions.of("redis://[::1]:7").address().toString());
    }

    @Test
    void readsAPath() {
        RedisOptions options = RedisOptions.of("unix://bob:s@/run/a%20b/redis.sock?db=2");
        assertEquals(Address.unix("/run/a b/redis.sock"), options.address());
        assertEquals("bob", options.user);
        assertEquals(2, options.database);
    }

    @Test
    void neverShowsSecrets() {
        assertFalse(RedisOptions.of("redis://alice:hidden@h").toString().contains("hidden"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "http://h", "redis://h:0", "redis://h:port", "redis://h:70000",
        "redis://h/x", "unix://", "redis://h?db=-1", "redis://h?retries=1", "redis://h?timeout=soon",
        "redis://h?timeout=0", "redis://h?protocol=4", "redis://h?breaker=0", "redis://h?max_connections=0"})
    void refusesWhatItDoesNotUnderstand(String uri) {
        assertEquals("misuse", assertThrows(SamewireException.class, () -> RedisOptions.of(uri)).code().toString());
    }

    @Test
    void saysHowAnAddressIsWritten() {
        String message = assertThrows(SamewireException.class, () -> RedisOptions.of("localhost:6379")).getMessage();
        assertTrue(message.endsWith("try redis://localhost:6379"), message);
    }

    @Test
    void refusesImpossibleValues() {
        RedisOptions options = RedisOptions.of("redis://h");
        assertThrows(SamewireException.class, () -> options.withConnections(0));
        assertThrows(SamewireException.class, () -> options.withCommandTimeout(Duration.ZERO));
        assertThrows(SamewireException.class, () -> options.withConnectTimeout(Duration.ofDays(10_000)));
        assertThrows(SamewireException.class, () -> options.withDatabase(-1));
        assertThrows(SamewireException.class, () -> options.withBreaker(Duration.ZERO));
        assertThrows(SamewireException.class, () -> options.withCache(-1, 0));
        assertThrows(SamewireException.class, () -> new Retry(-1, Duration.ZERO, Duration.ZERO));
    }
}
