package io.samewire.redis.spring;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import java.util.function.Function;

/** Keeps the command that a group makes of a call, for who sends it otherwise. */
final class RecordedCall extends Calls {
    private Command<?> recorded;

    private RecordedCall() {
        super(null);
    }

    /** Returns the command of one call. Its reply is what the call would return: groups pass it on as it is. */
    @SuppressWarnings("unchecked")
    static <T> Command<T> of(Function<Calls, T> call) {
        RecordedCall to = new RecordedCall();
        call.apply(to);
        return (Command<T>) to.recorded;
    }

    @Override
    <T> T call(Reading<T> reading, String name, Object... arguments) {
        recorded = Commands.of(Readings.checked(name, reading), name, Arguments.of(false, arguments));
        return null;
    }

    @Override
    void run(String name, Object... arguments) {
        call(Readings.NOTHING, name, arguments);
    }
}
