package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import py4j.Protocol;
import py4j.Py4JAuthenticationException;

/** Checks the token. Until a client has authenticated, all its commands come here. */
public class AuthCommand extends AbstractCommand {
    /** The first line of such commands. */
    public static final String COMMAND_NAME = Protocol.AUTH_COMMAND_NAME;
    private final byte[] token;

    /**
     * Creates one.
     *
     * @param token as it stands in a line
     */
    public AuthCommand(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        commandName = COMMAND_NAME;
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) throws IOException {
        if (!commandName.equals(name)) {
            refuse(writer, "Authentication error: unexpected command.");
        }
        String line = reader.readLine();
        // In a time that does not tell where they differ.
        if (line == null || !MessageDigest.isEqual(token, line.getBytes(StandardCharsets.UTF_8))) {
            refuse(writer, "Authentication error: bad auth token received.");
        }
        writer.write(Protocol.getOutputVoidCommand());
        writer.flush();
    }

    private static void refuse(BufferedWriter writer, String text) throws IOException {
        writer.write(Protocol.getOutputErrorCommand(text));
        writer.flush();
        throw new Py4JAuthenticationException(text);
    }
}
