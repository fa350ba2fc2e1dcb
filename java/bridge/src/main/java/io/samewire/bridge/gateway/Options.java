package io.samewire.bridge.gateway;

import io.samewire.bridge.GatewayBuilder;
import io.samewire.bridge.Policy;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * The options with which Python starts a gateway, in a process of its own or in Python's: any number of {@code --allow
 * NAME}, {@code --deny NAME} and {@code --record CLASS}.
 */
public final class Options {
    private final GatewayBuilder builder;
    private final Policy.Builder policy = Policy.builder();

    /** Creates options for what a builder makes. */
    public Options(GatewayBuilder builder) {
        this.builder = builder;
    }

    /**
     * Takes an option.
     *
     * @throws SamewireException {@code misuse} if there is no such option, or its value is not one
     */
    public void take(String option, String value) {
        switch (option) {
            case "--allow":
                policy.allow(value);
                break;
            case "--deny":
                policy.deny(value);
                break;
            case "--record":
                builder.record(value, type(value));
                break;
            default:
                throw new SamewireException(Code.MISUSE, -1, null, "there is no option " + option);
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException error) {
            throw new SamewireException(Code.MISUSE, -1, null, "there is no class " + name + " for a record", error);
        }
    }

    /** Gives the builder the policy of all options, and returns it. */
    public GatewayBuilder builder() {
        return builder.policy(policy.build());
    }
}
