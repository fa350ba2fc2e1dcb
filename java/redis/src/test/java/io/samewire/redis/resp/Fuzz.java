package io.samewire.redis.resp;

import com.sun.management.ThreadMXBean;
import io.samewire.core.Limits;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Shows random, damaged and cut streams of replies to scanner, reader and lazy replies for a while ({@code --seconds N
 * --seed S}): they agree, what is read is written and read again, in time and memory in proportion to the bytes.
 */
public final class Fuzz {
    /** A stream is scanned byte by byte in arrays of its own, and read in every way: memory grows with its square. */
    private static final long MOST_FIXED = 4 << 20;
    private static final long MOST_EACH = 64;
    private static final long MOST_NANOS = 5_000_000_000L;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Fuzz() {}

    /** Runs for the time asked for; exits with 1 on a finding. */
    public static void main(String[] args) {
        Map<String, Double> options = new HashMap<>(Map.of("--seconds", 10.0, "--seed", 1.0));
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], Double.parseDouble(args[i + 1]));
        }
        RandomReplies random = new RandomReplies(options.get("--seed").longValue());
        long start = System.nanoTime();
        long end = start + (long) (options.get("--seconds") * 1e9);
        long inputs = 0;
        long read = 0;
        for (; System.nanoTime() < end; inputs++) {
            byte[] stream = random.chance(8) ? random.anything(60) : random.replies(4);
            for (int damages = random.below(4); damages > 0; damages--) {
                stream = random.damaged(stream);
            }
            Limits limits = random.chance(4) ? Judge.TIGHT : Limits.DEFAULT;
            String what = judge(stream, random.below(stream.length + 1), limits);
            if (what != null) {
                System.out.println("fuzz java-redis: FOUND " + what + "\n  " + HexFormat.of().formatHex(stream));
                System.exit(1);
            }
            read += Replies.scanned(stream, new int[0], limits).fault() == null ? 1 : 0;
        }
        System.out.printf("fuzz java-redis: %d inputs in %d s, %d of them without an error; no finding%n", inputs,
            (System.nanoTime() - start) / 1_000_000_000, read);
    }

    private static String judge(byte[] stream, int cut, Limits limits) {
        long thread = Thread.currentThread().getId();
        long memory = THREADS.getThreadAllocatedBytes(thread);
        long start = THREADS.getCurrentThreadCpuTime();
        String what;
        try {
            what = Judge.fault(stream, cut, limits);
        } catch (RuntimeException | AssertionError | StackOverflowError error) {
            return error.toString();
        }
        memory = THREADS.getThreadAllocatedBytes(thread) - memory;
        if (what == null && memory > MOST_FIXED + MOST_EACH * stream.length * stream.length) {
            return memory + " bytes were allocated";
        }
        return what == null && THREADS.getCurrentThreadCpuTime() - start > MOST_NANOS ? "it took over 5 s" : what;
    }
}
