package io.samewire.py4j;

import py4j.Gateway;

/** The gateway whose command the calling thread carries out. */
final class Serving {
    private static final ThreadLocal<Gateway> CURRENT = new ThreadLocal<>();

    private Serving() {}

    /** Begins a command, and returns the gateway of the one within which it came, or null. */
    static Gateway begin(Gateway gateway) {
        Gateway before = CURRENT.get();
        CURRENT.set(gateway);
        return before;
    }

    /** Ends a command. */
    static void end(Gateway before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** Returns the gateway, or null. */
    static Gateway current() {
        return CURRENT.get();
    }
}
