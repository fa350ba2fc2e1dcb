/**
 * A client of Redis and Valkey: {@link io.samewire.redis.resp} is its protocol, {@link io.samewire.redis.command} has
 * its commands, {@link io.samewire.redis.client} its clients, {@link io.samewire.redis.store} its typed values.
 */
module io.samewire.redis {
    exports io.samewire.redis.client;
    exports io.samewire.redis.command;
    exports io.samewire.redis.resp;
    exports io.samewire.redis.store;

    requires transitive io.samewire.core;
    requires transitive io.samewire.pack;
    // How soon TCP notices that a peer is gone.
    requires jdk.net;
}
