package io.samewire.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What JMH cannot do: warm up by CPU time, use each argument once without timing its making or reading the clock around each call, and time
 * the very first run in a process.
 *
 * <p>CPU time is that of the measuring thread: compiler and collector threads are not counted, for any peer.
 */
final class Timing {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    /** Share of the longest warm-up that is the shortest; for half of that the compilers are quiet. */
    private static final double LEAST = 0.2;

    /** Results go here, so that the optimiser cannot drop the work. */
    @SuppressWarnings("unused")
    private static Object sink;

    private Timing() {}

    /** The longest warm-up in seconds, then so many samples of so many seconds. */
    record Plan(double warm, int samples, double sample) {}

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /**
     * Runs until its figures hold still and the JIT has compiled nothing for a while, or for the plan's warm-up; in CPU time, so that a
     * busy machine does not leave it half warm. Code that only the first compiler has compiled holds still, too: while the second one
     * is at work, figures were three times as high as afterwards.
     */
    static void warm(Supplier<Object> operation, Plan plan) {
        double window = Math.max(plan.sample(), 0.02) * 1e9;
        double least = plan.warm() * LEAST * 1e9;
        long count = 1;
        double spent = 0;
        double last = 0;
        long compiled = 0;
        double quietSince = 0;
        while (true) {
            long used = cpu();
            for (long i = 0; i < count; i++) {
                sink = operation.get();
            }
            double whole = cpu() - used;
            double each = whole / count;
            spent += whole;
            long compiling = COMPILERS.getTotalCompilationTime();
            if (compiling != compiled) {
                compiled = compiling;
                quietSince = spent;
            }
            if (whole < window / 2) {
                count = Math.max(count + 1, (long) (count * Math.min(10, window / Math.max(whole, 1))));
            } else if (spent > plan.warm() * 1e9
                    || (spent > least && spent - quietSince > least / 2 && Math.abs(each - last) < 0.03 * each)) {
                return;
            }
            last = each;
        }
    }

    /** Every argument is used once, so that its texts have no cached hash. */
    static Cost fresh(Function<Object, Object> operation, Supplier<Object> build, int copies, Plan plan) {
        Cost cost = new Cost();
        long measured = System.nanoTime() + (long) (plan.warm() * 0.5e9);
        while (cost.cpu().size() < plan.samples()) {
            long cpu = 0;
            long wall = 0;
            long done = 0;
            while (wall < plan.sample() * 1e9 / 4) {
                Object[] values = new Object[copies];
                for (int j = 0; j < copies; j++) {
                    values[j] = build.get();
                }
                long started = System.nanoTime();
                long used = cpu();
                for (Object value : values) {
                    sink = operation.apply(value);
                }
                cpu += cpu() - used;
                wall += System.nanoTime() - started;
                done += copies;
            }
            if (System.nanoTime() > measured) {
                cost.add(cpu, wall, done);
            }
        }
        return cost;
    }

    /** One run, the very first: what a program pays before its first message. */
    static Cost once(Runnable operation) {
        long wall = System.nanoTime();
        long cpu = cpu();
        operation.run();
        Cost cost = new Cost();
        cost.add(cpu() - cpu, System.nanoTime() - wall, 1);
        return cost;
    }
}
