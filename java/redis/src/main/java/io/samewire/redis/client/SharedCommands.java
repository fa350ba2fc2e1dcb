package io.samewire.redis.client;

import io.samewire.redis.command.Command;

/** Which commands cannot go over connections that callers share: they change what the connection is. */
final class SharedCommands {
    private SharedCommands() { }

    /**
     * Refuses a command that changes its connection for those who use it afterwards.
     *
     * @throws io.samewire.core.SamewireException {@code misuse}
     */
    static void check(Command<?> command) {
        String instead = instead(command.name());
        if (instead != null) {
            throw RedisOptions.misuse(command.name() + " changes the connection, which callers share: use " + instead);
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
            case "CLIENT REPLY", "CLIENT NO-EVICT", "CLIENT NO-TOUCH", "CLIENT CAPA", "CLIENT IMPORT-SOURCE",
                "READONLY", "READWRITE", "ASKING", "SYNC", "PSYNC", "REPLCONF", "SCRIPT DEBUG" ->
                "a connection of your own";
            default -> null;
        };
    }
}
