package io.samewire.redis.command;

import io.samewire.redis.resp.Reply;
import java.util.Locale;

/** Commands by their names, also those that the table does not have: of modules, or newer than it. */
@CheckReturnValue
public final class Commands {
    private Commands() { }

    /**
     * Returns a command with any reply.
     *
     * @param name the name in any case, with its subcommand behind a blank: {@code "CLIENT LIST"}
     * @param arguments the arguments
     */
    public static Command<Reply> of(String name, CharSequence... arguments) {
        return of(Replies::untyped, name, arguments);
    }

    /**
     * Returns a command whose reply is read in a way of your own.
     *
     * @param reading reads the reply, exactly one element
     * @param name the name in any case, with its subcommand behind a blank
     * @param arguments the arguments
     */
    public static <T> Command<T> of(Reading<T> reading, String name, CharSequence... arguments) {
        Facts found = KnownCommands.find(name);
        String full = found == null ? full(name) : name;
        if (arguments.length > 0 && KnownCommands.isContainer(full)) {
            Facts inner = KnownCommands.find(full + " " + arguments[0].toString().toUpperCase(Locale.ROOT));
            if (inner != null) {
                CharSequence[] rest = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
                return new FixedCommand<>(inner, reading, Words.texts(rest));
            }
        }
        found = found == null ? KnownCommands.find(full) : found;
        return new FixedCommand<>(found == null ? Facts.unknown(full) : found, reading, Words.texts(arguments));
    }

    private static String full(String name) {
        String full = name.strip().toUpperCase(Locale.ROOT);
        if (full.isEmpty() || !full.matches("[!-~]+( [!-~]+)*")) {
            throw Words.misuse("expected the name of a command, like \"CLIENT LIST\", found \"" + name + "\"");
        }
        return full;
    }
}
