/**
 * The Redis client as a {@link io.samewire.redis.spring.SamewireConnectionFactory connection factory} of Spring Data
 * Redis, and its auto-configuration for Spring Boot.
 */
package io.samewire.redis.spring;
