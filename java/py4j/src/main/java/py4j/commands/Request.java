package py4j.commands;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import py4j.Gateway;
import py4j.Protocol;

/**
 * The lines of one command after its first. A command reads all of them before it does anything, so that one that fails
 * leaves the connection at the next command.
 */
final class Request {
    private final BufferedReader reader;
    private final Gateway gateway;

    Request(BufferedReader reader, Gateway gateway) {
        this.reader = reader;
        this.gateway = gateway;
    }

    /** Reads a line of any text. */
    String line() throws IOException {
        String line = reader.readLine();
        if (line == null) {
            throw new EOFException("the client ended within a command");
        }
        return line;
    }

    /** Reads the lines up to the end of the command. */
    List<String> rest() throws IOException {
        List<String> lines = new ArrayList<>();
        String line = line();
        while (!Protocol.isEmpty(line) && !Protocol.isEnd(line)) {
            lines.add(line);
            line = line();
        }
        return lines;
    }

    /** Reads the end of the command. */
    void end() throws IOException {
        line();
    }

    /** Returns the value of a line. */
    Object value(String line) {
        return Protocol.getObject(line, gateway);
    }

    /** Returns the values of lines. */
    List<Object> values(List<String> lines) {
        List<Object> values = new ArrayList<>(lines.size());
        for (String line : lines) {
            values.add(value(line));
        }
        return values;
    }

    /** Returns the indices that follow the first of some lines. */
    int[] indices(List<String> lines) {
        int[] indices = new int[lines.size() - 1];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = (Integer) value(lines.get(i + 1));
        }
        return indices;
    }
}
