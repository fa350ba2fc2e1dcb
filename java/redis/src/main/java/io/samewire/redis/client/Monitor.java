package io.samewire.redis.client;

import io.samewire.redis.resp.RequestWriter;
import java.util.function.Consumer;

/** Sees every command that the server runs, as it runs it. For one thread; another may close it. */
public final class Monitor implements AutoCloseable {
    private final Connection connection;
    private final Consumer<Monitor> onClose;

    Monitor(Connection connection, Consumer<Monitor> onClose) {
        this.connection = connection;
        this.onClose = onClose;
        RequestWriter out = new RequestWriter();
        out.begin(1);
        out.word("MONITOR");
        connection.send(out);
        try {
            connection.receive().readString();
            connection.consume();
        } catch (RuntimeException refused) {
            connection.close();
            throw refused;
        }
    }

    /**
     * Waits for the next command.
     *
     * @throws ConnectionException if the connection is lost, or the monitor closed
     */
    public MonitoredCommand next() {
        try {
            return MonitoredCommand.parse(connection.receive().readBytes());
        } finally {
            connection.consume();
        }
    }

    /** Closes the connection. */
    @Override
    public void close() {
        connection.close();
        onClose.accept(this);
    }
}
