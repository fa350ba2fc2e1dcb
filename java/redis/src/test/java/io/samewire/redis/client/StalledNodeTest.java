package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary that keeps its connections and does nothing more: the first one, of slots 0 to 5,460. */
@Timeout(180)
class StalledNodeTest {
    /** Of a command: on a loaded machine it is written, and may have run, well before it is over. */
    private static final Duration TIME = Duration.ofSeconds(3);

    private ValkeyCluster servers;
    private RedisCluster cluster;
    private String stalled;
    private List<String> well;

    @BeforeEach
    void start() {
        servers = new ValkeyCluster();
        cluster = connect(Retry.NONE);
        List<String> keys = IntStream.range(0, 100).mapToObj(i -> "key" + i).toList();
        stalled = keys.stream().filter(key -> servers.primary(KeySlot.of(key)) == 0).findFirst().orElseThrow();
        well = keys.stream().filter(key -> servers.primary(KeySlot.of(key)) != 0).limit(20).toList();
    }

    private RedisCluster connect(Retry retry) {
        RedisOptions options = RedisOptions.of(servers.server(1).uri()).withCommandTimeout(TIME).withRetry(retry);
        return RedisCluster.connect(options, List.of(options.address()), ReadFrom.PRIMARY);
    }

    @AfterEach
    void end() {
        cluster.close();
        IntStream.range(0, 6).forEach(i -> servers.server(i).goOn());
        servers.close();
    }

    /**
     * Nobody takes the stalled node's place, and the others go on without its slots. None is taken for dead: on a
     * loaded machine a node would find the other one late, too, and without a majority refuse everything.
     */
    private void keepRoles() {
        for (int i = 0; i < 6; i++) {
            servers.call(i, "CONFIG SET", "cluster-node-timeout", "600000");
            servers.call(i, "CONFIG SET", "cluster-replica-no-failover", "yes");
            servers.call(i, "CONFIG SET", "cluster-require-full-coverage", "no");
        }
    }

    @Test
    void callsToOtherNodesGoOnAndThoseToItEndInTime() {
        keepRoles();
        cluster.execute(Strings.set(stalled, "0"));
        cluster.submit(Strings.incr(stalled)).join();
        servers.server(0).stall();
        long start = System.nanoTime();
        CompletableFuture<ConnectionException> waiting = CompletableFuture.supplyAsync(() ->
            assertThrows(ConnectionException.class, () -> cluster.execute(Strings.incr(stalled))));
        CompletableFuture<Long> shared = cluster.submit(Strings.incr(stalled));
        for (String key : well) {
            assertEquals(1, cluster.execute(Strings.incr(key)));
            assertEquals(2, cluster.submit(Strings.incr(key)).join());
            // Two calls in three seconds; all of them may take longer.
            assertFalse(key.equals(well.get(0)) && shared.isDone(), "calls to other nodes waited for the stalled one");
        }
        ConnectionException late = waiting.join();
        assertEquals(Code.TIMEOUT, late.code());
        assertTrue(late.mayHaveRun());
        CompletionException sharedLate = assertThrows(CompletionException.class, shared::join);
        assertEquals(Code.TIMEOUT, ((ConnectionException) sharedLate.getCause()).code());
        assertTrue(System.nanoTime() - start < 60_000_000_000L, "calls ended too late");
    }

    /** Also those whose reply and whose time end at once: what has been written is said first. */
    @Test
    void everyWriteToItMayHaveRun() {
        keepRoles();
        try (RedisCluster patient = connect(Retry.DEFAULT)) {
            patient.submit(Strings.set(stalled, "0")).join();
            servers.server(0).stall();
            List<CompletableFuture<Long>> writes = IntStream.range(0, 3_000)
                .mapToObj(i -> patient.submit(Strings.incr(stalled))).toList();
            assertEquals(0, writes.stream().filter(write -> !((ConnectionException) assertThrows(
                CompletionException.class, write::join).getCause()).mayHaveRun()).count(), "are told wrongly");
        }
    }

    /** A part that was not sent says nothing of the others. */
    @Test
    void aCommandOfSeveralNodesMayHaveRunOnOthers() {
        keepRoles();
        String other = well.get(0);
        servers.server(0).stall();
        for (boolean waits : new boolean[] {true, false}) {
            try (RedisCluster fresh = connect(Retry.NONE)) {
                fresh.submit(Strings.set(other, "0")).join();
                ConnectionException late = waits
                    ? assertThrows(ConnectionException.class, () -> fresh.execute(Keys.del(stalled, other)))
                    : failure(fresh.submit(Keys.del(stalled, other)));
                assertTrue(late.mayHaveRun(), late.getMessage());
                assertEquals(Optional.empty(), fresh.execute(Strings.get(other)));
            }
        }
    }

    /** It would be sent again; the end of the client says nothing of what was sent before. */
    @Test
    void aReadMayHaveRunAlthoughTheClientIsClosed() {
        keepRoles();
        CompletableFuture<Optional<String>> read;
        try (RedisCluster patient = connect(Retry.DEFAULT)) {
            patient.submit(Strings.set(stalled, "0")).join();
            servers.server(0).stall();
            // Nothing is on its way: this thread itself writes.
            read = patient.submit(Strings.get(stalled));
        }
        assertTrue(failure(read).mayHaveRun());
    }

