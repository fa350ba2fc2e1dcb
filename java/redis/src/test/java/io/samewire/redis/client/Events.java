package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps every event in a line. */
final class Events implements Observer {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Override
    public Object started(Operation operation) {
        lines.add("started " + operation.name() + " " + operation.commands() + " at " + operation.server());
        return operation;
    }

    @Override
    public void finished(Object token, Operation operation, Duration time, Throwable error) {
        assertEquals(operation, token);
        assertTrue(time.toNanos() > 0);
        lines.add("finished " + operation.name() + name(error));
    }

    @Override
    public void repeated(String name, int failures, Throwable error) {
        lines.add("repeated " + name + " " + failures + name(error));
    }

    @Override
    public void connected(Address server, Duration time) {
        assertTrue(time.toNanos() > 0);
        lines.add("connected " + server);
    }

    @Override
    public void disconnected(Address server, Throwable error) {
        lines.add("disconnected " + server + name(error));
    }

    private static String name(Throwable error) {
        return error == null ? "" : " " + error.getClass().getSimpleName();
    }

    /** Returns what has come, and forgets it. */
    List<String> taken() {
        List<String> found = new ArrayList<>();
        lines.drainTo(found);
        return found;
    }

    /** Returns what comes next. */
    String await() {
        try {
            return lines.poll(60, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
