package io.samewire.bridge.process;

import io.samewire.bridge.Gateway;
import io.samewire.bridge.GatewayBuilder;
import io.samewire.bridge.Policy;
import java.io.IOException;

/** The gateway of a JVM that was loaded into its client's process: what the client calls to start it. */
final class Embedded {
    private static Gateway gateway;

    private Embedded() {
    }

    /**
     * Starts the gateway.
     *
     * @param arguments where its socket lies, then any number of {@code --record NAME}, {@code --allow NAME}, {@code
     *     --deny NAME}
     * @return null, or what went wrong
     */
    static synchronized String start(String[] arguments, byte[] token) {
        try {
            if (gateway != null) {
                gateway.close();
            }
            GatewayBuilder builder = Gateway.builder().unix(arguments[0]).token(token);
            Policy.Builder policy = Policy.builder();
            for (int i = 1; i + 1 < arguments.length; i += 2) {
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--allow":
                        policy.allow(value);
                        break;
                    case "--deny":
                        policy.deny(value);
                        break;
                    case "--record":
                        builder.record(value, Class.forName(value, false, ClassLoader.getSystemClassLoader()));
                        break;
                    default:
                        return "there is no option " + arguments[i];
                }
            }
            ProcessLink.embed();
            gateway = builder.policy(policy.build()).start();
            return null;
        } catch (IOException | RuntimeException | ReflectiveOperationException error) {
            return error.toString();
        }
    }
}
