package py4j.commands;

import java.io.IOException;
import java.util.List;
import py4j.Protocol;

/** Returns the stack trace of an exception. */
public class ExceptionCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String EXCEPTION_COMMAND_NAME = "p";

    /** Creates one. */
    public ExceptionCommand() {
        super(EXCEPTION_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        List<String> lines = request.rest();
        return () -> answer(Protocol.getThrowableAsString((Throwable) request.value(lines.get(0))));
    }
}