    @Test
    void aReadMayHaveRunAlthoughItsThreadWaitsForTheMap() throws InterruptedException {
        keepRoles();
        try (RedisCluster patient = connect(Retry.DEFAULT)) {
            patient.execute(Strings.set(stalled, "0"));
            IntStream.range(0, 6).forEach(i -> servers.server(i).stall());
            AtomicReference<ConnectionException> thrown = new AtomicReference<>();
            Thread reader = new Thread(() -> thrown.set(assertThrows(ConnectionException.class,
                () -> patient.execute(Strings.get(stalled)))));
            reader.start();
            Threads.await("it waits for the map", () -> Arrays.stream(reader.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Topology.class.getName())));
            reader.interrupt();
            reader.join();
            assertEquals(Code.CLOSED, thrown.get().code());
            assertTrue(thrown.get().mayHaveRun());
        }
    }

    private static ConnectionException failure(CompletableFuture<?> of) {
        return (ConnectionException) assertThrows(CompletionException.class, of::join).getCause();
    }

    @Test
    void aPipelineHasTheRepliesOfTheOtherNodes() {
        keepRoles();
        cluster.submit(Strings.set(stalled, "0")).join();
        servers.server(0).stall();
        ClusterPipeline pipeline = cluster.pipeline();
        Result<Long> none = pipeline.add(Strings.incr(stalled));
        List<Result<Long>> replies = new ArrayList<>();
        well.forEach(key -> replies.add(pipeline.add(Strings.incr(key))));
        pipeline.execute();
        replies.forEach(reply -> assertEquals(1, reply.get()));
        ConnectionException late = assertThrows(ConnectionException.class, none::get);
        assertEquals(Code.TIMEOUT, late.code());
        assertTrue(late.mayHaveRun());
    }

    @Test
    void itIsUsedAgainOnceItGoesOn() {
        keepRoles();
        cluster.execute(Strings.set(stalled, "0"));
        servers.server(0).stall();
        assertEquals(Code.TIMEOUT, assertThrows(ConnectionException.class,
            () -> cluster.execute(Strings.get(stalled))).code());
        servers.server(0).goOn();
        ValkeyCluster.await("the node replies", () -> cluster.execute(Strings.get(stalled)).equals(Optional.of("0")));
        ValkeyCluster.await("it replies on the shared connection", () -> {
            try {
                return cluster.submit(Strings.get(stalled)).join().equals(Optional.of("0"));
            } catch (CompletionException late) {
                return false;
            }
        });
    }

    @Test
    void aCallThatMayBeRepeatedReachesItsReplica() {
        cluster.execute(Strings.set(stalled, "0"));
        ValkeyCluster.await("the replica has it", () -> servers.call(3, "DBSIZE").toString().equals("1"));
        RedisOptions options = RedisOptions.of(servers.server(1).uri()).withCommandTimeout(Duration.ofSeconds(20));
        try (RedisCluster patient = RedisCluster.connect(options, List.of(options.address()), ReadFrom.PRIMARY)) {
            assertEquals("0", patient.execute(Strings.get(stalled)).orElseThrow());
            assertEquals("0", patient.submit(Strings.get(stalled)).join().orElseThrow());
            servers.server(0).stall();
            // Half of its time at the node that is silent, and the rest where the map says then.
            CompletableFuture<Optional<String>> shared = patient.submit(Strings.get(stalled));
            CompletableFuture<Optional<String>> timed = patient.submit(Strings.get(stalled), Duration.ofSeconds(30));
            CompletableFuture<Long> once = patient.submit(Strings.incr(stalled));
            assertEquals("0", patient.execute(Strings.get(stalled)).orElseThrow());
            assertEquals("0", shared.join().orElseThrow());
            assertEquals("0", timed.join().orElseThrow());
            ConnectionException late = (ConnectionException) assertThrows(CompletionException.class, once::join)
                .getCause();
            assertTrue(late.mayHaveRun(), "a write is not sent twice");
        }
    }

    @Test
    void itsReplicaTakesOverAndItComesBackAsOne() {
        cluster.execute(Strings.set(stalled, "0"));
        ValkeyCluster.await("the replica has it", () -> servers.call(3, "DBSIZE").toString().equals("1"));
        servers.server(0).stall();
        try (RedisCluster patient = connect(new Retry(100, Duration.ofMillis(10), Duration.ofMillis(200)))) {
            // Each call ends in its time, and has the map asked for: until the replica serves the slot.
            ValkeyCluster.await("the replica serves", () -> {
                try {
                    return patient.execute(Strings.get(stalled)).equals(Optional.of("0"));
                } catch (ConnectionException late) {
                    assertEquals(Code.TIMEOUT, late.code());
                    return false;
                }
            });
            assertEquals(1, patient.execute(Strings.incr(stalled)));
            assertEquals(2, patient.submit(Strings.incr(stalled)).join());
            servers.server(0).goOn();
            ValkeyCluster.await("the old primary follows", servers::isWhole);
            assertEquals(3, patient.execute(Strings.incr(stalled)));
            ValkeyCluster.await("the impatient client has found the new primary",
                () -> cluster.execute(Strings.get(stalled)).equals(Optional.of("3")));
        }
    }
}
