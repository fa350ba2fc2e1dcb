package io.samewire.redis.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.samewire.redis.client.Address;
import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Observer;
import io.samewire.redis.client.PoolStatistics;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Keeps a client's metrics in a registry, by the names and attributes of OpenTelemetry's conventions for databases:
 * {@code RedisOptions.withObserver(new MicrometerObserver(registry))}. A tag that does not apply is {@code none}.
 *
 * <ul>
 * <li>{@code db.client.operation.duration}, a timer of calls: {@code db.system.name}, {@code db.operation.name},
 * {@code db.namespace}, {@code server.address}, {@code server.port}, {@code error.type}
 * <li>{@code db.client.connection.create_time}, a timer: {@code db.system.name}, {@code server.address},
 * {@code server.port}
 * <li>{@code samewire.redis.repeated}, a counter of commands that were sent again: {@code db.operation.name},
 * {@code error.type}
 * <li>{@code samewire.redis.connections.closed}, a counter: {@code server.address}, {@code server.port},
 * {@code reason}, which is {@code closed} where this client closed the connection
 * </ul>
 *
 * <p>{@link #observePool} adds a client's pool. {@code error.type} is the first word of an error of the server
 * ({@code WRONGTYPE}), else the name of the exception's class. Thread-safe; one observer may serve many clients.
 */
public final class MicrometerObserver implements Observer {
    private static final String NONE = "none";

    private final MeterRegistry registry;
    /** The registry finds a meter by all its tags: a call would take a microsecond more. */
    private final Map<Outcome, Timer> calls = new ConcurrentHashMap<>();

    private record Outcome(String name, Address server, int database, String error) {}

    /** Makes an observer that keeps its meters in a registry. */
    public MicrometerObserver(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry);
    }

    @Override
    public void finished(Object token, Operation operation, Duration time, Throwable error) {
        Outcome outcome = new Outcome(operation.name(), operation.server(), operation.database(),
            error == null ? NONE : type(error));
        Timer timer = calls.get(outcome);
        if (timer == null) {
            timer = calls.computeIfAbsent(outcome, this::timer);
        }
        timer.record(time);
    }

    private Timer timer(Outcome outcome) {
        return Timer.builder("db.client.operation.duration").description("Duration of database client operations")
            .tags(server(outcome.server).and("db.system.name", "redis", "db.operation.name", outcome.name,
                "db.namespace", String.valueOf(outcome.database), "error.type", outcome.error))
            .register(registry);
    }

    @Override
    public void repeated(String name, int failures, Throwable error) {
        Counter.builder("samewire.redis.repeated").description("Commands that were sent again")
            .tags("db.operation.name", name, "error.type", type(error)).register(registry).increment();
    }

    @Override
    public void connected(Address server, Duration time) {
        Timer.builder("db.client.connection.create_time").description("Time to make a connection")
            .tags(server(server).and("db.system.name", "redis")).register(registry).record(time);
    }

    @Override
    public void disconnected(Address server, Throwable error) {
        Counter.builder("samewire.redis.connections.closed").description("Connections that were closed")
            .tags(server(server).and("reason", error == null ? "closed" : type(error))).register(registry).increment();
    }

    /**
     * Adds gauges of a client's connections for blocking callers: {@code db.client.connection.count} by
     * {@code db.client.connection.state}, which is {@code idle} or {@code used}, {@code db.client.connection.max}
     * (for each node of a cluster), and {@code db.client.connection.pending_requests}, callers that wait for one. They
     * do not keep the client in memory.
     *
     * @param name the tag {@code db.client.connection.pool.name}, which tells clients apart
     */
    public void observePool(CommandClient client, String name) {
        Tags pool = Tags.of("db.client.connection.pool.name", name);
        gauge("db.client.connection.count", "Connections by their state", client,
            pool.and("db.client.connection.state", "idle"), PoolStatistics::idle);
        gauge("db.client.connection.count", "Connections by their state", client,
            pool.and("db.client.connection.state", "used"), one -> one.connections() - one.idle());
        gauge("db.client.connection.pending_requests", "Callers that wait for a connection", client, pool,
            PoolStatistics::waiting);
        Gauge.builder("db.client.connection.max", client, one -> one.options().connections())
            .description("The most connections").tags(pool).register(registry);
    }

    private void gauge(String name, String description, CommandClient client, Tags tags,
            ToDoubleFunction<PoolStatistics> value) {
        Gauge.builder(name, client, one -> value.applyAsDouble(one.poolStatistics())).description(description)
            .tags(tags).register(registry);
    }

    private static Tags server(Address server) {
        return Tags.of("server.address", server == null ? NONE : server.path() == null ? server.host() : server.path(),
            "server.port", server == null || server.path() != null ? NONE : String.valueOf(server.port()));
    }

    private static String type(Throwable error) {
        return error instanceof RedisException refused ? refused.word() : error.getClass().getSimpleName();
    }
}
