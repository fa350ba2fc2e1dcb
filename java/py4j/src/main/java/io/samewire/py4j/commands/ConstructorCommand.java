package io.samewire.py4j.commands;

import java.io.IOException;
import java.util.List;

/** Calls a constructor: the name of a class, arguments. */
public final class ConstructorCommand extends TextCommand {
    /** Creates one. */
    public ConstructorCommand() {
        super("i");
    }

    @Override
    Answer read(Request request) throws IOException {
        String type = request.line();
        List<String> arguments = request.rest();
        return () -> answer(gateway.invoke(type, request.values(arguments)));
    }
}
