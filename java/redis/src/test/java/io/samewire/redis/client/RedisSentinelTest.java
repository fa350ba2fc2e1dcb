package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Masters and replicas by the names of their services. */
@Timeout(180)
class RedisSentinelTest {
    private static final RedisOptions PATIENT = RedisOptions.of("redis://")
        .withRetry(new Retry(60, Duration.ofMillis(10), Duration.ofMillis(300)))
        .withCommandTimeout(Duration.ofSeconds(60));

    @Test
    void mastersAndReplicasAreFoundByName() {
        try (ValkeySentinels servers = new ValkeySentinels();
                RedisSentinel sentinels = RedisSentinel.connect(servers.uris());
                RedisClient master = sentinels.master(ValkeySentinels.SERVICE);
                RedisClient replicas = sentinels.replicas(ValkeySentinels.SERVICE)) {
            assertEquals(Address.tcp("127.0.0.1", servers.master.port()),
                sentinels.masterAddress(ValkeySentinels.SERVICE));
            assertEquals(List.of(Address.tcp("127.0.0.1", servers.replica.port())),
                sentinels.replicaAddresses(ValkeySentinels.SERVICE));
            master.execute(Strings.set("a", "1"));
            ValkeyCluster.await("the replica has it", () -> replicas.execute(Strings.get("a")).isPresent());
            // A replica's own refusal is not followed: replicas are meant.
            assertEquals("READONLY", assertThrows(RedisException.class,
                () -> replicas.execute(Strings.set("a", "2"))).word());
            ConnectionException unknown = assertThrows(ConnectionException.class,
                () -> sentinels.masterAddress("nobody"));
            assertFalse(unknown.mayHaveRun());
            // The first sentinel is gone: the next one is asked.
            servers.sentinels.get(0).kill();
            assertEquals(Address.tcp("127.0.0.1", servers.master.port()),
                sentinels.masterAddress(ValkeySentinels.SERVICE));
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, RedisSentinel::connect).code());
        }
    }

    @Test
    void failOverIsFollowedUnderTraffic() {
        try (ValkeySentinels servers = new ValkeySentinels();
                RedisSentinel sentinels = RedisSentinel.connect(servers.uris());
                RedisClient master = sentinels.master(ValkeySentinels.SERVICE, PATIENT)) {
            Sent sent = new Sent();
            AtomicBoolean stop = new AtomicBoolean();
            List<Threads.Work> works = new ArrayList<>();
            works.add(() -> {
                for (int turn = 0; !stop.get(); turn++) {
                    String token = "call-" + turn;
                    sent.send(token, () -> master.execute(Lists.rpush("all", token)));
                }
            });
            works.add(() -> {
                for (int turn = 0; !stop.get(); turn++) {
                    String token = "async-" + turn;
                    sent.send(token, () -> {
                        try {
                            master.async().execute(Lists.rpush("all", token)).join();
                        } catch (CompletionException failed) {
                            throw (RuntimeException) failed.getCause();
                        }
                    });
                }
            });
            works.add(() -> {
                try {
                    ValkeyCluster.await("traffic", () -> sent.acknowledged.size() > 100);
                    servers.master.kill();
                    ValkeyCluster.await("the replica is the master", () -> sentinels
                        .masterAddress(ValkeySentinels.SERVICE).port() == servers.replica.port());
                    int before = sent.acknowledged.size();
                    // At most two of those before were on their way.
                    ValkeyCluster.await("writes go on", () -> sent.acknowledged.size() > before + 20);
                } finally {
                    stop.set(true);
                }
            });
            Threads.together(works);
            List<String> found = master.execute(Lists.lrange("all", 0, -1));
            // Replication is asynchronous: what the master acknowledged in its last moments may not have left it.
            List<String> missing = new ArrayList<>(sent.acknowledged);
            missing.removeAll(found);
            assertTrue(missing.size() < 20, () -> "acknowledged and lost beyond the last moment: " + missing);
            sent.acknowledged.removeAll(missing);
            sent.agrees(found);
        }
    }

    @Test
    void formerMastersRefusalIsFollowed() {
        try (ValkeySentinels servers = new ValkeySentinels();
                RedisSentinel sentinels = RedisSentinel.connect(servers.uris());
                RedisClient master = sentinels.master(ValkeySentinels.SERVICE, PATIENT)) {
            master.execute(Strings.set("a", "1"));
            master.async().execute(Strings.set("b", "1")).join();
            // Both connections are open while the master becomes a replica.
            ValkeySentinels.text(servers.sentinels.get(0), "SENTINEL FAILOVER", ValkeySentinels.SERVICE);
            ValkeyCluster.await("the replica is the master", () -> sentinels
                .masterAddress(ValkeySentinels.SERVICE).port() == servers.replica.port());
            ValkeyCluster.await("the master is a replica", () -> ValkeySentinels.text(servers.master, "INFO",
                "replication").contains("role:slave"));
            master.execute(Strings.set("a", "2"));
            master.async().execute(Strings.set("b", "2")).join();
            try (Transaction work = master.transaction()) {
                work.add(Strings.set("c", "2"));
                assertTrue(work.exec().isPresent());
            }
            try (RedisClient now = RedisClient.connect(servers.replica.uri())) {
                assertEquals(List.of(Optional.of("2"), Optional.of("2"), Optional.of("2")),
                    now.execute(Strings.mget("a", "b", "c")));
            }
        }
    }
}
