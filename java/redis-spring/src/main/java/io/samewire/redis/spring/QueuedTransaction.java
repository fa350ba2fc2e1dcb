package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Transaction;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import java.util.ArrayList;
import java.util.List;

/** A transaction from the first WATCH or MULTI to EXEC. It is sent at EXEC, as a whole. */
final class QueuedTransaction implements AutoCloseable {
    private final CommandClient client;
    private final Transaction transaction;
    private final Outcomes outcomes = new Outcomes();
    private boolean queueing;

    QueuedTransaction(CommandClient client) {
        this.client = client;
        transaction = client.transaction();
    }

    void watch(byte[]... keys) {
        Bytes[] names = new Bytes[keys.length];
        for (int i = 0; i < keys.length; i++) {
            names[i] = Bytes.of(keys[i]);
        }
        transaction.watch(names);
    }

    void multi() {
        queueing = true;
    }

    boolean isQueueing() {
        return queueing;
    }

    /** Runs a command on the connection that watches; once that is lost, on any: EXEC runs nothing then. */
    <T> T execute(Command<T> command) {
        return transaction.isWatching() ? transaction.execute(command) : client.execute(command);
    }

    void add(Command<?> command, boolean hasValue) {
        outcomes.add(transaction.add(command), hasValue);
    }

    /** Runs it, and returns the replies; null if a watched key was changed. */
    List<Object> exec() {
        try (transaction) {
            if (transaction.exec().isEmpty()) {
                return null;
            }
            List<Object> replies = new ArrayList<>();
            RuntimeException failed = outcomes.addTo(replies);
            if (failed != null) {
                throw failed;
            }
            return replies;
        }
    }

    @Override
    public void close() {
        transaction.close();
    }
}
