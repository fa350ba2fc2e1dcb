/** The Redis client for coroutines of Kotlin. */
module io.samewire.redis.kotlin {
    exports io.samewire.redis.kotlin;

    requires transitive io.samewire.redis;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
}
