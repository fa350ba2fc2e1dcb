package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.resp.RedisException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on clusters, on a cluster of one node. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class ClusterTest extends OnServer {
    ClusterTest(int protocol) {
        super(protocol);
    }

    private static ValkeyServer node;

    @BeforeAll
    static void startNode() {
        node = ValkeyServer.start("--cluster-enabled", "yes");
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @Test
    void tellsOfTheClusterAndChangesIt() throws InterruptedException {
        try (Exchange cluster = Exchange.with(node, protocol)) {
            if (cluster.run(Cluster.clusterInfo()).get("cluster_state").equals("fail")) {
                cluster.run(Cluster.clusterAddslots(0, 1));
                cluster.run(Cluster.clusterAddslotsrange(new IndexRange(2, 99), new IndexRange(100, 16_383)));
            }
            while (cluster.run(Cluster.clusterInfo()).get("cluster_state").equals("fail")) {
                Thread.sleep(10);
            }
            String id = cluster.run(Cluster.clusterMyid());
            assertEquals(40, id.length());
            assertEquals(40, cluster.run(Cluster.clusterMyshardid()).length());
            assertTrue(cluster.run(Cluster.clusterNodes()).contains(id));
            assertEquals(1, cluster.run(Cluster.clusterShards()).size());
            assertEquals(1, cluster.run(Cluster.clusterSlots()).size());
            assertEquals(List.of(), cluster.run(Cluster.clusterReplicas(id)));
            assertEquals(List.of(), cluster.run(Cluster.clusterSlaves(id)));
            assertEquals(List.of(), cluster.run(Cluster.clusterLinks()));
            assertEquals(List.of(), cluster.run(Cluster.clusterGetslotmigrations()));
            assertEquals(0, cluster.run(Cluster.clusterCountFailureReports(id)));
            cluster.run(Cluster.clusterSaveconfig());
            assertTrue(cluster.run(Cluster.clusterBumpepoch()).matches("(BUMPED|STILL) .*"));
            assertEquals("ERR", assertThrows(RedisException.class,
                () -> cluster.run(Cluster.clusterFailover().mode(FailoverMode.FORCE))).word());
            cluster.run(Strings.set("key", "a"));
            assertEquals(12_539, cluster.run(Cluster.clusterKeyslot("key")));
            assertEquals(1, cluster.run(Cluster.clusterCountkeysinslot(12_539)));
            assertEquals(List.of("key"), cluster.run(Cluster.clusterGetkeysinslot(12_539, 5)));
            assertEquals(2, cluster.run(Cluster.clusterSlotStats(0, 1)).size());
            assertEquals(3, cluster.run(Cluster.clusterSlotStatsOrderby("key-count").limit(3)).size());
            cluster.run(Cluster.clusterSetslot(5, SlotState.STABLE));
            cluster.run(Cluster.asking());
            cluster.run(Cluster.readonly());
            cluster.run(Cluster.readwrite());
            ScanPage<String> page = cluster.run(Cluster.clusterscan("0").match("k*").slot(12_539));
            List<String> found = new ArrayList<>(page.items());
            while (!page.isLast()) {
                page = cluster.run(Cluster.clusterscan(page.cursor()).match("k*").slot(12_539));
                found.addAll(page.items());
            }
            assertEquals(List.of("key"), found);
            cluster.run(Cluster.clusterFlushslot(12_539).flushType(FlushMode.SYNC));
            assertEquals(0, cluster.run(Cluster.clusterCountkeysinslot(12_539)));
            cluster.run(Cluster.clusterMeet("127.0.0.1", 1));
            assertFalse(cluster.run(Cluster.clusterHelp()).isEmpty());
            cluster.run(Cluster.clusterDelslots(5));
            cluster.run(Cluster.clusterDelslotsrange(new IndexRange(7, 9)));
            cluster.run(Cluster.clusterFlushslots());
            cluster.run(Cluster.clusterReset().resetType(ResetMode.SOFT));
        }
    }

    @Test
    void slotsAreTheServers() {
        try (Exchange cluster = Exchange.with(node, protocol)) {
            for (String key : List.of("key", "{a}b", "{}a", "a{b", "a{b}{c}", "{{a}}", "schlüssel", "")) {
                int expected = cluster.run(Commands.of(Reading.LONG, "CLUSTER KEYSLOT", key)).intValue();
                assertEquals(expected, KeySlot.of(key), key);
            }
        }
    }
}
