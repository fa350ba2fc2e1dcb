/**
 * What the guides of Jedis and Lettuce show, written for this client, step by step. {@code spec/redis-moving.md} quotes
 * these lines.
 */
package io.samewire.redis.examples;
