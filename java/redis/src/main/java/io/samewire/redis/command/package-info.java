/**
 * Commands as values: arguments and how the reply is read. {@link io.samewire.redis.command.Strings},
 * {@link io.samewire.redis.command.Hashes} and the other groups make them; {@link io.samewire.redis.command.Commands}
 * makes those that no group has. Most files are generated from {@code spec/redis/forms}.
 */
package io.samewire.redis.command;
