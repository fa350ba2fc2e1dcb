/** Spans and metrics of the Redis client by OpenTelemetry. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.samewire.redis.opentelemetry {
    exports io.samewire.redis.opentelemetry;

    requires transitive io.samewire.redis;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
}
