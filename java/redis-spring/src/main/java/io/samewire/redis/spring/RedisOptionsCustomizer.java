package io.samewire.redis.spring;

import io.samewire.redis.client.RedisOptions;

/** A bean that changes the options of the client that Spring Boot gets, for what no property says. */
@FunctionalInterface
public interface RedisOptionsCustomizer {
    /** Returns the options with a change. Their address, credentials and database are those of the properties. */
    RedisOptions customize(RedisOptions options);
}
