package io.samewire.bench.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** redis-benchmark: the server's own generator of load, in C; one connection, 1,000 commands at a time. */
final class WithRedisBenchmark implements Library {
    /** Many, beside which the start of its process is nothing. */
    private static final int COMMANDS = 500_000;
    private static final long TICK_NANOS = 10_000_000;

    @Override
    public String about() {
        return "whether a reply is an error";
    }

    @Override
    public Class<?> from() {
        return String.class;
    }

    @Override
    public String version() {
        return run("--version").replaceAll("(?s)\\D*(\\d+\\.\\d+\\.\\d+).*", "$1");
    }

    @Override
    public boolean isLimit() {
        return true;
    }

    @Override
    public Set<Shape.Kind> calls() {
        return Set.of(Shape.Kind.PIPELINE);
    }

    /** That of processes that have ended and were waited for. */
    @Override
    public LongSupplier clock() {
        return () -> {
            try {
                // User and system time of children are the 14th and 15th word behind the name, which is in brackets.
                String[] words = Files.readString(Path.of("/proc/self/stat")).replaceAll("(?s).*\\) ", "").split(" ");
                return (Long.parseLong(words[13]) + Long.parseLong(words[14])) * TICK_NANOS;
            } catch (IOException absent) {
                throw new UncheckedIOException(absent);
            }
        };
    }

    @Override
    public boolean isCompiled() {
        return true;
    }

    @Override
    public int count(Shape shape) {
        return COMMANDS;
    }

    @Override
    public Supplier<Object> call(Shape shape, int port) {
        return () -> run("-h", "127.0.0.1", "-p", "" + port, "-c", "1", "-P", "" + shape.count(), "-n", "" + COMMANDS, "--csv", "SET",
                "newkey", Shape.STORED);
    }

    @Override
    public Object plain(Object result) {
        return ((String) result).contains("SET newkey") ? Collections.nCopies(Shape.PIPELINED, "OK") : result;
    }

    private static String run(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "redis-benchmark";
        System.arraycopy(words, 0, command, 1, words.length);
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            return said;
        } catch (IOException absent) {
            throw new UncheckedIOException(absent);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
