package io.samewire.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one of {@link Operations} under JMH: its loop, its black holes, its profiler of allocations. Not forked, because the lab gives each
 * peer, workload and round a process of its own; the lab starts it with the flags that JMH would have given a fork.
 */
final class Jmh {
    /** As the lab shows it. */
    static final String NAME = "jmh " + new Library(Runner.class, "", "", true, false, null).version();

    private static final int WARM_UPS = 3;

    /** What the loop around a warm operation needs; seconds. */
    private static final double WARM_UP = 0.1;

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private Jmh() {}

    /** {@code operation} is what the method {@code op} does. */
    static Cost run(String op, Supplier<Object> operation, Timing.Plan plan) throws RunnerException {
        Operations.nextOperation = operation;
        Operations.nextPlan = plan;
        Options options =
                new OptionsBuilder()
                        .include("^" + Operations.class.getName().replace(".", "\\.") + "\\." + op + "$")
                        .mode(Mode.AverageTime)
                        .timeUnit(TimeUnit.NANOSECONDS)
                        .forks(0)
                        .warmupIterations(WARM_UPS)
                        .warmupTime(seconds(WARM_UP))
                        .measurementIterations(plan.samples())
                        .measurementTime(seconds(plan.sample()))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build();
        Operations.CPU.clear();
        List<IterationResult> iterations =
                List.copyOf(new Runner(options).runSingle().getBenchmarkResults().iterator().next().getIterationResults());
        Cost cost = new Cost();
        List<Double> allocated = new ArrayList<>();
        int first = Operations.CPU.size() - iterations.size();
        for (int i = 0; i < iterations.size(); i++) {
            IterationResult iteration = iterations.get(i);
            cost.cpu().add((double) Operations.CPU.get(first + i) / iteration.getMetadata().getAllOps());
            cost.wall().add(iteration.getPrimaryResult().getScore());
            Result<?> bytes = iteration.getSecondaryResults().get(ALLOCATED);
            if (bytes != null) {
                allocated.add(bytes.getScore());
            }
        }
        return allocated.isEmpty() ? cost : cost.allocating(Cost.median(allocated));
    }

    private static TimeValue seconds(double seconds) {
        return TimeValue.microseconds(Math.max(1, (long) (seconds * 1e6)));
    }
}
