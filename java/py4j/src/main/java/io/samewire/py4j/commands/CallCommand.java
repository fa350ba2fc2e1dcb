package io.samewire.py4j.commands;

import java.io.IOException;
import java.util.List;

/** Calls a method: the id of an object or {@code z:} and a class, the method's name, arguments. */
public final class CallCommand extends TextCommand {
    /** Creates one. */
    public CallCommand() {
        super("c");
    }

    @Override
    Answer read(Request request) throws IOException {
        String target = request.line();
        String method = request.line();
        List<String> arguments = request.rest();
        return () -> answer(gateway.invoke(method, target, request.values(arguments)));
    }
}
