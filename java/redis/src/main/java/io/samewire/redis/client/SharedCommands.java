package io.samewire.redis.client;

import io.samewire.redis.command.Command;

/** Refuses commands that cannot go over connections that callers share. */
final class SharedCommands {
    private SharedCommands() { }

    /**
     * Refuses a command that changes its connection for those who use it afterwards.
     *
     * @throws io.samewire.core.SamewireException {@code misuse}
     */
    static void check(Command<?> command) {
        if (command.facts().changesConnection()) {
            throw RedisOptions.misuse(command.name() + " changes the connection, which callers share: use "
                + instead(command.name()));
        }
    }

    private static String instead(String name) {
        return switch (name) {
            case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE" ->
                "client.subscriber()";
            case "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH" -> "client.transaction()";
            case "MONITOR" -> "client.monitor()";
            case "SELECT", "AUTH", "HELLO", "CLIENT SETNAME", "RESET" -> "RedisOptions when the client is made";
            case "CLIENT TRACKING", "CLIENT CACHING" -> "RedisOptions.withCache()";
            case "QUIT" -> "client.close()";
            default -> "a connection of your own";
        };
    }
}
