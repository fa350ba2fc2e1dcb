package io.samewire.redis.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.ValkeyServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.geo.GeoResult;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.MapRecord;
import reactor.core.publisher.Flux;

/** Reactive calls of Spring's interface publish what they publish with Lettuce, and fail with the same exceptions. */
@Timeout(180)
class ReactiveSameAsLettuceTest {
    private static final Duration WAIT = Duration.ofSeconds(60);

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

    private static List<String> each(ReactiveRedisConnectionFactory factory) {
        List<String> found = new ArrayList<>();
        ReactiveRedisConnection connection = factory.getReactiveConnection();
        connection.serverCommands().flushAll().then(connection.scriptingCommands().scriptFlush()).block(WAIT);
        ReactiveOperations.all().forEach((name, operation) -> {
            String result;
            try {
                result = text(Flux.from(operation.on(connection)).collectList().block(WAIT));
            } catch (RuntimeException failed) {
                result = failed.getClass().getSimpleName();
            }
            found.add(name + ": " + result);
        });
        connection.closeLater().block(WAIT);
        return found;
    }

    @Test
    void eachCallPublishesTheSame() {
        List<String> expected = each(lettuce);
        List<String> found = each(ours);
        assertEquals(String.join("\n", expected), String.join("\n", found));
        assertTrue(found.size() > 250);
    }

    @Test
    void programSeesTheSame() throws Exception {
        List<String> expected = program(lettuce);
        List<String> found = program(ours);
        assertEquals(String.join("\n", expected), String.join("\n", found));
        assertTrue(found.size() > 40);
    }

    private static List<String> program(ReactiveRedisConnectionFactory factory) throws Exception {
        factory.getReactiveConnection().serverCommands().flushAll().block(WAIT);
        return ReactiveProgram.run(factory);
    }

    private static String text(Object value) {
        if (value instanceof ByteBuffer bytes) {
            return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
        } else if (value instanceof List<?> list) {
            return list.stream().map(ReactiveSameAsLettuceTest::text).toList().toString();
        } else if (value instanceof MapRecord<?, ?, ?> one) {
            return text(one.getStream()) + one.getId() + text(one.getValue());
        } else if (value instanceof Map.Entry<?, ?> entry) {
            return text(entry.getKey()) + "=" + text(entry.getValue());
        } else if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, one) -> sorted.put(text(key), text(one)));
            return sorted.toString();
        } else if (value instanceof GeoResult<?> one) {
            return text(one.getContent()) + one.getDistance();
        } else if (value instanceof java.util.Set<?> many) {
            return many.stream().map(ReactiveSameAsLettuceTest::text).sorted().toList().toString();
        } else if (value instanceof org.springframework.data.redis.domain.geo.GeoLocation<?> at) {
            return text(at.getName()) + at.getPoint();
        }
        return SameAsLettuceTest.text(value);
    }
}
