package py4j.commands;

import java.io.IOException;
import java.util.List;

/** Calls a constructor: the name of a class, arguments. */
public class ConstructorCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String CONSTRUCTOR_COMMAND_NAME = "i";

    /** Creates one. */
    public ConstructorCommand() {
        super(CONSTRUCTOR_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String type = request.line();
        List<String> arguments = request.rest();
        return () -> answer(gateway.invoke(type, request.values(arguments)));
    }
}
