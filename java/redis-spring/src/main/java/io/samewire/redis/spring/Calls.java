package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.RedisCluster;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.RedisSystemException;

/**
 * Sends the commands of one connection of Spring: now, with a pipeline, or with a transaction. What is queued returns
 * null. Not thread-safe, as Spring's connections are not.
 */
class Calls {
    private CommandClient client;
    /** Null without WATCH and MULTI. */
    private QueuedTransaction transaction;
    /** Null unless there is a pipeline. */
    private QueuedPipeline pipeline;
    private boolean closed;

    Calls(CommandClient client) {
        this.client = client;
    }

    /** Sends a command, and returns its reply; null if it is queued. */
    <T> T call(Reading<T> reading, String name, Object... arguments) {
        return send(reading, name, arguments, true);
    }

    /** Sends a command that returns nothing. */
    void run(String name, Object... arguments) {
        send(Readings.NOTHING, name, arguments, false);
    }

    private <T> T send(Reading<T> reading, String name, Object[] arguments, boolean hasValue) {
        boolean kept = client instanceof RedisCluster && (isQueueing() || isPipelined());
        CharSequence[] words = Arguments.of(kept, arguments);
        return translating(() -> {
            Command<T> command = Commands.of(Readings.checked(name, reading), name, words);
            if (isQueueing()) {
                transaction.add(command, hasValue);
                return null;
            } else if (isPipelined()) {
                pipeline.add(client, command, hasValue);
                return null;
            }
            return transaction != null ? transaction.execute(command) : client.execute(command);
        });
    }

    /** Refuses a connection that is closed. */
    void expectOpen() {
        if (closed) {
            throw new InvalidDataAccessApiUsageException("the connection is closed: take another one from the factory");
        }
    }

    private <T> T translating(Supplier<T> use) {
        expectOpen();
        try {
            return use.get();
        } catch (RuntimeException failed) {
            throw Failures.translate(failed);
        }
    }

    /** Refuses what needs its reply at once. */
    void expectImmediate(String name) {
        expectOpen();
        if (isQueueing() || isPipelined()) {
            throw new InvalidDataAccessApiUsageException("'" + name
                + "' cannot be called in pipeline / transaction mode");
        }
    }

    CommandClient client() {
        return client;
    }

    /** Goes on with another database. */
    void use(CommandClient other) {
        expectOpen();
        if (transaction != null) {
            throw new UnsupportedOperationException("SELECT between WATCH or MULTI and EXEC: select the database"
                + " before");
        }
        client = other;
    }

    boolean isQueueing() {
        return transaction != null && transaction.isQueueing();
    }

    boolean isPipelined() {
        return pipeline != null;
    }

    // --- transactions

    void watch(byte[]... keys) {
        if (isQueueing()) {
            throw new InvalidDataAccessApiUsageException("WATCH is not supported when a transaction is active");
        }
        if (isPipelined()) {
            // What was called before it must have run before it.
            pipeline.flush();
        }
        boolean first = transaction == null;
        translating(() -> {
            try {
                opened().watch(keys);
                return null;
            } catch (RuntimeException failed) {
                if (first) {
                    drop();
                }
                throw failed;
            }
        });
    }

    private QueuedTransaction opened() {
        if (transaction == null) {
            transaction = new QueuedTransaction(client);
        }
        return transaction;
    }

    void unwatch() {
        if (!isQueueing()) {
            drop();
        }
    }

    void multi() {
        translating(() -> {
            opened().multi();
            return null;
        });
    }

    List<Object> exec() {
        expectOpen();
        if (!isPipelined()) {
            return translating(ended()::exec);
        } else if (isQueueing()) {
            pipeline.add(ended());
        } else {
            pipeline.add(refused());
        }
        return null;
    }

    private static RuntimeException refused() {
        return new RedisSystemException("there is no transaction: expected multi() before",
            new IllegalStateException());
    }

    void discard() {
        expectOpen();
        ended().close();
    }

    private QueuedTransaction ended() {
        if (!isQueueing()) {
            throw refused();
        }
        QueuedTransaction ended = transaction;
        transaction = null;
        return ended;
    }

    private void drop() {
        QueuedTransaction dropped = transaction;
        transaction = null;
        if (dropped != null) {
            dropped.close();
        }
    }

    // --- pipelines

    void openPipeline() {
        expectOpen();
        if (pipeline == null) {
            pipeline = new QueuedPipeline();
        }
    }

    List<Object> closePipeline() {
        QueuedPipeline sent = pipeline;
        pipeline = null;
        return sent == null ? List.of() : sent.execute();
    }

    // --- end

    boolean isClosed() {
        return closed;
    }

    /** Gives back what is held; queued commands are dropped. */
    void close() {
        closed = true;
        QueuedPipeline dropped = pipeline;
        pipeline = null;
        if (dropped != null) {
            dropped.drop();
        }
        drop();
    }
}
