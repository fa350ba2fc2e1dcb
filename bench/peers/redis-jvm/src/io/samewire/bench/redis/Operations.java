package io.samewire.bench.redis;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The operations that JMH times. Only one peer is loaded in a process, and each operation has a method of its own, so every call is
 * direct.
 */
@State(Scope.Thread)
public class Operations {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What the next run does. */
    static Supplier<Object> next;

    /** CPU nanoseconds of the measuring thread, an entry an iteration, those of the warm-up first. */
    static final List<Long> CPU = new ArrayList<>();

    private Supplier<Object> operation;
    private long begun;

    /** Takes over what the run does. */
    @Setup(Level.Trial)
    public void take() {
        operation = next;
    }

    /** On the measuring thread, as everything here. */
    @Setup(Level.Iteration)
    public void begin() {
        begun = THREADS.getCurrentThreadCpuTime();
    }

    /** The time since {@link #begin}. */
    @TearDown(Level.Iteration)
    public void end() {
        CPU.add(THREADS.getCurrentThreadCpuTime() - begun);
    }

    /** Bytes to a value, which is dropped. */
    @Benchmark
    public Object decode() {
        return operation.get();
    }

    /** A value to bytes in memory that is kept. */
    @Benchmark
    public Object encode() {
        return operation.get();
    }
}
