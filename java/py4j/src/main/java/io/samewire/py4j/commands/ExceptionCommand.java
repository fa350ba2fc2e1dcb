package io.samewire.py4j.commands;

import java.io.IOException;
import java.util.List;
import py4j.Protocol;

/** Returns the stack trace of an exception. */
public final class ExceptionCommand extends TextCommand {
    /** Creates one. */
    public ExceptionCommand() {
        super("p");
    }

    @Override
    Answer read(Request request) throws IOException {
        List<String> lines = request.rest();
        return () -> answer(Protocol.getThrowableAsString((Throwable) request.value(lines.get(0))));
    }
}
