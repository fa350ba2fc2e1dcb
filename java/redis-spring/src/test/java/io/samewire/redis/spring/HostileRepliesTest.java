package io.samewire.redis.spring;

import static io.samewire.redis.spring.Operations.b;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.RedisOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.ScanOptions;
import reactor.core.publisher.Flux;

/** A server that lies: whatever it replies is a value, or an exception of Spring that says what was expected. */
@Timeout(120)
@SuppressWarnings("unchecked")
class HostileRepliesTest {
    private static final List<String> ELEMENTS = List.of("_\r\n", "*0\r\n", "%0\r\n", ":-9223372036854775808\r\n",
        ",nan\r\n", "#t\r\n", "$3\r\nabc\r\n", "*1\r\n:1\r\n", "%1\r\n_\r\n_\r\n");

    private static final Map<String, Function<RedisConnection, Object>> CALLS = new LinkedHashMap<>();

    static {
        CALLS.put("HRANDFIELD", on -> on.hashCommands().hRandFieldWithValues(b("k"), 2));
        CALLS.put("ZRANDMEMBER", on -> on.zSetCommands().zRandMemberWithScore(b("k"), 2));
        CALLS.put("BZPOPMIN", on -> on.zSetCommands().bZPopMin(b("k"), 1, TimeUnit.SECONDS));
        CALLS.put("SSCAN", on -> on.setCommands().sScan(b("k"), ScanOptions.NONE).hasNext());
        CALLS.put("TIME", on -> on.serverCommands().time());
        CALLS.put("INFO", on -> on.serverCommands().info());
        CALLS.put("CLIENT LIST", on -> on.serverCommands().getClientList());
        CALLS.put("CONFIG GET", on -> on.serverCommands().getConfig("*"));
        CALLS.put("GEOPOS", on -> on.geoCommands().geoPos(b("k"), b("m")));
        CALLS.put("XRANGE", on -> on.streamCommands().xRange(b("k"), Range.unbounded()));
        CALLS.put("XREAD", on -> on.streamCommands().xRead(StreamOffset.fromStart(b("k"))));
        CALLS.put("XPENDING", on -> on.streamCommands().xPending(b("k"), "group"));
        CALLS.put("XINFO", on -> on.streamCommands().xInfo(b("k")));
        CALLS.put("TYPE", on -> on.keyCommands().type(b("k")));
        CALLS.put("OBJECT ENCODING", on -> on.keyCommands().encodingOf(b("k")));
    }

    /** Greets, and then replies to everything with the same. */
    private static final class Liar implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0);
        private volatile String reply = "+OK\r\n";

        Liar() throws IOException {
            start(() -> {
                while (true) {
                    Socket connection = listening.accept();
                    start(() -> serve(connection));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException closed) {
                    return;
                }
            }, "liar");
            thread.setDaemon(true);
            thread.start();
        }

        private void serve(Socket connection) throws IOException {
            connection.setTcpNoDelay(true);
            byte[] bytes = new byte[1 << 16];
            InputStream in = connection.getInputStream();
            for (int came = in.read(bytes); came > 0; came = in.read(bytes)) {
                boolean greets = new String(bytes, 0, came, StandardCharsets.ISO_8859_1).contains("HELLO");
                String sent = greets ? "%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n" : reply;
                connection.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private static String outcome(Function<RedisConnection, Object> call, RedisConnection connection) {
        try {
            call.apply(connection);
            return null;
        } catch (RedisSystemException refused) {
            Throwable cause = refused.getCause();
            return cause instanceof SamewireException known && known.code() == Code.TYPE_MISMATCH ? null
                : String.valueOf(cause);
        } catch (RuntimeException other) {
            return other.toString();
        }
    }

    @Test
    void repliesOfAnotherShapeAreExceptionsOfSpring() throws IOException {
        Map<String, String> wrong = new LinkedHashMap<>();
        try (Liar liar = new Liar()) {
            SamewireConnectionFactory factory = new SamewireConnectionFactory(
                RedisOptions.of("redis://127.0.0.1:" + liar.listening.getLocalPort()));
            for (Map.Entry<String, Function<RedisConnection, Object>> call : CALLS.entrySet()) {
                for (String element : ELEMENTS) {
                    for (String head : List.of("", "*1\r\n", "*2\r\n*0\r\n", "*1\r\n*1\r\n")) {
                        judge(head + element, call, liar, factory, wrong);
                    }
                    for (int count = 2; count < 6; count++) {
                        judge("*" + count + "\r\n" + element.repeat(count), call, liar, factory, wrong);
                        judge("*1\r\n*" + count + "\r\n" + element.repeat(count), call, liar, factory, wrong);
                    }
                }
            }
            factory.destroy();
        }
        assertEquals(Map.of(), wrong);
    }

    private static void judge(String reply, Map.Entry<String, Function<RedisConnection, Object>> call, Liar liar,
            SamewireConnectionFactory factory, Map<String, String> wrong) {
        liar.reply = reply;
        String outcome = outcome(call.getValue(), factory.getConnection());
        if (outcome != null) {
            wrong.putIfAbsent(call.getKey() + ": " + outcome, reply);
        }
    }

    @Test
    void nullsDoNotTakeWhatIsBehindThemAndMisuseStaysTheProgramsOwn() throws IOException {
        try (Liar liar = new Liar()) {
            SamewireConnectionFactory factory = new SamewireConnectionFactory(
                RedisOptions.of("redis://127.0.0.1:" + liar.listening.getLocalPort()));
            RedisConnection connection = factory.getConnection();
            liar.reply = "*3\r\n*2\r\n$1\r\na\r\n,1\r\n_\r\n*2\r\n$1\r\nb\r\n,2\r\n";
            RedisSystemException refused = assertThrows(RedisSystemException.class,
                () -> connection.zSetCommands().zRandMemberWithScore(b("k"), 3));
            assertTrue(refused.getMessage().contains("expected an array of 2 elements, the server replied null"),
                refused::getMessage);
            assertEquals(Code.TYPE_MISMATCH, assertInstanceOf(SamewireException.class, refused.getCause()).code());
            assertThrows(InvalidDataAccessApiUsageException.class, () -> connection.execute("a\nb"));
            factory.destroy();
        }
    }

    @Test
    void reactiveCallsFailLikewise() throws IOException {
        Map<String, Function<ReactiveRedisConnection, Publisher<?>>> calls = new LinkedHashMap<>();
        calls.put("+nonsense\r\n", on -> on.keyCommands().type(ReactiveOperations.b("k")));
        calls.put("*1\r\n$1\r\n0\r\n", on -> on.keyCommands().scan());
        calls.put("*1\r\n$1\r\n5\r\n", on -> on.setCommands().sScan(ReactiveOperations.b("k")));
        calls.put("*2\r\n*2\r\n$1\r\na\r\n,1\r\n_\r\n", on -> on.zSetCommands().zRandMemberWithScore(
            ReactiveOperations.b("k"), 2));
        try (Liar liar = new Liar()) {
            SamewireConnectionFactory factory = new SamewireConnectionFactory(
                RedisOptions.of("redis://127.0.0.1:" + liar.listening.getLocalPort()));
            calls.forEach((reply, call) -> {
                liar.reply = reply;
                RedisSystemException refused = assertThrows(RedisSystemException.class, () -> Flux.from(call.apply(
                    factory.getReactiveConnection())).blockLast(Duration.ofSeconds(60)), reply);
                assertEquals(Code.TYPE_MISMATCH, assertInstanceOf(SamewireException.class, refused.getCause()).code());
            });
            factory.destroy();
        }
    }
}
