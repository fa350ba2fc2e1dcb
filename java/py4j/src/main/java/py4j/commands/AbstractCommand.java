package py4j.commands;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import py4j.Gateway;
import py4j.Protocol;
import py4j.Py4JServerConnection;
import py4j.ReturnObject;

/** A command that knows its gateway and its connection, and reads arguments. */
public abstract class AbstractCommand implements Command {
    /** The gateway that holds the objects. */
    protected Gateway gateway;
    /** The first line of commands of this kind. */
    protected String commandName;
    /** The connection on which commands come. */
    protected Py4JServerConnection connection;

    /** Creates one. */
    protected AbstractCommand() {}

    @Override
    public String getCommandName() {
        return commandName;
    }

    @Override
    public void init(Gateway newGateway, Py4JServerConnection newConnection) {
        gateway = newGateway;
        connection = newConnection;
    }

    /** Returns the values of the lines up to the end of the command, which is read too. */
    protected List<Object> getArguments(BufferedReader reader) throws IOException {
        List<String> lines = getStringArguments(reader);
        List<Object> arguments = new ArrayList<>(lines.size());
        for (String line : lines) {
            arguments.add(Protocol.getObject(line, gateway));
        }
        return arguments;
    }

    /** Returns the lines up to the end of the command, which is read too. */
    protected List<String> getStringArguments(BufferedReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        String line = reader.readLine();
        while (!Protocol.isEmpty(line) && !Protocol.isEnd(line)) {
            lines.add(line);
            line = reader.readLine();
        }
        return lines;
    }

    /** Calls a method, and returns its value or the error. */
    protected ReturnObject invokeMethod(String methodName, String targetObjectId, List<Object> arguments) {
        try {
            return gateway.invoke(methodName, targetObjectId, arguments);
        } catch (RuntimeException error) {
            return ReturnObject.getErrorReturnObject(error);
        }
    }
}
