package io.samewire.bridge.gateway;

/**
 * Has a launched gateway listen after its first calls, which need not wait for that: the JDK loads tens of milliseconds
 * of classes for its first socket.
 */
final class FirstCalls implements Runnable {
    /** The description of a class, and a call of it. */
    private static final int FIRST_CALLS = 2;
    private static final long LOOK_MILLIS = 3;
    /** A first call may come and take as late as it likes: others do not wait for it. */
    private static final int MOST_LOOKS = 100;

    private final Service service;

    FirstCalls(Service service) {
        this.service = service;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < MOST_LOOKS && !service.hasAnswered(FIRST_CALLS); i++) {
                Thread.sleep(LOOK_MILLIS);
            }
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException early) {
            // Nobody does so; it would listen earlier.
            return;
        } finally {
            service.listen();
        }
    }
}
