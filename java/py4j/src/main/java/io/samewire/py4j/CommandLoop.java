package io.samewire.py4j;

import io.samewire.py4j.commands.BaseCommands;
import io.samewire.py4j.text.LineReader;
import io.samewire.py4j.text.Sockets;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import py4j.Gateway;
import py4j.Protocol;
import py4j.Py4JAuthenticationException;
import py4j.Py4JException;
import py4j.Py4JServerConnection;
import py4j.commands.AuthCommand;
import py4j.commands.Command;

/** Carries out the commands of one connection, one after the other. */
public final class CommandLoop {
    /** The most bytes of a line of a client that has not authenticated. */
    private static final int STRANGERS_LINE = 64 * 1024;
    private static final Logger LOGGER = Logger.getLogger("py4j.CommandLoop");

    /** What is to become of the connection. */
    public enum End { CLOSE, RESET, HANDED_OVER }

    private final Gateway gateway;
    private final Socket socket;
    private final AuthCommand authentication;
    private final LineReader reader;
    private final BufferedWriter writer;
    private final Map<String, Command> commands = new HashMap<>();
    private boolean trusted;

    /**
     * Creates the loop of a connection.
     *
     * @param token what the client must know, as it stands in a line, or null
     * @param custom commands beside the usual ones or in place of them, or null
     */
    public CommandLoop(Gateway gateway, Py4JServerConnection connection, Socket socket, String token,
        List<Class<? extends Command>> custom) throws IOException {
        this.gateway = gateway;
        this.socket = socket;
        reader = new LineReader(socket.getInputStream(), STRANGERS_LINE);
        writer = Sockets.writer(socket);
        add(BaseCommands.instances(), connection);
        if (custom != null) {
            add(BaseCommands.instances(custom), connection);
        }
        if (token == null) {
            authentication = null;
            trust();
        } else {
            authentication = new AuthCommand(token);
            add(List.of(authentication), connection);
        }
    }

    private void add(List<Command> kinds, Py4JServerConnection connection) {
        for (Command command : kinds) {
            command.init(gateway, connection);
            commands.put(command.getCommandName(), command);
        }
    }

    /** Returns the reader of the connection's lines. */
    public BufferedReader reader() {
        return reader;
    }

    /** Returns the writer of the connection's lines. */
    public BufferedWriter writer() {
        return writer;
    }

    /**
     * Carries out commands until the client ends the connection, or an error does, or it turns out to speak the
     * bridge's dialect.
     */
    public End run() {
        boolean executing = false;
        try {
            if (reader.beginsWithLength() && NativeClients.serve(gateway, socket, reader)) {
                return End.HANDED_OVER;
            }
            String line = reader.readLine();
            while (line != null && !line.equals("q")) {
                executing = true;
                execute(line);
                executing = false;
                line = reader.readLine();
            }
            return End.CLOSE;
        } catch (SocketTimeoutException late) {
            LOGGER.log(Level.WARNING, "Timeout occurred while waiting for a command.", late);
            tell(executing, late);
            return End.RESET;
        } catch (Py4JAuthenticationException refused) {
            LOGGER.log(Level.SEVERE, "Authentication error.", refused);
            return End.CLOSE;
        } catch (Exception | Error error) {
            LOGGER.log(Level.WARNING, "Error occurred while waiting for a command.", error);
            tell(executing, error);
            return End.CLOSE;
        } finally {
            Strangers.HERE.leave(socket);
        }
    }

    private void tell(boolean executing, Throwable error) {
        if (!executing) {
            return;
        }
        try {
            writer.write(Protocol.getOutputFatalErrorCommand(error));
            writer.flush();
        } catch (IOException gone) {
            LOGGER.log(Level.FINEST, "The client is gone.", gone);
        }
    }

    /**
     * Carries out one command, whose first line has been read.
     *
     * @throws Py4JAuthenticationException if the client must authenticate and does not
     */
    public void execute(String line) throws IOException {
        Command command = trusted ? commands.get(line) : authentication;
        if (command == null) {
            throw new Py4JException("Unknown command received: " + line);
        }
        Gateway before = Serving.begin(gateway);
        try {
            command.execute(line, reader, writer);
        } finally {
            Serving.end(before);
        }
        if (command == authentication) {
            trust();
        }
    }

    /** Serves a client that need not authenticate, or one at the server that this JVM has authenticated with. */
    public void trust() {
        Strangers.HERE.leave(socket);
        trusted = true;
        reader.allowAny();
    }

    /** Returns whether there is a command of that first line. */
    public boolean knows(String line) {
        return commands.containsKey(line);
    }
}
