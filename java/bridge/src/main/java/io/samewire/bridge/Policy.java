package io.samewire.bridge;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * Which classes clients of a gateway reach ({@code spec/bridge.md} section 14): by allowed and denied names of classes
 * and packages. Asked when a site is resolved and when the first object of a class is passed, not at each call.
 */
public final class Policy {
    private static final Policy OPEN = new Policy();

    private Policy() {}

    /** Returns the policy that admits every class. */
    public static Policy open() {
        return OPEN;
    }

    /** Returns whether objects of the class may be passed, and its public members be called. */
    public boolean admits(Class<?> type) {
        return true;
    }

    /**
     * Checks that a class is admitted.
     *
     * @throws SamewireException {@code unsupported} if it is not
     */
    public void check(Class<?> type) {
        if (!admits(type)) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "the gateway's policy denies " + type.getName());
        }
    }
}
