package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Lists;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients whose server becomes another one while their connections to the former one stay open. */
@Timeout(180)
class LocatorTest {
    /** Two servers, of which the first is the master until they change places. */
    private static final class Places implements Locator, AutoCloseable {
        final ValkeyServer former = ValkeyServer.start("--repl-diskless-sync-delay", "0");
        final ValkeyServer next = ValkeyServer.start();
        private volatile ValkeyServer master = former;

        @Override
        public Address find() {
            return Address.tcp("127.0.0.1", master.port());
        }

        @Override
        public boolean isElsewhere(RedisException error) {
            return error.word().equals("READONLY");
        }

        void change() {
            try (RedisClient client = RedisClient.connect(former.uri())) {
                client.execute(Commands.of("REPLICAOF", "127.0.0.1", String.valueOf(next.port())));
            }
            master = next;
        }

        List<String> found() {
            try (RedisClient client = RedisClient.connect(next.uri())) {
                return client.execute(Lists.lrange("all", 0, -1));
            }
        }

        @Override
        public void close() {
            former.close();
            next.close();
        }
    }

    private static RedisClient client(Places places) {
        return RedisClient.create(RedisOptions.of(places.former.uri()), places);
    }

    @Test
    void callsRefusedByAFormerMasterGoToTheNewOne() {
        try (Places places = new Places(); RedisClient client = client(places)) {
            client.execute(Lists.rpush("all", "before"));
            places.change();
            assertEquals(1, client.execute(Lists.rpush("all", "call")));
            assertEquals(List.of("call"), places.found());
        }
    }

    @Test
    void pipelinesRefusedAsAWholeGoToTheNewMaster() {
        try (Places places = new Places(); RedisClient client = client(places)) {
            client.execute(Lists.rpush("all", "before"));
            places.change();
            Pipeline pipeline = client.pipeline();
            pipeline.add(Lists.rpush("all", "one"));
            Result<Long> two = pipeline.add(Lists.rpush("all", "two"));
            pipeline.execute();
            assertEquals(2, two.get());
            assertEquals(List.of("one", "two"), places.found());
        }
    }

    @Test
    void transactionsRefusedGoToTheNewMaster() {
        try (Places places = new Places(); RedisClient client = client(places)) {
            client.execute(Lists.rpush("all", "before"));
            places.change();
            try (Transaction work = client.transaction()) {
                work.add(Lists.rpush("all", "transaction"));
                assertTrue(work.exec().isPresent());
            }
            assertEquals(List.of("transaction"), places.found());
        }
    }

    @Test
    void sharedConnectionsLeaveAFormerMasterAndLoseNothing() {
        try (Places places = new Places(); RedisClient client = client(places)) {
            client.async().execute(Lists.rpush("all", "before")).join();
            places.change();
            List<String> sent = new ArrayList<>();
            List<CompletableFuture<Long>> replies = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                sent.add("async-" + i);
                replies.add(client.async().execute(Lists.rpush("all", "async-" + i)));
            }
            replies.forEach(CompletableFuture::join);
            List<String> found = new ArrayList<>(places.found());
            assertEquals(sent.size(), found.size());
            assertTrue(found.containsAll(sent));
        }
    }
}
