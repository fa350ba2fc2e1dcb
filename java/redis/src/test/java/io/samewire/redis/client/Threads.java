package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a client may not leave behind, and waiting for it. */
final class Threads {
    private Threads() { }

    /** The threads of all clients. */
    static List<String> ofClients() {
        return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName)
            .filter(name -> name.startsWith("samewire-redis")).sorted().toList();
    }

    /** How many descriptors this process has open. */
    static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 50_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "waited too long: " + what);
            Pool.sleep(1_000_000);
        }
    }

    /** Where each thread of this process is. */
    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
            for (StackTraceElement frame : frames) {
                text.append("    ").append(frame).append('\n');
            }
        });
        return text.toString();
    }

    interface Work {
        void run() throws Exception;
    }

    /** Runs works in threads of their own, and throws what one of them threw. */
    static void together(List<Work> works) {
        List<Throwable> failed = new java.util.concurrent.CopyOnWriteArrayList<>();
        List<Thread> threads = works.stream().map(work -> new Thread(() -> {
            try {
                work.run();
            } catch (Throwable error) {
                failed.add(error);
            }
        })).toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join(40_000);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            assertTrue(!thread.isAlive(), () -> "a thread waits for ever, all of them:\n" + stacks());
        }
        if (!failed.isEmpty()) {
            throw new AssertionError(failed.size() + " threads failed", failed.get(0));
        }
    }
}
