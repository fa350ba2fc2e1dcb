package py4j.commands;

import io.samewire.py4j.invoke.MemberNames;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import py4j.JVMView;
import py4j.Protocol;
import py4j.reflection.TypeUtil;

/** Names for Python's {@code dir}: of an object's methods or fields, a class's statics, a view's imports. */
public class DirCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String DIR_COMMAND_NAME = "d";
    /** Lists fields. */
    public static final String DIR_FIELDS_SUBCOMMAND_NAME = "f";
    /** Lists methods. */
    public static final String DIR_METHODS_SUBCOMMAND_NAME = "m";
    /** Lists static members. */
    public static final String DIR_STATIC_SUBCOMMAND_NAME = "s";
    /** Lists the imports of a view. */
    public static final String DIR_JVMVIEW_SUBCOMMAND_NAME = "v";

    /** Creates one. */
    public DirCommand() {
        super(DIR_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> lines = request.rest();
        return () -> {
            try {
                return carryOut(kind, lines, request);
            } catch (ClassNotFoundException | RuntimeException error) {
                return Protocol.ERROR_COMMAND;
            }
        };
    }

    private String carryOut(String kind, List<String> lines, Request request) throws ClassNotFoundException {
        switch (kind) {
            case "f":
                return names(MemberNames.fields(gateway.getObject(lines.get(0)).getClass()));
            case "m":
                return names(MemberNames.methods(gateway.getObject(lines.get(0)).getClass()));
            case "s":
                return names(MemberNames.statics(TypeUtil.forName(lines.get(0))));
            case "v":
                return imports((JVMView) request.value(lines.get(0)), (String) request.value(lines.get(1)));
            default:
                return Protocol.getOutputErrorCommand("Unknown Array SubCommand Name: " + kind);
        }
    }

    private String names(String[] names) {
        return answer(String.join("\n", Arrays.asList(names)));
    }

    /** Answers nothing if the client knows the view as it is; else the number of its state, and the names. */
    private String imports(JVMView view, String known) {
        String state = Integer.toString(view.getSequenceId());
        if (state.equals(known)) {
            return answer((Object) null);
        }
        String names = String.join("\n", view.getImportedNames());
        return answer(names.isEmpty() ? state : state + "\n" + names);
    }
}
