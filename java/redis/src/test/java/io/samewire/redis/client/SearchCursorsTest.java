package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.AggregateResult;
import io.samewire.redis.command.Search;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cursor of a search is read on the node that made it, of a cluster whose nodes are scripted. */
@Timeout(180)
class SearchCursorsTest {
    /** Commands without keys go to a random primary: so many would not all go to one by chance. */
    private static final int READS = 30;

    private final Peer[] nodes = new Peer[2];
    /** The nodes, by their number, that were asked for rows. */
    private final ConcurrentLinkedQueue<Integer> asked = new ConcurrentLinkedQueue<>();
    private RedisCluster cluster;

    @BeforeEach
    void start() {
        for (int i = 0; i < 2; i++) {
            int number = i;
            nodes[i] = Peer.greeting((connection, read) -> {
                if (read.contains("\r\nSLOTS\r\n")) {
                    Peer.send(connection, "*2\r\n" + slots(0) + slots(1));
                } else if (read.contains("\r\nFT.AGGREGATE\r\n")) {
                    asked.add(number);
                    Peer.send(connection, "*2\r\n*1\r\n:0\r\n:7\r\n");
                } else if (read.contains("\r\nREAD\r\n")) {
                    asked.add(number);
                    Peer.send(connection, "*2\r\n*1\r\n:0\r\n:" + (read.contains("\r\nCOUNT\r\n") ? 0 : 7) + "\r\n");
                } else if (read.contains("\r\nDEL\r\n")) {
                    asked.add(number);
                    Peer.send(connection, "+OK\r\n");
                }
            });
        }
        cluster = RedisCluster.connect(RedisOptions.of(nodes[0].address()), List.of(nodes[0].address()),
            ReadFrom.PRIMARY);
    }

    @AfterEach
    void stop() {
        cluster.close();
        nodes[0].close();
        nodes[1].close();
    }

    private String slots(int number) {
        return "*3\r\n:" + number * 8192 + "\r\n:" + (number * 8192 + 8191) + "\r\n*3\r\n$9\r\n127.0.0.1\r\n:"
            + nodes[number].port() + "\r\n$5\r\nnode" + number + "\r\n";
    }

    private void onOneNode() {
        assertEquals(1, Set.copyOf(asked).size(), asked::toString);
    }

    @Test
    void aCursorIsReadWhereItWasMade() {
        long cursor = cluster.execute(Search.ftAggregate("idx", "*").withcursor()).cursor().orElseThrow();
        for (int i = 0; i < READS; i++) {
            cursor = cluster.execute(Search.ftCursorRead("idx", cursor)).cursor().orElseThrow();
        }
        cluster.execute(Search.ftCursorDel("idx", cursor));
        assertEquals(READS + 2, asked.size());
        onOneNode();
    }

    @Test
    void callersThatDoNotWaitAndPipelinesReadItThere() {
        long cursor = cluster.submit(Search.ftAggregate("idx", "*").withcursor()).join().cursor().orElseThrow();
        for (int i = 0; i < READS; i++) {
            cursor = cluster.async().execute(Search.ftCursorRead("idx", cursor)).join().cursor().orElseThrow();
            Pipeline pipeline = cluster.pipeline();
            Result<AggregateResult> found = pipeline.add(Search.ftCursorRead("idx", cursor));
            pipeline.execute();
            cursor = found.get().cursor().orElseThrow();
        }
        onOneNode();
    }

    @Test
    void whatIsMadeOfTheReplyDoesNotMatter() {
        OptionalLong cursor = cluster.execute(Search.ftAggregate("idx", "*").withcursor().map(AggregateResult::cursor)
            .map(found -> found));
        for (int i = 0; i < READS; i++) {
            cursor = cluster.execute(Search.ftCursorRead("idx", cursor.orElseThrow()).map(AggregateResult::cursor));
        }
        onOneNode();
    }

    @Test
    void whatIsReadToItsEndOrNobodyReadsIsForgotten() {
        SearchCursors cursors = new SearchCursors();
        ClusterNode node = cluster.topology().map().nodes().iterator().next();
        var end = Search.ftCursorRead("idx", 7).count(1);
        AggregateResult more = cluster.execute(Search.ftAggregate("idx", "*").withcursor());
        assertEquals(7, more.cursor().orElseThrow());
        assertTrue(cluster.execute(end).cursor().isEmpty());
        assertNull(cursors.node(end, List.of(node)));
        for (int i = 1; i <= SearchCursors.MOST + 1; i++) {
            cursors.remember("idx", i, node.address);
        }
        assertEquals(SearchCursors.MOST, cursors.size());
        assertNull(cursors.node(Search.ftCursorRead("idx", 1), List.of(node)));
        assertEquals(node, cursors.node(Search.ftCursorRead("idx", 2), List.of(node)));
        assertEquals(Code.CLOSED, assertThrows(SamewireException.class,
            () -> cursors.node(Search.ftCursorRead("idx", 2), List.of())).code());
    }
}
