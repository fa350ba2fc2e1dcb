package py4j.commands;

import io.samewire.py4j.text.Escapes;
import java.io.IOException;
import java.util.List;
import py4j.JVMView;
import py4j.Protocol;
import py4j.ReturnObject;

/** Views of the JVM: {@code c}reates one, {@code i}mports into it, and {@code r}emoves imports. */
public class JVMViewCommand extends TextCommand {
    /** Creates a view. */
    public static final char CREATE_VIEW_SUB_COMMAND_NAME = 'c';
    /** Adds an import. */
    public static final char IMPORT_SUB_COMMAND_NAME = 'i';
    /** Removes an import. */
    public static final char REMOVE_IMPORT_SUB_COMMAND_NAME = 'r';
    /** Searches a view; refused. */
    public static final char SEARCH_SUB_COMMAND_NAME = 's';
    /** The first line of such commands. */
    public static final String JVMVIEW_COMMAND_NAME = "j";

    /** Creates one. */
    public JVMViewCommand() {
        super(JVMVIEW_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        if (kind.equals("c")) {
            String name = Escapes.unescape(request.line());
            request.end();
            return () -> create(name);
        }
        List<String> lines = request.rest();
        return () -> carryOut(kind, lines, request);
    }

    private String create(String name) {
        JVMView view = new JVMView(name, null);
        ReturnObject created = gateway.getReturnObject(view);
        view.setId(created.getName());
        return answer(created);
    }

    private String carryOut(String kind, List<String> lines, Request request) {
        if (!kind.equals("i") && !kind.equals("r")) {
            return Protocol.getOutputErrorCommand("Unknown JVM View SubCommand Name: " + kind);
        }
        JVMView view = (JVMView) request.value(lines.get(0));
        String name = Escapes.unescape(lines.get(1));
        boolean isPackage = name.endsWith("*");
        if (kind.equals("r")) {
            return answer((Object) (isPackage ? view.removeStarImport(name) : view.removeSingleImport(name)));
        }
        if (isPackage) {
            view.addStarImport(name);
        } else {
            view.addSingleImport(name);
        }
        return Protocol.VOID_COMMAND;
    }
}
