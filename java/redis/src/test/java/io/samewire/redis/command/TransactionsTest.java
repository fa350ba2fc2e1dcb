package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.resp.Reply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions, and what is published. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class TransactionsTest extends OnServer {
    TransactionsTest(int protocol) {
        super(protocol);
    }

    @Test
    void runsTransactions() {
        run(Transactions.watch("key"));
        run(Transactions.unwatch());
        run(Transactions.multi());
        run(Commands.of("SET", "key", "1"));
        run(Commands.of("INCR", "key"));
        List<Reply> replies = run(Transactions.exec()).orElseThrow();
        assertEquals(new Reply.Integer(2), replies.get(1));
        run(Transactions.multi());
        run(Transactions.discard());
        assertEquals("ERR", refused(Transactions.exec()));
        run(Transactions.watch("key"));
        run(Strings.set("key", "5"));
        run(Transactions.multi());
        assertEquals(Optional.empty(), run(Transactions.exec()));
    }

    @Test
    void publishes() {
        assertEquals(0, run(PubSub.publish("channel", "message")));
        assertEquals(0, run(PubSub.spublish("channel", "message")));
        try (Exchange subscriber = Exchange.with(server, 2)) {
            subscriber.run(PubSub.subscribe("one"));
            assertEquals(1, run(PubSub.publish("one", "message")));
            assertEquals(List.of("one"), run(PubSub.pubsubChannels()));
            assertEquals(List.of(), run(PubSub.pubsubChannels().pattern("x*")));
            assertEquals(Map.of("one", 1L, "two", 0L), run(PubSub.pubsubNumsub("one", "two")));
            assertEquals(0, run(PubSub.pubsubNumpat()));
        }
        assertEquals(Map.of("one", 0L), run(PubSub.pubsubShardnumsub("one")));
        assertEquals(List.of(), run(PubSub.pubsubShardchannels()));
    }
}
