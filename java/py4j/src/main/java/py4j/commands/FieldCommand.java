package py4j.commands;

import io.samewire.py4j.invoke.MemberNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import py4j.Protocol;
import py4j.Py4JException;

/** Fields of objects: {@code g}ets and {@code s}ets them. */
public class FieldCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String FIELD_COMMAND_NAME = "f";
    /** Gets a field. */
    public static final String FIELD_GET_SUB_COMMAND_NAME = "g";
    /** Sets a field. */
    public static final String FIELD_SET_SUB_COMMAND_NAME = "s";

    /** Creates one. */
    public FieldCommand() {
        super(FIELD_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        if (!kind.equals("g") && !kind.equals("s")) {
            request.rest();
            return () -> Protocol.getOutputErrorCommand("Unknown Field SubCommand Name: " + kind);
        }
        String target = request.line();
        String name = request.line();
        List<String> values = request.rest();
        return () -> {
            Object object = gateway.getObject(target);
            if (object == null) {
                throw new Py4JException("Target Object ID does not exist for this gateway :" + target);
            }
            Field field = MemberNames.field(object.getClass(), name);
            if (field == null) {
                return Protocol.NO_SUCH_FIELD;
            }
            if (kind.equals("g")) {
                return answer(field.get(object));
            }
            field.set(object, request.value(values.get(0)));
            return Protocol.VOID_COMMAND;
        };
    }
}
