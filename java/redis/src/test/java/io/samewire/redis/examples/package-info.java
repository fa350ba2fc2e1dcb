/**
 * What the guides of Jedis and Lettuce show, written for this client, step by step.
 * {@code docs/moving/jedis-lettuce.md} quotes these lines.
 */
package io.samewire.redis.examples;
