package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/** A command whose reply may be anything: what a script returns. */
@CheckReturnValue
public final class UntypedCommand<T> extends Command<T> {
    private final Reading<T> reading;

    UntypedCommand(Facts facts, Reading<T> reading, Object... words) {
        super(facts, words);
        this.reading = reading;
    }

    /**
     * Returns the same command, whose reply is read so: {@code Scripting.eval("return 1", List.of()).as(Reading.LONG)}.
     */
    public <U> UntypedCommand<U> as(Reading<U> reading) {
        return new UntypedCommand<>(facts, reading, words);
    }

    @Override
    public T read(ReplyReader in) {
        return reading.read(in);
    }
}
