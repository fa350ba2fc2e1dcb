/** Metrics of the Redis client in a registry of Micrometer. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.samewire.redis.micrometer {
    exports io.samewire.redis.micrometer;

    requires transitive io.samewire.redis;
    requires transitive micrometer.core;
}
