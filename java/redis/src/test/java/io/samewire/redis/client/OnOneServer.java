package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Tests on a real server, which is empty before each of them, and a client of it. */
@Timeout(180)
public abstract class OnOneServer {
    protected static ValkeyServer server;
    protected static RedisClient client;

    /** Starts the server. */
    @BeforeAll
    protected static void startServer() {
        server = ValkeyServer.start();
        client = RedisClient.connect(server.uri());
    }

    /** Ends what {@link #startServer} has started. */
    @AfterAll
    protected static void stopServer() {
        client.close();
        server.close();
    }

    /** Has nothing of an earlier test be there. */
    @BeforeEach
    protected void empty() {
        client.execute(Server.flushall());
    }

    /** Sends a command and returns its reply. */
    protected static <T> T run(Command<T> command) {
        return client.execute(command);
    }
}
