package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.resp.RedisException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests of commands on a real server, which is empty before each of them, with RESP2 and with RESP3. */
abstract class OnServer {
    static ValkeyServer server;

    final int protocol;
    private Exchange exchange;

    OnServer(int protocol) {
        this.protocol = protocol;
    }

    @BeforeAll
    static void start() {
        server = ValkeyServer.start("--enable-debug-command", "yes");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        exchange = Exchange.with(server, protocol);
    }

    @AfterEach
    void disconnect() {
        exchange.close();
    }

    final <T> T run(Command<T> command) {
        return exchange.run(command);
    }

    /** The first word of the error that a command is refused with. */
    final String refused(Command<?> command) {
        return assertThrows(RedisException.class, () -> exchange.run(command)).word();
    }
}
