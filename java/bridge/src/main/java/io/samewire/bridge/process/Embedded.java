package io.samewire.bridge.process;

import io.samewire.bridge.Gateway;
import io.samewire.bridge.gateway.Options;
import java.io.IOException;

/** The gateway of a JVM that was loaded into its client's process: what the client calls to start it. */
final class Embedded {
    private static Gateway gateway;

    private Embedded() {
    }

    /**
     * Starts the gateway.
     *
     * @param arguments where its socket lies, then {@link Options}, each with its value
     * @return null, or what went wrong
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
            gateway = options.builder().start();
            return null;
        } catch (IOException | RuntimeException error) {
            return error.toString();
        }
    }
}
