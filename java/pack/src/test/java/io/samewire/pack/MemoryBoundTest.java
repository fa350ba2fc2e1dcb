package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The values of one message take at most 60 bytes a cell, so that under the default limits no message takes more than
 * 1 GB ({@code spec/limits.md}). All of {@link HeavyValues} are measured under a small part of the limit, and the
 * heaviest at the limit, in a JVM whose heap cannot hold more.
 */
class MemoryBoundTest {
    private static final int BYTES_A_CELL = 60;
    private static final int SCALED = Limits.DEFAULT.cells() / 64;
    /** What the JVM's own objects may grow by meanwhile. */
    private static final long NOISE = 2 << 20;
    /** 1 GB of values, the message of at most 64 MiB, and what the collector needs to work. */
    private static final String HEAP = "-Xmx1100m";

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Returns how many bytes the value of a message takes. */
    private static long bytes(HeavyValues.Heavy heavy, byte[] message, int cells) {
        Decoder<?> decoder = heavy.reader(cells);
        long before = used();
        Object value = decoder.decode(message);
        long bytes = used() - before;
        Reference.reachabilityFence(value);
        return bytes;
    }

    @Test
    void takesAtMostOneGigabyteForAMessage() throws Exception {
        List<HeavyValues.Heavy> all = HeavyValues.all();
        int heaviest = 0;
        long most = 0;
        for (int i = 0; i < all.size(); i++) {
            HeavyValues.Heavy heavy = all.get(i);
            long bytes = bytes(heavy, heavy.longest(SCALED), SCALED);
            assertTrue(bytes < (long) BYTES_A_CELL * SCALED + NOISE, () -> bytes / SCALED + " bytes a cell: " + heavy);
            if (bytes > most) {
                most = bytes;
                heaviest = i;
            }
        }
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP,
            "-cp", System.getProperty("java.class.path"), MemoryBoundTest.class.getName(), Integer.toString(heaviest))
            .redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        HeavyValues.Heavy tried = all.get(heaviest);
        assertEquals(0, process.waitFor(), () -> tried + ": " + said);
    }

    /** Reads the heaviest message of one list in a process of its own; exits with 0 if there is memory for it. */
    public static void main(String[] arguments) {
        HeavyValues.Heavy heavy = HeavyValues.all().get(Integer.parseInt(arguments[0]));
        byte[] message = heavy.longest(Limits.DEFAULT.cells());
        long bytes = bytes(heavy, message, Limits.DEFAULT.cells());
        if (bytes > 1_000_000_000) {
            throw new AssertionError(bytes + " bytes");
        }
        System.out.println(bytes + " bytes of a message of " + message.length);
    }
}
