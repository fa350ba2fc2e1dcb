package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counted traffic while primaries are killed or give their place to replicas, and slots move. */
@Timeout(180)
class ClusterFaultsTest {
    private static final int LISTS = 30;

    private ValkeyCluster servers;
    private RedisCluster cluster;
    private final Sent sent = new Sent();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void start() {
        servers = new ValkeyCluster();
        RedisOptions options = RedisOptions.of(servers.uris()[0]).withCommandTimeout(Duration.ofSeconds(30))
            .withRetry(new Retry(40, Duration.ofMillis(10), Duration.ofMillis(300)));
        cluster = RedisCluster.connect(options, List.of(options.address()), ReadFrom.PRIMARY);
    }

    @AfterEach
    void end() {
        cluster.close();
        servers.close();
    }

    private static String list(int number) {
        return "list" + number;
    }

    /** Writers of all kinds, and a reader. */
    private List<Threads.Work> traffic() {
        List<Threads.Work> works = new ArrayList<>();
        works.add(() -> {
            for (int turn = 0; !stop.get(); turn++) {
                String token = "call-" + turn;
                String list = list(turn % LISTS);
                sent.send(token, () -> cluster.execute(Lists.rpush(list, token)));
            }
        });
        works.add(() -> {
            for (int turn = 0; !stop.get(); turn++) {
                ClusterPipeline pipeline = cluster.pipeline();
                List<Result<Long>> results = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    results.add(pipeline.add(Lists.rpush(list((turn + i) % LISTS), "pipeline-" + turn + "-" + i)));
                }
                pipeline.execute();
                for (int i = 0; i < 20; i++) {
                    Result<Long> one = results.get(i);
                    sent.send("pipeline-" + turn + "-" + i, one::get);
                }
            }
        });
        works.add(() -> {
            for (int turn = 0; !stop.get(); turn++) {
                String token = "submit-" + turn;
                String list = list(turn % LISTS);
                sent.send(token, () -> {
                    try {
                        cluster.submit(Lists.rpush(list, token)).join();
                    } catch (CompletionException failed) {
                        throw (RuntimeException) failed.getCause();
                    }
                });
            }
        });
        works.add(() -> {
            for (int turn = 0; !stop.get(); turn++) {
                String list = list(turn % LISTS);
                sent.send("transaction-" + turn, new Pair(list, turn));
            }
        });
        works.add(() -> {
            while (!stop.get()) {
                cluster.execute(Strings.get("absent" + reads.incrementAndGet()));
            }
        });
        return works;
    }

    /** Two commands of one transaction, of which one is counted. */
    private final class Pair implements Runnable {
        private final String list;
        private final int turn;

        Pair(String list, int turn) {
            this.list = list;
            this.turn = turn;
        }

        @Override
        public void run() {
            try (ClusterTransaction work = cluster.transaction()) {
                work.add(Strings.set("{" + list + "}x", "y"));
                work.add(Lists.rpush(list, "transaction-" + turn));
                assertTrue(work.exec().isPresent());
            }
        }
    }

    private void run(Threads.Work disturbance) {
        List<Threads.Work> works = traffic();
        works.add(() -> {
            try {
                goesOn();
                disturbance.run();
                goesOn();
            } finally {
                stop.set(true);
            }
        });
        Threads.together(works);
    }

    /** Waits until more was written and read. */
    private void goesOn() {
        int written = sent.acknowledged.size();
        int read = reads.get();
        ValkeyCluster.await("traffic", () -> sent.acknowledged.size() > written + 100 && reads.get() > read + 25);
    }

    private List<String> found() {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < LISTS; i++) {
            found.addAll(cluster.execute(Lists.lrange(list(i), 0, -1)));
        }
        return found;
    }

    @Test
    void slotsMoveUnderTraffic() {
        run(() -> {
            for (int i = 0; i < 6; i++) {
                int slot = KeySlot.of(list(i));
                int from = servers.primary(slot);
                int to = servers.otherPrimary(from);
                servers.beginMove(slot, from, to);
                Pool.sleep(20_000_000);
                servers.moveKeys(slot, from, to);
                Pool.sleep(20_000_000);
                servers.endMove(slot, from, to);
            }
        });
        sent.agrees(found());
        assertEquals(0, sent.unknown.size() + sent.refused.size(), () -> sent.unknown + " " + sent.refused);
    }

    @Test
    void plannedFailOverLosesNothing() {
        run(() -> {
            servers.call(3, "CLUSTER FAILOVER");
            ValkeyCluster.await("the replica is the primary", () -> servers.primary(0) == 3);
            ValkeyCluster.await("everyone knows", servers::isWhole);
        });
        sent.agrees(found());
    }

    @Test
    void killedPrimaryIsReplacedAndNothingRunsTwice() {
        Set<String> safe = ConcurrentHashMap.newKeySet();
        run(() -> {
            int before = reads.get();
            // Replication is asynchronous: safe is what the replica has, and what came after the fail-over.
            safe.addAll(sent.acknowledged);
            long offset = offset(0, "master_repl_offset");
            ValkeyCluster.await("the replica has it", () -> offset(3, "slave_repl_offset") >= offset);
            servers.server(0).kill();
            ValkeyCluster.await("the replica is the primary", () -> ((Reply.Text) ((Reply.Array) servers.call(3,
                "ROLE")).elements().get(0)).string().equals("master"));
            ValkeyCluster.await("reads go on", () -> reads.get() > before + 100);
            Set<String> during = Set.copyOf(sent.acknowledged);
            ValkeyCluster.await("writes go on", () -> sent.acknowledged.size() > during.size() + 100);
            sent.acknowledged.stream().filter(token -> !during.contains(token)).forEach(safe::add);
        });
        List<String> found = found();
        Sent judged = new Sent();
        judged.acknowledged.addAll(safe);
        judged.unknown.addAll(sent.acknowledged);
        judged.unknown.addAll(sent.unknown);
        judged.refused.addAll(sent.refused);
        judged.agrees(found);
        assertTrue(safe.size() > 200, "too little traffic");
    }

    private long offset(int server, String name) {
        return servers.client(server).execute(Commands.of(in -> in.readString(), "INFO", "replication")).lines()
            .filter(line -> line.startsWith(name + ":"))
            .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip())).findFirst().orElseThrow();
    }
}
