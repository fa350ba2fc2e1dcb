package io.samewire.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Cost of one operation in nanoseconds, after a warm-up that ends when the figures hold still.
 *
 * <p>CPU time is that of the measuring thread: compiler and collector threads are not counted, for any peer.
 */
public final class Timing {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Results go here, so that the optimiser cannot drop the work. */
    @SuppressWarnings("unused")
    private static Object sink;

    private Timing() {}

    /** The longest warm-up in seconds, then so many samples of so many seconds. */
    public record Plan(double warm, int samples, double sample) {}

    /** Nanoseconds per operation, one entry a sample. */
    public record Cost(List<Double> cpu, List<Double> wall) {
        /** Without samples. */
        public Cost() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        private void add(long cpuNanos, long wallNanos, long count) {
            cpu.add((double) cpuNanos / count);
            wall.add((double) wallNanos / count);
        }

        /** As one line of the report. */
        public String line(String op) {
            return String.format(Locale.ROOT, "{\"op\": \"%s\", \"cpu\": %s, \"wall\": %s}", op, cpu, wall);
        }
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static void run(Function<Object, Object> operation, Object argument, long count) {
        for (long i = 0; i < count; i++) {
            sink = operation.apply(argument);
        }
    }

    /** The same argument again and again. */
    public static Cost repeated(Function<Object, Object> operation, Object argument, Plan plan) {
        double target = plan.sample() * 1e9;
        long count = 1;
        double spent = 0;
        double last = 0;
        while (true) {
            long wall = System.nanoTime();
            long cpu = cpu();
            run(operation, argument, count);
            long used = cpu() - cpu;
            double each = (double) used / count;
            double whole = System.nanoTime() - wall;
            spent += used;
            if (whole < target / 2) {
                count = Math.max(count + 1, (long) (count * Math.min(10, target / Math.max(whole, 1))));
            } else if (spent > plan.warm() * 1e9 || (spent > plan.warm() * 4e8 && Math.abs(each - last) < 0.03 * each)) {
                break;
            }
            last = each;
        }
        Cost cost = new Cost();
        for (int i = 0; i < plan.samples(); i++) {
            long wall = System.nanoTime();
            long cpu = cpu();
            run(operation, argument, count);
            cost.add(cpu() - cpu, System.nanoTime() - wall, count);
        }
        return cost;
    }

    /** Every argument is used once, so that its texts have no cached hash. */
    public static Cost fresh(Function<Object, Object> operation, Supplier<Object> build, int copies, Plan plan) {
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
    public static Cost once(Runnable operation) {
        long wall = System.nanoTime();
        long cpu = cpu();
        operation.run();
        Cost cost = new Cost();
        cost.add(cpu() - cpu, System.nanoTime() - wall, 1);
        return cost;
    }
}
