/** The Redis client as a connection factory of Spring Data Redis. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.samewire.redis.spring {
    exports io.samewire.redis.spring;

    // Spring makes the beans, on the module path by reflection.
    opens io.samewire.redis.spring;

    requires transitive io.samewire.redis;
    requires transitive spring.data.redis;
    requires transitive spring.beans;
    requires transitive spring.tx;
    requires spring.core;
    requires spring.data.commons;
    requires reactor.core;
    requires org.reactivestreams;
    requires static spring.boot;
    requires static spring.boot.autoconfigure;
    requires static spring.context;
}
