package io.samewire.redis.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.ValkeyServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.PendingMessagesSummary;
import org.springframework.data.redis.connection.zset.Tuple;

/** Calls of Spring's interface have the results that they have with Lettuce. */
class SameAsLettuceTest {
    private static ValkeyServer server;
    private static SamewireConnectionFactory ours;
    private static LettuceConnectionFactory lettuce;

    @BeforeAll
    static void start() {
        server = ValkeyServer.start();
        ours = new SamewireConnectionFactory(RedisOptions.of(server.uri()));
        lettuce = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        lettuce.afterPropertiesSet();
        lettuce.start();
    }

    @AfterAll
    static void stop() throws Exception {
        ours.destroy();
        lettuce.destroy();
        server.close();
    }

    private static void compare(Function<RedisConnection, List<String>> use) {
        List<String> expected = flushed(lettuce, use);
        List<String> found = flushed(ours, use);
        assertEquals(String.join("\n", expected), String.join("\n", found));
        assertTrue(found.size() > 10);
    }

    private static List<String> flushed(RedisConnectionFactory factory, Function<RedisConnection, List<String>> use) {
        try (RedisConnection connection = factory.getConnection()) {
            connection.serverCommands().flushAll();
            connection.scriptingCommands().scriptFlush();
            return use.apply(connection);
        }
    }

    @Test
    void eachCallReturnsTheSame() {
        compare(connection -> {
            List<String> found = new ArrayList<>();
            Operations.all().forEach((name, operation) -> {
                String result;
                try {
                    result = text(operation.on(connection));
                } catch (RuntimeException failed) {
                    result = failed.getClass().getSimpleName();
                }
                found.add(name + ": " + result);
            });
            return found;
        });
    }

    @Test
    void pipelinesReturnTheSame() {
        compare(connection -> {
            connection.openPipeline();
            queue(connection);
            return connection.closePipeline().stream().map(SameAsLettuceTest::text).toList();
        });
    }

    @Test
    void transactionsReturnTheSame() {
        compare(connection -> {
            connection.multi();
            queue(connection);
            return connection.exec().stream().map(SameAsLettuceTest::text).toList();
        });
    }

    /** Calls all that succeed, and that make nothing of their reply: it is not there yet. */
    private static void queue(RedisConnection connection) {
        Map<String, Operations.Operation> queued = Operations.all();
        queued.keySet().removeAll(List.of("wrong type", "decr of a double", "rename nothing", "lSet outside",
            "xAdd too old", "xGroupCreate again", "eval error", "evalSha unknown", "idletime", "xInfo", "xInfoGroups",
            "xInfoConsumers", "xPending range", "info"));
        queued.values().forEach(operation -> operation.on(connection));
    }

    static String text(Object value) {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } else if (value instanceof Tuple tuple) {
            return text(tuple.getValue()) + "=" + tuple.getScore();
        } else if (value instanceof MapRecord<?, ?, ?> one) {
            return text(one.getStream()) + one.getId() + text(one.getValue());
        } else if (value instanceof Map.Entry<?, ?> entry) {
            return text(entry.getKey()) + "=" + text(entry.getValue());
        } else if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, one) -> sorted.put(text(key), text(one)));
            return sorted.toString();
        } else if (value instanceof org.springframework.data.geo.GeoResults<?> results) {
            return results.getContent().stream().map(one -> text(one.getContent()) + one.getDistance()).toList()
                .toString();
        } else if (value instanceof org.springframework.data.redis.domain.geo.GeoLocation<?> at) {
            return text(at.getName()) + at.getPoint();
        } else if (value instanceof PendingMessagesSummary summary) {
            return summary.getTotalPendingMessages() + summary.getPendingMessagesPerConsumer().toString();
        } else if (value instanceof Exception failed) {
            return failed.getClass().getSimpleName();
        } else if (value instanceof Collection<?> many) {
            List<String> texts = new ArrayList<>(many.stream().map(SameAsLettuceTest::text).toList());
            return (many instanceof java.util.Set<?> ? texts.stream().sorted().toList() : texts).toString();
        }
        return String.valueOf(value);
    }
}
