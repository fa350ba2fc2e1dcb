package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.command.Command;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisPipelineException;

/** The commands of a pipeline, with the transactions between them. They are sent when it is closed. */
final class QueuedPipeline {
    /** Sends a part, and adds its replies; returns what a command failed with first, or null. */
    private interface Send {
        RuntimeException to(List<Object> replies);
    }

    /** drop: gives back what the part holds if it is not sent. */
    private record Part(Send send, Runnable drop) { }

    private static final Runnable NOTHING = () -> { };

    private final List<Part> parts = new ArrayList<>();
    private CommandClient openFor;
    private Pipeline open;
    private Outcomes outcomes;

    void add(CommandClient client, Command<?> command, boolean hasValue) {
        if (open == null || openFor != client) {
            Pipeline added = client.pipeline();
            Outcomes ofIt = new Outcomes();
            parts.add(new Part(replies -> {
                try {
                    added.execute();
                } catch (RuntimeException lost) {
                    ofIt.addTo(replies);
                    throw lost;
                }
                return ofIt.addTo(replies);
            }, NOTHING));
            open = added;
            outcomes = ofIt;
            openFor = client;
        }
        outcomes.add(open.add(command), hasValue);
    }

    /** Adds a transaction, whose replies become one of the pipeline's, and which is closed in any case. */
    void add(QueuedTransaction transaction) {
        add(transaction::exec, transaction::close);
    }

    /** Adds an EXEC without a transaction, which is refused in its place. */
    void add(RuntimeException refused) {
        add(() -> {
            throw refused;
        }, NOTHING);
    }

    private void add(Supplier<List<Object>> exec, Runnable drop) {
        open = null;
        parts.add(new Part(replies -> {
            try {
                replies.add(exec.get());
                return null;
            } catch (RuntimeException failed) {
                RuntimeException translated = Failures.translate(failed);
                if (translated.getCause() instanceof ConnectionException) {
                    throw translated;
                }
                replies.add(translated);
                return translated;
            }
        }, drop));
    }

    /** Sends nothing. A transaction that watches keys would keep its connection otherwise. */
    void drop() {
        parts.forEach(part -> part.drop.run());
        parts.clear();
    }

    /** Sends what there is; the replies are kept for {@link #execute}. */
    void flush() {
        List<Part> sent = List.copyOf(parts);
        parts.clear();
        open = null;
        List<Object> kept = new ArrayList<>();
        RuntimeException failed = send(sent, kept);
        parts.add(new Part(replies -> {
            replies.addAll(kept);
            return failed;
        }, NOTHING));
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
        Iterator<Part> left = parts.iterator();
        while (left.hasNext()) {
            try {
                RuntimeException failed = left.next().send.to(replies);
                first = first == null ? failed : first;
            } catch (RuntimeException lost) {
                left.forEachRemaining(part -> part.drop.run());
                throw new RedisPipelineException(Failures.translate(lost), replies);
            }
        }
        return first;
    }
}
