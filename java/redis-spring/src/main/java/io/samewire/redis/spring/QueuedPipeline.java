package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.command.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisPipelineException;

/** The commands of a pipeline, with the transactions between them. They are sent when it is closed. */
final class QueuedPipeline {
    /** Sends a part, and adds its replies; returns what a command failed with first, or null. */
    private interface Part {
        RuntimeException send(List<Object> replies);
    }

    private final List<Part> parts = new ArrayList<>();
    private CommandClient openFor;
    private Pipeline open;
    private Outcomes outcomes;

    void add(CommandClient client, Command<?> command, boolean hasValue) {
        if (open == null || openFor != client) {
            Pipeline added = client.pipeline();
            Outcomes ofIt = new Outcomes();
            parts.add(replies -> {
                try {
                    added.execute();
                } catch (RuntimeException lost) {
                    ofIt.addTo(replies);
                    throw lost;
                }
                return ofIt.addTo(replies);
            });
            open = added;
            outcomes = ofIt;
            openFor = client;
        }
        outcomes.add(open.add(command), hasValue);
    }

    /** Adds a transaction, whose replies become one of the pipeline's. */
    void add(Supplier<List<Object>> transaction) {
        open = null;
        parts.add(replies -> {
            try {
                replies.add(transaction.get());
                return null;
            } catch (RuntimeException failed) {
                RuntimeException translated = Failures.translate(failed);
                if (translated.getCause() instanceof ConnectionException) {
                    throw translated;
                }
                replies.add(translated);
                return translated;
            }
        });
    }

    /** Sends what there is; the replies are kept for {@link #execute}. */
    void flush() {
        List<Part> sent = List.copyOf(parts);
        parts.clear();
        open = null;
        List<Object> kept = new ArrayList<>();
        RuntimeException failed = send(sent, kept);
        parts.add(replies -> {
            replies.addAll(kept);
            return failed;
        });
    }

    /**
     * Sends all parts one after the other.
     *
     * @throws RedisPipelineException if a command failed, with the replies of the others; if the connection was lost,
     *     with those that had come: no later part is sent then
     */
    List<Object> execute() {
        List<Object> replies = new ArrayList<>();
        RuntimeException failed = send(parts, replies);
        if (failed != null) {
            throw new RedisPipelineException(failed, replies);
        }
        return replies;
    }

    private static RuntimeException send(List<Part> parts, List<Object> replies) {
        RuntimeException first = null;
        for (Part part : parts) {
            try {
                RuntimeException failed = part.send(replies);
                first = first == null ? failed : first;
            } catch (RuntimeException lost) {
                throw new RedisPipelineException(Failures.translate(lost), replies);
            }
        }
        return first;
    }
}
