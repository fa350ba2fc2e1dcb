package io.samewire.redis.examples;

import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What the guides of Jedis and Lettuce show, written for this client, step by step: a real server, empty before each
 * test. {@code spec/redis-moving.md} quotes these lines.
 */
@Timeout(60)
abstract class OnOneServer {
    static ValkeyServer server;
    static RedisClient client;

    @BeforeAll
    static void start() {
        server = ValkeyServer.start();
        client = RedisClient.connect(server.uri());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        client.execute(Server.flushall());
    }

    static <T> T run(Command<T> command) {
        return client.execute(command);
    }
}
