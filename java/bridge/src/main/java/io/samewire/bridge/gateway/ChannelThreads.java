package io.samewire.bridge.gateway;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that serve connections: platform threads for the first ones, virtual threads for further ones, if the JVM
 * has them.
 *
 * <p>A platform thread reads its socket itself. A virtual thread is woken by the JDK's poller and its scheduler: on two
 * busy cores a call over a unix socket took 28 and 68 µs with platform threads, 99 and 125 µs with virtual ones (JDK
 * 25, medians of two rounds). Over TCP and in shared memory there was no significant difference. A gateway with
 * thousands of clients cannot have a platform thread and its stack for each.
 */
final class ChannelThreads {
    private static final String NAME = "samewire-channel";
    /**
     * The first JDK whose virtual threads let go of their carrier within {@code synchronized} (JEP 491). Before,
     * callbacks to Python within {@code synchronized} on as many threads as cores would block all others.
     */
    private static final int FIRST_JDK = 24;

    private final int mostPlatform;
    private final AtomicInteger platform = new AtomicInteger();

    /** Creates threads, of which at most so many are the platform's if the JVM has others. */
    ChannelThreads(int mostPlatform) {
        this.mostPlatform = mostPlatform;
    }

    /** Loaded on demand: few gateways need it. */
    private static final class Virtual {
        /** Starts a virtual thread; null if the JVM has none that suit. */
        static final Method START = find();

        private static Method find() {
            if (Runtime.version().feature() < FIRST_JDK) {
                return null;
            }
            try {
                return Thread.class.getMethod("startVirtualThread", Runnable.class);
            } catch (NoSuchMethodException absent) {
                return null;
            }
        }
    }

    /** Starts a thread for a connection. */
    void start(Runnable connection) {
        if (platform.get() >= mostPlatform && Virtual.START != null) {
            startVirtual(connection);
            return;
        }
        platform.incrementAndGet();
        boolean started = false;
        try {
            Threads.start(new Runnable() {
                @Override
                public void run() {
                    try {
                        connection.run();
                    } finally {
                        platform.decrementAndGet();
                    }
                }
            }, NAME);
            started = true;
        } finally {
            if (!started) {
                platform.decrementAndGet();
            }
        }
    }

    private static void startVirtual(Runnable connection) {
        Runnable named = new Runnable() {
            @Override
            public void run() {
                Thread.currentThread().setName(NAME);
                connection.run();
            }
        };
        try {
            Virtual.START.invoke(null, named);
        } catch (InvocationTargetException failed) {
            throw new OutOfMemoryError("no virtual thread: " + failed.getCause());
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
