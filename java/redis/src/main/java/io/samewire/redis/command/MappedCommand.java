package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.Objects;
import java.util.function.Function;

/** A command whose reply is changed once it is read. */
final class MappedCommand<S, T> extends Command<T> {
    private final Command<S> source;
    private final Function<? super S, ? extends T> change;

    MappedCommand(Command<S> source, Function<? super S, ? extends T> change) {
        super(source.facts, source.words);
        this.source = source;
        this.change = Objects.requireNonNull(change);
    }

    @Override
    public T read(ReplyReader in) {
        return change.apply(source.read(in));
    }
}
