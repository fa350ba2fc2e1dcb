package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.resp.RedisException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every call of the tests of words on a real server: whatever it replies, the command's reply has the type that
 * its factory promises.
 */
class EveryCommandTest {
    private static final List<Class<?>> TESTS = List.of(AclWordsTest.class, BitmapWordsTest.class,
        ConnectionWordsTest.class, GeoWordsTest.class, HashesWordsTest.class, HyperLogLogWordsTest.class,
        IntrospectionWordsTest.class, KeysWordsTest.class, ListsWordsTest.class, PubSubWordsTest.class,
        ScriptingWordsTest.class, ServerWordsTest.class, SetsWordsTest.class, SortedSetsWordsTest.class,
        StreamsWordsTest.class, StringsWordsTest.class, TransactionsWordsTest.class);

    /** Keys that the calls use. */
    private static final List<String> KEYS = List.of("key", "key{1}", "schüssel", "a", "b", "c", "d", "e", "f", "x");

    /** How a key is made for the commands of a group. */
    private static final Map<String, List<String>> SETUP = Map.of(
        "Bitmap", List.of("SET", "KEY", "foobar"),
        "Geo", List.of("GEOADD", "KEY", "13.361389", "38.115556", "field", "15.087269", "37.502669", "Catania"),
        "Hashes", List.of("HSET", "KEY", "field", "1", "a", "2.5"),
        "HyperLogLog", List.of("PFADD", "KEY", "value"),
        "Keys", List.of("RPUSH", "KEY", "1", "2"),
        "Lists", List.of("RPUSH", "KEY", "value", "7", "x"),
        "Sets", List.of("SADD", "KEY", "value", "7"),
        "SortedSets", List.of("ZADD", "KEY", "1", "value", "2.5", "a"),
        "Streams", List.of("XADD", "KEY", "5-0", "field", "value"),
        "Strings", List.of("SET", "KEY", "5"));

    /** Commands that end or stall the server or the connection, or change what the connection is for. */
    private static final Set<String> DISRUPTIVE = Set.of("CLIENT KILL", "CLIENT PAUSE", "CLIENT REPLY", "DEBUG",
        "FAILOVER", "MIGRATE", "MONITOR", "MULTI", "PFDEBUG", "PFSELFTEST", "PSUBSCRIBE", "PSYNC", "PUNSUBSCRIBE",
        "QUIT", "REPLCONF", "REPLICAOF", "RESET", "SCRIPT DEBUG", "SHUTDOWN", "SLAVEOF", "SSUBSCRIBE", "SUBSCRIBE",
        "SUNSUBSCRIBE", "SYNC", "UNSUBSCRIBE");

    /** Commands that need what these calls do not bring about: groups' own tests run them, if the server can at all. */
    private static final Set<String> NEED_MORE = Set.of(
        "ACL DRYRUN", "ACL LOAD", "ACL SAVE", "AUTH", "CLIENT CACHING", "CLIENT IMPORT-SOURCE", "COMMAND GETKEYS",
        "COMMAND GETKEYSANDFLAGS", "CONFIG REWRITE", "CONFIG SET", "DISCARD", "EVAL", "EVALSHA", "EVALSHA_RO",
        "EVAL_RO", "EXEC", "FCALL", "FCALL_RO", "FUNCTION DELETE", "FUNCTION KILL", "FUNCTION LOAD",
        "FUNCTION RESTORE", "GEOSEARCHSTORE", "LATENCY GRAPH", "MODULE LOAD", "MODULE LOADEX", "MODULE UNLOAD",
        "OBJECT FREQ", "RESTORE", "RESTORE-ASKING", "SCRIPT KILL", "SCRIPT SHOW", "WAITAOF", "XAUTOCLAIM", "XCLAIM",
        "XGROUP CREATECONSUMER", "XGROUP DELCONSUMER", "XGROUP SETID", "XINFO CONSUMERS", "XPENDING", "XREADGROUP");

    /** Commands that Valkey does not have. */
    private static final Set<String> OF_REDIS = Set.of(
        "BLMOVEM", "DELEX", "DIGEST", "HIMPORT DISCARD", "HIMPORT DISCARDALL", "HIMPORT PREPARE", "HIMPORT SET",
        "HOTKEYS GET", "HOTKEYS RESET", "HOTKEYS START", "HOTKEYS STOP", "INCREX", "LMOVEM", "SDIFFCARD", "STRALGO",
        "SUNIONCARD", "XACKDEL", "XCFGSET", "XDELEX", "XNACK");

    private static ValkeyServer server;

    @BeforeAll
    static void start() {
        server = ValkeyServer.start("--enable-debug-command", "yes");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    record Given(String group, Command<?> command) { }

    static List<Given> calls() throws ReflectiveOperationException {
        List<Given> found = new ArrayList<>();
        for (Class<?> test : TESTS) {
            String group = test.getSimpleName().replace("WordsTest", "");
            for (Method method : test.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    Object instance = test.getDeclaredConstructor().newInstance();
                    for (Command<?> command : Sent.by(() -> method.invoke(instance))) {
                        found.add(new Given(group, command));
                    }
                }
            }
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void repliesHaveTheTypeOfTheCommand(int protocol) throws ReflectiveOperationException {
        Set<String> replied = new TreeSet<>();
        Set<String> refused = new TreeSet<>();
        try (Exchange exchange = Exchange.with(server, protocol)) {
            for (Given given : calls()) {
                Command<?> command = given.command();
                if (DISRUPTIVE.contains(command.name()) || command.blockingMillis() == 0) {
                    continue;
                }
                prepare(exchange, SETUP.get(given.group()));
                try {
                    exchange.run(command);
                    replied.add(command.name());
                } catch (RedisException refusal) {
                    refused.add(command.name());
                } catch (RuntimeException wrong) {
                    throw new AssertionError(Sent.words(command).toString(), wrong);
                }
            }
        }
        refused.removeAll(replied);
        refused.removeAll(OF_REDIS);
        assertEquals(new TreeSet<>(NEED_MORE), refused);
    }

    private static void prepare(Exchange exchange, List<String> setup) {
        exchange.run(Server.flushall());
        if (setup != null) {
            for (String key : KEYS) {
                exchange.run(Commands.of(setup.get(0), setup.stream().skip(1)
                    .map(word -> word.equals("KEY") ? key : word).toArray(String[]::new)));
            }
        }
    }
}
