package io.samewire.bench.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What one operation costs.
 *
 * @param cpu nanoseconds of the measuring thread, an entry a sample
 * @param wall nanoseconds, an entry a sample
 * @param heap bytes allocated, or null where they were not counted
 */
record Cost(List<Double> cpu, List<Double> wall, Double heap) {
    /** Without samples. */
    Cost() {
        this(new ArrayList<>(), new ArrayList<>(), null);
    }

    void add(long cpuNanos, long wallNanos, long count) {
        cpu.add((double) cpuNanos / count);
        wall.add((double) wallNanos / count);
    }

    Cost allocating(double bytes) {
        return new Cost(cpu, wall, bytes);
    }

    static double median(List<Double> figures) {
        return figures.stream().sorted().skip(figures.size() / 2).findFirst().orElseThrow();
    }

    /** As one line of the report. */
    String line(String op) {
        String text = "{\"op\": \"%s\", \"unit\": \"ns/op\", \"cpu\": %s, \"wall\": %s, \"allocs\": null, \"heap\": %s}";
        return String.format(Locale.ROOT, text, op, cpu, wall, heap);
    }
}
