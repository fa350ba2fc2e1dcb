package io.samewire.redis.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Transaction;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OpenTelemetryObserverTest {
    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    private static ValkeyServer server;

    @BeforeAll
    static void startServer() {
        server = ValkeyServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static RedisClient client() {
        return RedisClient.connect(RedisOptions.of(server.uri() + "/3")
            .withObserver(new OpenTelemetryObserver(TELEMETRY.getOpenTelemetry())));
    }

    private static Attributes attributes(String operation) {
        return Attributes.builder().put("db.system.name", "redis").put("db.operation.name", operation)
            .put("db.namespace", "3").put("server.address", "127.0.0.1").put("server.port", server.port()).build();
    }

    private static MetricData metric(String name) {
        return TELEMETRY.getMetrics().stream().filter(one -> one.getName().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void makesASpanOfEachCallBelowTheCurrentOne() {
        Span parent = TELEMETRY.getOpenTelemetry().getTracer("test").spanBuilder("request").startSpan();
        try (RedisClient client = client(); Scope current = parent.makeCurrent()) {
            client.execute(Strings.set("a", "1"));
            client.async().execute(Strings.get("a")).join();
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.get("a"));
            pipeline.add(Strings.get("b"));
            pipeline.execute();
            assertTrue(Span.current() == parent && current != null);
        }
        List<SpanData> spans = TELEMETRY.getSpans();
        assertEquals(List.of("SET", "GET", "PIPELINE"), spans.stream().map(SpanData::getName).toList());
        for (SpanData span : spans) {
            assertEquals(SpanKind.CLIENT, span.getKind());
            assertEquals(parent.getSpanContext().getSpanId(), span.getParentSpanId());
            assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
        }
        assertEquals(attributes("SET").asMap(), spans.get(0).getAttributes().asMap());
        assertEquals(attributes("PIPELINE").toBuilder().put("db.operation.batch.size", 2).build().asMap(),
            spans.get(2).getAttributes().asMap());
    }

    @Test
    void tellsWhyACallFailed() {
        try (RedisClient client = client()) {
            client.execute(Strings.set("a", "1"));
            assertThrows(RedisException.class, () -> client.execute(Lists.llen("a")));
        }
        SpanData span = TELEMETRY.getSpans().get(1);
        assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
        assertEquals(attributes("LLEN").toBuilder().put("error.type", "WRONGTYPE")
            .put("db.response.status_code", "WRONGTYPE").build().asMap(), span.getAttributes().asMap());
        assertEquals("exception", span.getEvents().get(0).getName());
    }

    @Test
    void keepsMetricsOfCallsAndConnections() {
        try (RedisClient client = client()) {
            client.execute(Strings.set("a", "1"));
            client.execute(Strings.set("a", "2"));
            assertThrows(RedisException.class, () -> client.execute(Lists.llen("a")));
        }
        MetricData calls = metric("db.client.operation.duration");
        assertEquals("s", calls.getUnit());
        HistogramPointData sets = calls.getHistogramData().getPoints().stream()
            .filter(point -> point.getAttributes().equals(attributes("SET"))).findFirst().orElseThrow();
        assertEquals(2, sets.getCount());
        assertEquals(List.of(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0), sets.getBoundaries());
        assertEquals(List.of("WRONGTYPE"), calls.getHistogramData().getPoints().stream()
            .map(point -> point.getAttributes().get(AttributeKey.stringKey("error.type")))
            .filter(type -> type != null).toList());
        assertEquals(1, metric("db.client.connection.create_time").getHistogramData().getPoints().iterator().next()
            .getCount());
        assertEquals("closed", metric("samewire.redis.connections.closed").getLongSumData().getPoints().iterator()
            .next().getAttributes().get(AttributeKey.stringKey("reason")));
    }

    @Test
    void countsAClientsPool() {
        try (RedisClient client = client(); Transaction work = client.transaction()) {
            work.watch("a");
            client.execute(Strings.get("a"));
            new OpenTelemetryObserver(TELEMETRY.getOpenTelemetry()).observePool(client, "orders");
            Map<String, Long> counts = metric("db.client.connection.count").getLongSumData().getPoints().stream()
                .collect(Collectors.toMap(point -> point.getAttributes().get(
                    AttributeKey.stringKey("db.client.connection.state")), LongPointData::getValue));
            assertEquals(Map.of("idle", 1L, "used", 1L), counts);
            LongPointData most = metric("db.client.connection.max").getLongSumData().getPoints().iterator().next();
            assertEquals(16, most.getValue());
            assertEquals("orders", most.getAttributes().get(
                AttributeKey.stringKey("db.client.connection.pool.name")));
            assertEquals(0, metric("db.client.connection.pending_requests").getLongSumData().getPoints().iterator()
                .next().getValue());
        }
    }

    @Test
    void countsCommandsThatAreSentAgain() {
        new OpenTelemetryObserver(TELEMETRY.getOpenTelemetry()).repeated("GET", 1, new RedisException("LOADING wait"));
        assertEquals(Attributes.builder().put("db.operation.name", "GET").put("error.type", "LOADING").build(),
            metric("samewire.redis.repeated").getLongSumData().getPoints().iterator().next().getAttributes());
    }
}
