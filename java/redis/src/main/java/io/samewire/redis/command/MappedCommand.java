package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A command whose reply is changed once it is read. */
final class MappedCommand<S, T> extends Command<T> {
    private final Command<S> source;
    private final Function<? super S, ? extends T> change;

    MappedCommand(Command<S> source, Function<? super S, ? extends T> change) {
        super(source.facts, source.words);
        this.source = source;
        this.change = Objects.requireNonNull(change);
    }

    /** Returns the same change of another command's reply. */
    Command<T> with(UnaryOperator<Command<S>> other) {
        return new MappedCommand<>(other.apply(source), change);
    }

    @Override
    public T read(ReplyReader in) {
        return change.apply(source.read(in));
    }
}
