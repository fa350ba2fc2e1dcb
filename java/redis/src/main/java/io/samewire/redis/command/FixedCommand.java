package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/** A command without options whose reply has one form. */
final class FixedCommand<T> extends Command<T> {
    private final Reading<T> reading;

    FixedCommand(Facts facts, Reading<T> reading, Object... words) {
        super(facts, words);
        this.reading = reading;
    }

    @Override
    public T read(ReplyReader in) {
        return reading.read(in);
    }
}
