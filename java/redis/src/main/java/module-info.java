/** A client of Redis and Valkey: {@link io.samewire.redis.resp} is its protocol. */
module io.samewire.redis {
    exports io.samewire.redis.resp;

    requires transitive io.samewire.core;
    requires transitive io.samewire.pack;
}
