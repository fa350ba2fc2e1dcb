package io.samewire.py4j;

import io.samewire.bridge.Gateway;
import io.samewire.bridge.GatewayBuilder;
import io.samewire.bridge.Policy;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.py4j.invoke.Choice;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import py4j.Py4JException;

/** A gateway of the bridge that is offered to clients by the text protocol: on a unix socket, and on Py4J's port. */
final class NativeGateway {
    private static final int TOKEN_BYTES = 32;

    private final Gateway gateway;
    private final byte[] token;
    private final Path folder;

    private NativeGateway(Gateway gateway, byte[] token, Path folder) {
        this.gateway = gateway;
        this.token = token;
        this.folder = folder;
    }

    /** Listens. A client of Py4J may run any code, and so may every client to which it passes the token. */
    static NativeGateway open() throws IOException {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        if (File.separatorChar == '/') {
            Path folder = Files.createTempDirectory(StaleFolders.PREFIX);
            StaleFolders.removeBeside(folder);
            Path socket = folder.resolve(StaleFolders.SOCKET);
            // In reverse order; a server that is shut down removes them itself, and the next one what a signal leaves.
            folder.toFile().deleteOnExit();
            socket.toFile().deleteOnExit();
            try {
                return new NativeGateway(builder(token).unix(socket.toString()).start(), token, folder);
            } catch (IOException | SamewireException | UnsupportedOperationException elsewhere) {
                // A name that is too long for a socket, or a file system without them.
                Files.deleteIfExists(folder);
            }
        }
        return new NativeGateway(builder(token).handedOver().start(), token, null);
    }

    private static GatewayBuilder builder(byte[] token) {
        return Gateway.builder().token(token).policy(Policy.everything()).overloadRule(Choice::member)
            .callFailure(NativeGateway::failure);
    }

    /** Returns what callers of Python's objects expect: they know Py4J. */
    private static Py4JException failure(SamewireException failed) {
        String text = failed.code() == Code.CLOSED ? "Error while sending a command." : failed.getMessage();
        return new Py4JException(text, failed);
    }

    /** Returns where its socket is; {@code -} if it has none. */
    String address() {
        return folder == null ? "-" : gateway.address();
    }

    /** Serves a connection to Py4J's port, of which these bytes have been read. */
    void serve(Socket socket, byte[] read) throws IOException {
        gateway.serve(socket, read);
    }

    String token() {
        return HexFormat.of().formatHex(token);
    }

    /** Returns the objects that clients have, by names that are theirs alone. */
    Map<String, Object> exported() {
        return gateway.exported();
    }

    void close() {
        gateway.close();
        if (folder != null) {
            folder.toFile().delete();
        }
    }
}
