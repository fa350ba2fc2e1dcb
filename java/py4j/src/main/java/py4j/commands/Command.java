package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import py4j.Gateway;
import py4j.Py4JServerConnection;

/** One kind of command. A connection has an instance of its own of each. */
public interface Command {
    /**
     * Reads the rest of a command, line by line, and writes its answer.
     *
     * @param commandName the command's first line
     */
    void execute(String commandName, BufferedReader reader, BufferedWriter writer) throws IOException;

    /** Returns the first line of commands of this kind. */
    String getCommandName();

    /** Called once, before the first command. */
    void init(Gateway gateway, Py4JServerConnection connection);
}
