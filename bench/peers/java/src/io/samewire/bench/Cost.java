package io.samewire.bench;

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
public record Cost(List<Double> cpu, List<Double> wall, Double heap) {
    /** Without samples. */
    public Cost() {
        this(new ArrayList<>(), new ArrayList<>(), null);
    }

    /** Adds a sample of so many operations. */
    public void add(long cpuNanos, long wallNanos, long count) {
        cpu.add((double) cpuNanos / count);
        wall.add((double) wallNanos / count);
    }

    /** The same with bytes allocated. */
    public Cost allocating(double bytes) {
        return new Cost(cpu, wall, bytes);
    }

    /** The middle one of figures, of which there is one at least. */
    public static double median(List<Double> figures) {
        return figures.stream().sorted().skip(figures.size() / 2).findFirst().orElseThrow();
    }

    /** As one line of the report. */
    public String line(String op) {
        String text = "{\"op\": \"%s\", \"unit\": \"ns/op\", \"cpu\": %s, \"wall\": %s, \"allocs\": null, \"heap\": %s}";
        return String.format(Locale.ROOT, text, op, cpu, wall, heap);
    }
}
