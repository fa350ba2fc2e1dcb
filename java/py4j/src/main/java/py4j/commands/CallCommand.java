package py4j.commands;

import java.io.IOException;
import java.util.List;

/** Calls a method: the id of an object or {@code z:} and a class, the method's name, arguments. */
public class CallCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String CALL_COMMAND_NAME = "c";

    /** Creates one. */
    public CallCommand() {
        super(CALL_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String target = request.line();
        String method = request.line();
        List<String> arguments = request.rest();
        return () -> answer(gateway.invoke(method, target, request.values(arguments)));
    }
}
