package io.samewire.bridge.gateway;

import io.samewire.bridge.GatewayBuilder;
import io.samewire.bridge.Policy;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;

/**
 * The options with which Python starts a gateway, in a process of its own or in Python's: any number of {@code --allow
 * NAME}, {@code --deny NAME}, {@code --record CLASS} and {@code --limit NAME=NUMBER}, by the names of {@code
 * spec/limits.md}; a limit above 2,147,483,647 is capped there.
 */
public final class Options {
    private final GatewayBuilder builder;
    private final Policy.Builder policy = Policy.builder(Policy.everything());
    private Limits limits = Limits.DEFAULT;

    /** Creates options that are applied to a builder. */
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
            case "--limit":
                limit(value);
                break;
            default:
                throw new SamewireException(Code.MISUSE, -1, null, "there is no option " + option);
        }
    }

    private void limit(String text) {
        int equals = text.indexOf('=');
        int most;
        try {
            most = (int) Math.min(Integer.MAX_VALUE, Long.parseLong(text.substring(equals + 1)));
        } catch (NumberFormatException error) {
            throw new SamewireException(Code.MISUSE, -1, null, "--limit NAME=NUMBER is expected, not " + text, error);
        }
        switch (text.substring(0, Math.max(0, equals))) {
            case "depth":
                limits = limits.withDepth(most);
                break;
            case "frame_bytes":
                limits = limits.withFrameBytes(most);
                break;
            case "text_bytes":
                limits = limits.withTextBytes(most);
                break;
            case "items":
                limits = limits.withItems(most);
                break;
            case "cells":
                limits = limits.withCells(most);
                break;
            case "buffered_bytes":
                limits = limits.withBufferedBytes(most);
                break;
            default:
                throw new SamewireException(Code.MISUSE, -1, null, "there is no limit as in " + text);
        }
        builder.limits(limits);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException error) {
            throw new SamewireException(Code.MISUSE, -1, null, "there is no class " + name
                + " for a record: check its name (of a nested one a.b.Outer$Inner) and the class path", error);
        }
    }

    /** Sets the builder's policy from all options, and returns the builder. */
    public GatewayBuilder builder() {
        return builder.policy(policy.build());
    }
}
