package py4j.commands;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import py4j.Protocol;

/** Forgets an object: {@code d} and its id. The entry point, the default view and the server stay. */
public class MemoryCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String MEMORY_COMMAND_NAME = "m";
    /** Forgets an object. */
    public static final String MEMORY_DEL_SUB_COMMAND_NAME = "d";
    private static final Set<String> STAYING = Set.of(Protocol.ENTRY_POINT_OBJECT_ID, Protocol.DEFAULT_JVM_OBJECT_ID,
        Protocol.GATEWAY_SERVER_ID);

    /** Creates one. */
    public MemoryCommand() {
        super(MEMORY_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> ids = request.rest();
        return () -> {
            if (!kind.equals("d")) {
                return Protocol.getOutputErrorCommand("Unknown Memory SubCommand Name: " + kind);
            }
            if (!STAYING.contains(ids.get(0))) {
                gateway.deleteObject(ids.get(0));
            }
            return Protocol.VOID_COMMAND;
        };
    }
}
