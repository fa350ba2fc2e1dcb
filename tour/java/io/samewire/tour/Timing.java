package io.samewire.tour;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * CPU time of operations, measured in turns so that a slow moment of the machine meets all of them. It is the time of the measuring thread: those of
 * the compiler and the collector are not counted, for anyone.
 */
final class Timing {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Results go here, so that the optimiser cannot drop the work. */
    static volatile Object sink;

    private Timing() {}

    /** One thing to time. */
    static final class Operation {
        private final Supplier<Object> run;
        private long count = 1;
        private final List<Double> cpu = new ArrayList<>();

        Operation(Supplier<Object> run) {
            this.run = run;
        }

        /** Nanoseconds of one run, an entry a round. */
        List<Double> cpu() {
            return cpu;
        }

        private void warmUp(double warm, double round) {
            long begun = System.nanoTime();
            long runs = 0;
            long spent = 0;
            while (runs == 0 || spent < warm * 1e9) {
                sink = run.get();
                runs++;
                spent = System.nanoTime() - begun;
            }
            count = Math.max(1, Math.round(round * 1e9 / ((double) spent / runs)));
        }

        private void time() {
            long before = THREADS.getCurrentThreadCpuTime();
            for (long i = 0; i < count; i++) {
                sink = run.get();
            }
            cpu.add((double) (THREADS.getCurrentThreadCpuTime() - before) / count);
        }
    }

    /** Fills every operation's times. {@code warm} and {@code round} are seconds. */
    static void measure(List<Operation> operations, double warm, int rounds, double round) {
        operations.forEach(operation -> operation.warmUp(warm, round));
        for (int i = 0; i < rounds; i++) {
            operations.forEach(Operation::time);
        }
    }
}
