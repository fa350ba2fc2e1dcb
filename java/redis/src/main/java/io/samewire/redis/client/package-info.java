/**
 * Clients: {@link io.samewire.redis.client.RedisClient} executes the commands of {@code io.samewire.redis.command}.
 *
 * <p>Errors are {@link io.samewire.core.SamewireException}s: a {@code RedisException} if the server replied with one, a
 * {@link io.samewire.redis.client.ConnectionException} if no reply came. The latter tells whether the command may have
 * run; no command that may have run is sent again unless it may be repeated ({@code spec/redis.md} section 6).
 */
package io.samewire.redis.client;
