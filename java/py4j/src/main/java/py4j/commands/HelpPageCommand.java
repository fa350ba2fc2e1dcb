package py4j.commands;

import io.samewire.py4j.HelpPage;
import java.io.IOException;
import java.util.List;
import py4j.Protocol;
import py4j.reflection.ReflectionUtil;

/** Describes a class, or an object's: its name or id, a pattern of members, whether names are short. */
public class HelpPageCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String HELP_COMMAND_NAME = "h";
    /** Describes the class of an object. */
    public static final String HELP_OBJECT_SUB_COMMAND_NAME = "o";
    /** Describes a class. */
    public static final String HELP_CLASS_SUB_COMMAND_NAME = "c";

    /** Creates one. */
    public HelpPageCommand() {
        super(HELP_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> lines = request.rest();
        return () -> {
            if (!kind.equals("o") && !kind.equals("c")) {
                return Protocol.getOutputErrorCommand("Unknown Help SubCommand Name: " + kind);
            }
            String name = lines.get(0);
            Class<?> type = kind.equals("o") ? gateway.getObject(name).getClass() : ReflectionUtil.classForName(name);
            return answer(HelpPage.of(type, (String) request.value(lines.get(1)), Protocol.getBoolean(lines.get(2))));
        };
    }
}
