package io.samewire.bridge.process;

import io.samewire.bridge.Gateway;
import io.samewire.bridge.gateway.Options;
import java.io.File;
import java.io.IOException;

/** Starts the gateway of a JVM that was loaded into its client's process. Called by the client. */
final class Embedded {
    private static Gateway gateway;

    private Embedded() {
    }

    /** Python removes the socket and its folder, unless {@code System.exit} ends the process. */
    private static void removeAtExit(File socket) {
        socket.getParentFile().deleteOnExit();
        // Files are deleted in reverse order.
        socket.deleteOnExit();
    }

    /**
     * Starts the gateway.
     *
     * @param arguments the path of its socket, then {@link Options}, each with its value
     * @return null, or the text of an error
     */
    static synchronized String start(String[] arguments, byte[] token) {
        try {
            if (gateway != null) {
                gateway.close();
            }
            Options options = new Options(Gateway.builder().unix(arguments[0]).token(token));
            for (int i = 1; i + 1 < arguments.length; i += 2) {
                options.take(arguments[i], arguments[i + 1]);
            }
            ProcessLink.embed();
            removeAtExit(new File(arguments[0]));
            gateway = options.builder().start();
            return null;
        } catch (IOException | RuntimeException error) {
            return error.toString();
        }
    }
}
