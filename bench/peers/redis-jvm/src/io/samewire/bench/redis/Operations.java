package io.samewire.bench.redis;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
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

    /** Iterations before those that count. */
    static final int WARM_UPS = 3;

    /** Called before the first iteration that counts. */
    static Runnable warm = () -> { };

    /** CPU nanoseconds of the measuring thread. */
    static final LongSupplier OF_THREAD = THREADS::getCurrentThreadCpuTime;

    /** CPU nanoseconds of all threads, those of the system's among them that belong to the process. */
    static final LongSupplier OF_PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)::getProcessCpuTime;

    /** Which of the two the next run reads. */
    static LongSupplier clock = OF_THREAD;

    /** CPU nanoseconds, an entry an iteration, those of the warm-up first. */
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
        if (CPU.size() == WARM_UPS) {
            warm.run();
        }
        begun = clock.getAsLong();
    }

    /** The time since {@link #begin}. */
    @TearDown(Level.Iteration)
    public void end() {
        CPU.add(clock.getAsLong() - begun);
    }

    /** Bytes to a value, which is dropped. */
    @Benchmark
    public Object decode() {
        return operation.get();
    }

    /** Calls of a client. */
    @Benchmark
    public Object call() {
        return operation.get();
    }

    /** A value to bytes in memory that is kept. */
    @Benchmark
    public Object encode() {
        return operation.get();
    }
}
