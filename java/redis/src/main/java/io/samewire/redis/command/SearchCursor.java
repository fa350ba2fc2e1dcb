package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cursor of an aggregation, which only the node that made it knows: for clients of a cluster.
 *
 * @param index the name of its index
 * @param number its number
 */
public record SearchCursor(String index, long number) {
    /** Returns the cursor that a command reads or deletes; null if it is another command, or names none. */
    public static SearchCursor of(Command<?> command) {
        return switch (command.name()) {
            case "FT.CURSOR READ", "FT.CURSOR DEL" -> named(command.arguments());
            default -> null;
        };
    }

    private static SearchCursor named(List<Object> words) {
        try {
            return words.size() < 4 ? null : new SearchCursor(words.get(2).toString(),
                Long.parseLong(words.get(3).toString()));
        } catch (NumberFormatException none) {
            return null;
        }
    }

    /**
     * Returns a command that tells of the cursor in its reply, if it is one whose reply is an {@link AggregateResult},
     * or made of one by {@link Command#map}; else the command itself.
     *
     * @param seen called with the cursor, null if there are no more rows
     */
    @CheckReturnValue
    public static <T> Command<T> watched(Command<T> command, Consumer<SearchCursor> seen) {
        return switch (command.name()) {
            case "FT.AGGREGATE", "FT.CURSOR READ" -> watch(command, seen);
            default -> command;
        };
    }

    private static <T> Command<T> watch(Command<T> command, Consumer<SearchCursor> seen) {
        return command instanceof MappedCommand<?, T> mapped ? mapped.with(source -> watch(source, seen))
            : new Watched<>(command, seen);
    }

    private static final class Watched<T> extends Command<T> {
        private final Command<T> source;
        private final Consumer<SearchCursor> seen;

        Watched(Command<T> source, Consumer<SearchCursor> seen) {
            super(source.facts, source.words);
            this.source = source;
            this.seen = seen;
        }

        @Override
        public T read(ReplyReader in) {
            T value = source.read(in);
            if (value instanceof AggregateResult found) {
                String index = arguments().get(name().equals("FT.AGGREGATE") ? 1 : 2).toString();
                seen.accept(found.cursor().isEmpty() ? null : new SearchCursor(index, found.cursor().getAsLong()));
            }
            return value;
        }
    }
}
