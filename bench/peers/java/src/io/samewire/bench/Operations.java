package io.samewire.bench;

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
 * The operations that JMH times, on the same argument again and again. JMH makes the instance, so what it works on is left in static
 * fields before; only one peer is loaded in a process, so every call of it is direct.
 */
@State(Scope.Thread)
public class Operations {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What the next run works on. */
    static Peer nextPeer;
    static Object nextValue;
    static byte[] nextData;
    static Supplier<Object> nextOperation;
    static Timing.Plan nextPlan;

    /** CPU nanoseconds of the measuring thread, an entry an iteration, those of the warm-up first. */
    static final List<Long> CPU = new ArrayList<>();

    private Peer peer;
    private Object value;
    private byte[] data;
    private long begun;

    /**
     * Takes over what the run works on, and warms it up on this thread: what a library keeps for each thread is new here, and code that
     * was compiled for another thread's is given up.
     */
    @Setup(Level.Trial)
    public void take() {
        peer = nextPeer;
        value = nextValue;
        data = nextData;
        Timing.warm(nextOperation, nextPlan);
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

    /** Owned bytes. */
    @Benchmark
    public byte[] encode() {
        return peer.encode(value);
    }

    /** Into memory that is kept. */
    @Benchmark
    public int into() {
        return peer.into(value);
    }

    /** The value, which is dropped. */
    @Benchmark
    public Object decode() {
        return peer.decode(data);
    }
}
