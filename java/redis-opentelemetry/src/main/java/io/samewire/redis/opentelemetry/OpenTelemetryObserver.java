package io.samewire.redis.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.samewire.redis.client.Address;
import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Observer;
import io.samewire.redis.client.PoolStatistics;
import io.samewire.redis.resp.RedisException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Makes a span of each call and keeps metrics, by OpenTelemetry's conventions for databases:
 * {@code RedisOptions.withObserver(new OpenTelemetryObserver(openTelemetry))}. Arguments are not recorded: they hold
 * values.
 *
 * <ul>
 * <li>spans of the kind {@code CLIENT}, called like the command, below the caller's current span:
 * {@code db.system.name}, {@code db.operation.name}, {@code db.namespace}, {@code server.address}, {@code server.port},
 * {@code db.operation.batch.size}, {@code error.type}, {@code db.response.status_code}
 * <li>{@code db.client.operation.duration}, a histogram of seconds with the same attributes
 * <li>{@code db.client.connection.create_time}, a histogram of seconds
 * <li>{@code samewire.redis.repeated}, a counter of commands that were sent again
 * <li>{@code samewire.redis.connections.closed}, a counter with the {@code reason}, which is {@code closed} where this
 * client closed the connection
 * </ul>
 *
 * <p>{@link #observePool} adds a client's pool. {@code error.type} is the first word of an error of the server
 * ({@code WRONGTYPE}), else the name of the exception's class. Thread-safe; one observer may serve many clients.
 */
public final class OpenTelemetryObserver implements Observer {
    private static final String SCOPE = "io.samewire.redis";
    /** The convention's, for durations of databases in seconds. */
    private static final List<Double> BOUNDARIES = List.of(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0);
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
    private static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("db.namespace");
    private static final AttributeKey<Long> BATCH_SIZE = AttributeKey.longKey("db.operation.batch.size");
    private static final AttributeKey<String> STATUS = AttributeKey.stringKey("db.response.status_code");
    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("reason");

    private static final AttributeKey<String> POOL = AttributeKey.stringKey("db.client.connection.pool.name");
    private static final AttributeKey<String> STATE = AttributeKey.stringKey("db.client.connection.state");

    private final Tracer tracer;
    private final Meter meter;
    private final DoubleHistogram durations;
    private final DoubleHistogram connects;
    private final LongCounter repeats;
    private final LongCounter closed;

    private record Started(Span span, Attributes attributes) {}

    /** Makes an observer that takes its tracer and its meter from there; {@code GlobalOpenTelemetry.get()} is one. */
    public OpenTelemetryObserver(OpenTelemetry telemetry) {
        tracer = telemetry.getTracer(SCOPE);
        meter = telemetry.getMeter(SCOPE);
        durations = histogram(meter, "db.client.operation.duration", "Duration of database client operations");
        connects = histogram(meter, "db.client.connection.create_time", "Time to make a connection");
        repeats = meter.counterBuilder("samewire.redis.repeated").setUnit("{command}")
            .setDescription("Commands that were sent again").build();
        closed = meter.counterBuilder("samewire.redis.connections.closed").setUnit("{connection}")
            .setDescription("Connections that were closed").build();
    }

    private static DoubleHistogram histogram(Meter meter, String name, String description) {
        return meter.histogramBuilder(name).setUnit("s").setDescription(description)
            .setExplicitBucketBoundariesAdvice(BOUNDARIES).build();
    }

    @Override
    public Object started(Operation operation) {
        AttributesBuilder found = server(operation.server()).put(SYSTEM, "redis").put(OPERATION, operation.name())
            .put(NAMESPACE, String.valueOf(operation.database()));
        if (operation.commands() > 1) {
            found.put(BATCH_SIZE, (long) operation.commands());
        }
        Attributes attributes = found.build();
        return new Started(tracer.spanBuilder(operation.name()).setSpanKind(SpanKind.CLIENT)
            .setAllAttributes(attributes).startSpan(), attributes);
    }

    @Override
    public void finished(Object token, Operation operation, Duration time, Throwable error) {
        Started call = (Started) token;
        Attributes attributes = call.attributes;
        if (error != null) {
            AttributesBuilder more = Attributes.builder().put(ERROR, type(error));
            if (error instanceof RedisException refused) {
                more.put(STATUS, refused.word());
            }
            Attributes failure = more.build();
            call.span.setAllAttributes(failure);
            call.span.recordException(error);
            call.span.setStatus(StatusCode.ERROR, String.valueOf(error.getMessage()));
            attributes = attributes.toBuilder().putAll(failure).build();
        }
        // Before the span ends: an exemplar refers to it.
        durations.record(seconds(time), attributes, Context.current().with(call.span));
        call.span.end();
    }

    @Override
    public void repeated(String name, int failures, Throwable error) {
        repeats.add(1, Attributes.of(OPERATION, name, ERROR, type(error)));
    }

    @Override
    public void connected(Address server, Duration time) {
        connects.record(seconds(time), server(server).put(SYSTEM, "redis").build());
    }

    @Override
    public void disconnected(Address server, Throwable error) {
        closed.add(1, server(server).put(REASON, error == null ? "closed" : type(error)).build());
    }

    /**
     * Adds counts of a client's connections for blocking callers: {@code db.client.connection.count} by
     * {@code db.client.connection.state}, which is {@code idle} or {@code used}, {@code db.client.connection.max}
     * (for each node of a cluster), and {@code db.client.connection.pending_requests}, callers that wait for one. They
     * do not keep the client in memory.
     *
     * @param name the attribute {@code db.client.connection.pool.name}, which tells clients apart
     */
    public void observePool(CommandClient client, String name) {
        Attributes pool = Attributes.of(POOL, name);
        Attributes idle = Attributes.of(POOL, name, STATE, "idle");
        Attributes used = Attributes.of(POOL, name, STATE, "used");
        count("db.client.connection.count", "{connection}", "Connections by their state", client, (now, out) -> {
            PoolStatistics found = now.poolStatistics();
            out.record(found.idle(), idle);
            out.record(found.connections() - found.idle(), used);
        });
        count("db.client.connection.max", "{connection}", "The most connections", client,
            (now, out) -> out.record(now.options().connections(), pool));
        count("db.client.connection.pending_requests", "{request}", "Callers that wait for a connection", client,
            (now, out) -> out.record(now.poolStatistics().waiting(), pool));
    }

    private void count(String name, String unit, String description, CommandClient client,
            BiConsumer<CommandClient, ObservableLongMeasurement> value) {
        WeakReference<CommandClient> weak = new WeakReference<>(client);
        meter.upDownCounterBuilder(name).setUnit(unit).setDescription(description).buildWithCallback(out -> {
            CommandClient now = weak.get();
            if (now != null) {
                value.accept(now, out);
            }
        });
    }

    private static AttributesBuilder server(Address server) {
        AttributesBuilder made = Attributes.builder();
        if (server == null) {
            return made;
        } else if (server.path() != null) {
            return made.put(ADDRESS, server.path());
        }
        return made.put(ADDRESS, server.host()).put(PORT, (long) server.port());
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String type(Throwable error) {
        return error instanceof RedisException refused ? refused.word() : error.getClass().getName();
    }
}
