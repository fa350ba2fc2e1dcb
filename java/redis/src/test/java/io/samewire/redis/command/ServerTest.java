package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.resp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on the server, its users and its connections. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class ServerTest extends OnServer {
    ServerTest(int protocol) {
        super(protocol);
    }

    @Test
    void tellsOfTheServer() {
        assertTrue(run(Server.info("server")).containsKey("tcp_port"));
        assertEquals(String.valueOf(server.port()), run(Server.info()).get("tcp_port"));
        assertEquals(0, run(Server.dbsize()));
        Instant now = Instant.now();
        assertTrue(Duration.between(run(Server.time()), now).abs().toMinutes() < 1);
        assertTrue(run(Server.lastsave()).isBefore(now.plusSeconds(60)));
        assertTrue(run(Server.role()).size() >= 3);
        assertEquals(List.of(), run(Server.moduleList()).stream().filter(Map::isEmpty).toList());
        assertTrue(run(Server.lolwut()).contains("ver"));
        assertFalse(run(Server.configHelp()).isEmpty());
    }

    @Test
    void configures() {
        run(Server.configSet("maxmemory-samples", "7"));
        assertEquals(Map.of("maxmemory-samples", "7"), run(Server.configGet("maxmemory-samples")));
        run(Server.configSet(Sent.map("maxmemory-samples", "5", "slowlog-max-len", "64")));
        run(Server.configResetstat());
        assertEquals("ERR", refused(Server.configRewrite()));
        assertEquals("ERR", refused(Server.configSet("none", "5")));
    }

    @Test
    void managesDatabases() {
        run(Strings.set("key", "a"));
        run(Server.swapdb(0, 5));
        assertEquals(0, run(Server.dbsize()));
        run(Connection.select(5));
        assertEquals(1, run(Server.dbsize()));
        run(Server.flushdb().flushType(FlushMode.SYNC));
        assertEquals(0, run(Server.dbsize()));
        awaitNothingSaves();
        run(Server.save());
        assertTrue(run(Server.bgsave()).startsWith("Background"));
        run(Server.replicaofNoOne());
        run(Server.slaveofNoOne());
    }

    /** While a child of the server saves, as one that an earlier test began may, it refuses to save. */
    private void awaitNothingSaves() {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!run(Server.info("persistence")).get("rdb_bgsave_in_progress").equals("0")) {
            assertTrue(System.nanoTime() < end, "the server saves for ever");
            Thread.onSpinWait();
        }
    }

    @Test
    void managesUsers() {
        run(Acl.aclSetuser("alice", "on", ">secret", "+get", "~a*"));
        assertEquals(Set.of("alice", "default"), Set.copyOf(run(Acl.aclUsers())));
        assertEquals(2, run(Acl.aclList()).size());
        assertTrue(run(Acl.aclGetuser("alice")).orElseThrow().containsKey("flags"));
        assertEquals(Optional.empty(), run(Acl.aclGetuser("bob")));
        assertEquals("OK", run(Acl.aclDryrun("alice", "GET", "a")));
        assertNotEquals("OK", run(Acl.aclDryrun("alice", "GET", "b")));
        assertEquals("default", run(Acl.aclWhoami()));
        assertTrue(run(Acl.aclCat()).contains("string"));
        assertTrue(run(Acl.aclCat().category("string")).contains("get"));
        assertEquals(2, run(Acl.aclGenpass().bits(8)).length());
        run(Connection.auth("alice", "secret"));
        assertEquals("NOPERM", refused(Strings.set("a", "b")));
        try (Exchange admin = Exchange.with(server, protocol)) {
            Map<String, Reply> event = admin.run(Acl.aclLog().count(1)).get(0);
            assertEquals("alice", ((Reply.Text) event.get("username")).string());
            admin.run(Acl.aclLogReset());
            assertEquals(List.of(), admin.run(Acl.aclLog()));
            assertEquals(1, admin.run(Acl.aclDeluser("alice", "bob")));
        }
    }

    @Test
    void tellsOfConnections() {
        assertEquals(Optional.empty(), run(Connection.clientGetname()));
        run(Connection.clientSetname("test"));
        assertEquals(Optional.of("test"), run(Connection.clientGetname()));
        run(Connection.clientSetinfo(ClientAttribute.libName("samewire")));
        Map<String, String> info = run(Connection.clientInfo());
        assertEquals("test", info.get("name"));
        assertEquals("samewire", info.get("lib-name"));
        long id = run(Connection.clientId());
        assertEquals(List.of("test"),
            run(Connection.clientList().id(id)).stream().map(client -> client.get("name")).toList());
        assertEquals(0, run(Connection.clientKillFilter().id(999_999)));
        assertEquals("ERR", refused(Connection.clientKill("127.0.0.1:1")));
        assertEquals(-1, run(Connection.clientGetredir()));
        assertFalse(run(Connection.clientUnblock(id)));
        run(Connection.clientNoEvict(true));
        run(Connection.clientNoTouch(false));
        run(Connection.clientPause(Duration.ofMillis(1)).mode(PauseMode.WRITE));
        run(Connection.clientUnpause());
        run(Connection.clientReply(ReplyMode.ON));
        assertEquals("hello", run(Connection.echo("hello")));
        assertEquals("PONG", run(Connection.ping()));
        assertEquals("hello", run(Connection.ping("hello")));
        assertEquals("RESET", run(Connection.reset()));
    }

    @Test
    void tracksKeys() {
        if (protocol == 3) {
            run(Connection.clientTracking().prefix("a:").prefix("b:").bcast().noloop());
            assertTrue(run(Connection.clientTrackinginfo()).containsKey("prefixes"));
            run(Connection.clientTrackingOff());
            run(Connection.clientTracking().optin());
            run(Connection.clientCaching(true));
        }
        assertTrue(run(Connection.clientTrackinginfo()).containsKey("flags"));
    }

    @Test
    void tellsOfCommandsAndLatency() {
        run(Server.configSet(Sent.map("slowlog-log-slower-than", "0", "latency-monitor-threshold", "1")));
        run(Strings.set("key", Bytes.of(new byte[] {(byte) 0xff})));
        LoggedCommand slow = run(Introspection.slowlogGet().count(1)).get(0);
        assertEquals(List.of("SET", "key", "\ufffd"), slow.arguments());
        assertTrue(slow.amount() >= 0);
        assertTrue(slow.address().startsWith("127.0.0.1:"));
        assertTrue(run(Introspection.slowlogLen()) > 0);
        assertTrue(run(Introspection.commandlogGet(5, CommandLogType.SLOW)).size() > 1);
        run(Introspection.slowlogReset());
        run(Server.debug("SLEEP", "0.002"));
        // A busy machine adds events of its own: a fork, for one.
        assertTrue(run(Introspection.latencyLatest()).stream().anyMatch(event -> event.event().equals("command")));
        assertTrue(run(Introspection.latencyHistory("command")).get(0).millis() >= 2);
        assertTrue(run(Introspection.latencyGraph("command")).contains("command"));
        assertTrue(run(Introspection.latencyReset()) > 0);
        assertTrue(run(Introspection.commandCount()) > 200);
        assertEquals(List.of("key"), run(Introspection.commandGetkeys("SET", "key", "a")));
        assertEquals(1, run(Introspection.commandGetkeysandflags("SET", "key", "a")).size());
        assertTrue(run(Introspection.commandList().filterby(CommandFilter.pattern("xa*"))).contains("xadd"));
        assertTrue(run(Introspection.commandDocs("get")).containsKey("get"));
        assertTrue(run(Introspection.memoryUsage("key").samples(0)).orElseThrow() > 0);
        assertTrue(run(Introspection.memoryUsage("x")).isEmpty());
        assertTrue(run(Introspection.memoryStats()).containsKey("peak.allocated"));
        run(Server.configSet("slowlog-log-slower-than", "10000"));
    }
}
