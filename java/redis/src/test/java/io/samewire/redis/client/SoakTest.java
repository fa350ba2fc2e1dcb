package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Text;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bad days in a row, in default settings: threads that are interrupted, calls that are cancelled, connections that are
 * cut, a server that stalls, is killed and started again. Each element that was pushed is accounted for. The system
 * property {@code samewire.soak.seconds} says how long, 15 by default; {@code samewire.soak.seed} which chances.
 */
@Tag("hard")
class SoakTest {
    private static final int BURST = 40;
    /** Milliseconds of one round, after which all is counted. */
    private static final int ROUND = 4_000;

    private final Random random = new Random(Long.getLong("samewire.soak.seed", 1));
    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicInteger cancels = new AtomicInteger();
    private int acknowledged;
    private int unknown;
    private int refused;

    @Test
    void everyElementIsAccountedFor() {
        long end = System.nanoTime() + Long.getLong("samewire.soak.seconds", 15) * 1_000_000_000L;
        int rounds = 0;
        try (ValkeyServer server = ValkeyServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            do {
                round(server, rounds++);
            } while (System.nanoTime() < end);
        }
        System.out.println("soak: " + rounds + " rounds, " + interrupts + " interrupts, " + cancels + " cancels: "
            + acknowledged + " acknowledged, " + unknown + " may have run, " + refused
            + " have not; none lost, none twice, none that was said not to have run");
        assertTrue(acknowledged > 0);
    }

    private void round(ValkeyServer server, int round) {
        Sent sent = new Sent();
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> callers = new ArrayList<>();
        List<Threads.Work> works = new ArrayList<>();
        try (CuttingProxy proxy = new CuttingProxy(server.port(), random.nextLong(), 400_000);
                RedisClient client = RedisClient.create(RedisOptions.of(proxy.address()))) {
            for (InterruptsTest.Way way : InterruptsTest.Way.values()) {
                String name = round + "-" + way + "-";
                works.add(() -> {
                    register(callers);
                    for (int turn = 0; !stop.get(); turn++) {
                        push(client, way, sent, name + turn);
                    }
                    Thread.interrupted();
                });
            }
            works.add(() -> bursts(client, sent, round, stop));
            works.add(() -> cancelledTasks(client, sent, round, stop));
            works.add(() -> interrupt(callers, stop));
            works.add(() -> {
                try {
                    trouble(server);
                } finally {
                    stop.set(true);
                }
            });
            Threads.together(works);
        }
        count(server, sent);
    }

    private static void register(List<Thread> callers) {
        synchronized (callers) {
            callers.add(Thread.currentThread());
        }
    }

    private static void push(RedisClient client, InterruptsTest.Way way, Sent sent, String token) {
        Thread.interrupted();
        try {
            sent.send(token, () -> way.send(client, token));
        } catch (AssertionError | RedisException notRun) {
            // A watch that was lost, or a server that reads its data for longer than the attempts take.
            sent.refused.add(token);
        }
    }

    /** Many calls at once, of which some are given up. */
    private void bursts(RedisClient client, Sent sent, int round, AtomicBoolean stop) {
        Random chances = new Random(round);
        for (int turn = 0; !stop.get(); turn++) {
            List<CompletableFuture<Long>> replies = new ArrayList<>();
            for (int i = 0; i < BURST; i++) {
                replies.add(client.async().execute(Lists.rpush("all", round + "-burst-" + turn + "-" + i)));
                if (chances.nextInt(10) == 0) {
                    replies.get(chances.nextInt(replies.size())).cancel(true);
                    cancels.incrementAndGet();
                }
            }
            for (int i = 0; i < BURST; i++) {
                String token = round + "-burst-" + turn + "-" + i;
                try {
                    replies.get(i).join();
                    sent.acknowledged.add(token);
                } catch (java.util.concurrent.CancellationException givenUp) {
                    sent.unknown.add(token);
                } catch (java.util.concurrent.CompletionException failed) {
                    if (failed.getCause() instanceof RedisException) {
                        sent.refused.add(token);
                    } else {
                        sent.failed(token, failed.getCause());
                    }
                }
            }
        }
    }

    /** Tasks of an executor that are cancelled while they call, as frameworks with time limits do. */
    private void cancelledTasks(RedisClient client, Sent sent, int round, AtomicBoolean stop) {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        Random chances = new Random(-round);
        for (int turn = 0; !stop.get(); turn++) {
            InterruptsTest.Way way = InterruptsTest.Way.values()[turn % InterruptsTest.Way.values().length];
            String token = round + "-task-" + turn;
            Future<?> task = executor.submit(() -> push(client, way, sent, token));
            spin(chances.nextInt(30_000));
            if (task.cancel(true)) {
                cancels.incrementAndGet();
            }
        }
        executor.shutdown();
        Threads.await("the tasks", executor::isTerminated);
    }

    private void interrupt(List<Thread> callers, AtomicBoolean stop) {
        Random chances = new Random(7);
        while (!stop.get()) {
            spin(chances.nextInt(20_000));
            synchronized (callers) {
                if (!callers.isEmpty()) {
                    callers.get(chances.nextInt(callers.size())).interrupt();
                    interrupts.incrementAndGet();
                }
            }
        }
    }

    private static void spin(int turns) {
        for (int left = turns; left > 0; left--) {
            Thread.onSpinWait();
        }
    }

    private void trouble(ValkeyServer server) {
        long end = System.nanoTime() + ROUND * 1_000_000L;
        while (System.nanoTime() < end) {
            Pool.sleep(200_000_000L + random.nextInt(600_000_000));
            if (random.nextBoolean()) {
                server.stall();
                Pool.sleep(random.nextInt(400_000_000));
                server.goOn();
            } else {
                server.kill();
                Pool.sleep(random.nextInt(300_000_000));
                server.launch();
            }
        }
    }

    private void count(ValkeyServer server, Sent sent) {
        try (RedisClient direct = RedisClient.connect(server.uri())) {
            AtomicInteger before = new AtomicInteger(-1);
            // What was given up may still be on its way.
            Threads.await("the server has done all", () -> {
                Pool.sleep(300_000_000);
                int now = direct.execute(Lists.llen("all")).intValue();
                return before.getAndSet(now) == now;
            });
            sent.agrees(direct.execute(Lists.lrange("all", 0, -1)));
            direct.execute(Keys.del("all"));
            // Else each start loads what all rounds have sent, in the end for longer than callers wait.
            direct.execute(Commands.of("BGREWRITEAOF"));
            Threads.await("the file holds the data alone", () ->
                direct.execute(Commands.of(Text.STRING, "INFO", "persistence")).contains("aof_rewrite_in_progress:0"));
        }
        acknowledged += sent.acknowledged.size();
        unknown += sent.unknown.size();
        refused += sent.refused.size();
    }
}
