package io.samewire.redis.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Transaction;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerObserverTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private RedisOptions observed(ValkeyServer server) {
        return RedisOptions.of(server.uri() + "/2").withObserver(new MicrometerObserver(registry));
    }

    private Timer calls(String operation, String error) {
        return registry.get("db.client.operation.duration").tags("db.operation.name", operation, "error.type", error)
            .timer();
    }

    @Test
    void timesCallsByCommandAndOutcome() {
        try (ValkeyServer server = ValkeyServer.start(); RedisClient client = RedisClient.connect(observed(server))) {
            client.execute(Strings.set("a", "1"));
            client.execute(Strings.set("a", "2"));
            client.async().execute(Strings.get("a")).join();
            assertThrows(RedisException.class, () -> client.execute(Lists.llen("a")));
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.get("a"));
            pipeline.execute();

            Timer sets = calls("SET", "none");
            assertEquals(2, sets.count());
            assertTrue(sets.totalTime(TimeUnit.NANOSECONDS) > 0);
            assertEquals("redis", sets.getId().getTag("db.system.name"));
            assertEquals("2", sets.getId().getTag("db.namespace"));
            assertEquals("127.0.0.1", sets.getId().getTag("server.address"));
            assertEquals(String.valueOf(server.port()), sets.getId().getTag("server.port"));
            assertEquals(1, calls("GET", "none").count());
            assertEquals(1, calls("LLEN", "WRONGTYPE").count());
            assertEquals(1, calls("PIPELINE", "none").count());
            assertEquals(2, registry.get("db.client.connection.create_time").timer().count());
        }
    }

    @Test
    void countsConnectionsThatAreLost() {
        try (ValkeyServer server = ValkeyServer.start(); RedisClient client = RedisClient.connect(observed(server))) {
            server.kill();
            server.launch();
            client.execute(Strings.get("a"));
            client.async().execute(Strings.get("a")).join();
            server.kill();
            server.launch();
            client.async().execute(Strings.get("a")).join();
        }
        // A connection that the client makes while the server starts may be lost, too.
        assertTrue(closed("ConnectionException") >= 2);
        assertTrue(closed("closed") >= 1);
    }

    private double closed(String reason) {
        return registry.get("samewire.redis.connections.closed").tag("reason", reason).counter().count();
    }

    @Test
    void countsCommandsThatAreSentAgain() {
        new MicrometerObserver(registry).repeated("GET", 1, new RedisException("LOADING wait"));
        assertEquals(1, registry.get("samewire.redis.repeated").tags("db.operation.name", "GET", "error.type",
            "LOADING").counter().count());
    }

    @Test
    void showsAClientsPool() {
        try (ValkeyServer server = ValkeyServer.start(); RedisClient client = RedisClient.connect(observed(server))) {
            new MicrometerObserver(registry).observePool(client, "orders");
            assertEquals(1, gauge("db.client.connection.count", "idle"));
            assertEquals(0, gauge("db.client.connection.count", "used"));
            try (Transaction work = client.transaction()) {
                work.watch("a");
                assertEquals(0, gauge("db.client.connection.count", "idle"));
                assertEquals(1, gauge("db.client.connection.count", "used"));
            }
            assertEquals(16, registry.get("db.client.connection.max").gauge().value());
            assertEquals(0, registry.get("db.client.connection.pending_requests").gauge().value());
        }
    }

    private double gauge(String name, String state) {
        return registry.get(name).tags("db.client.connection.pool.name", "orders", "db.client.connection.state", state)
            .gauge().value();
    }

    @Test
    void tellsThePathOfAUnixSocket() {
        try (ValkeyServer server = ValkeyServer.startUnix();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri())
                    .withObserver(new MicrometerObserver(registry)))) {
            client.execute(Strings.get("a"));
            assertEquals(server.socket().toString(), calls("GET", "none").getId().getTag("server.address"));
            assertEquals("none", calls("GET", "none").getId().getTag("server.port"));
        }
    }
}
