package io.samewire.bridge.gateway;

/** The threads of a gateway: daemons, named after what they do. */
final class Threads {
    /** Stack for nested calls, 16 times as deep as values. Its memory is reserved, not committed. */
    private static final long STACK = 16L << 20;

    private Threads() {}

    /** Starts a thread. */
    static Thread start(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, STACK, false);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
