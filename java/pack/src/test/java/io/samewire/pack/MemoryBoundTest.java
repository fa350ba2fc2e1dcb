package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The values of one message take at most 60 bytes a cell, so that under the default limits no message takes more than
 * 1 GB ({@code spec/limits.md}). All of {@link HeavyValues} are measured under a small part of the limit, and the
 * heaviest at the limit, in a JVM whose heap cannot hold more, and in which a collection is short since little else
 * lives.
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
    @Tag("hard")
    void takesAtMostOneGigabyteForAMessage() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP,
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            MemoryBoundTest.class.getName()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertTrue(said.startsWith(HeavyValues.all().size() + " shapes"), said);
    }

    /** Exits with 0 if the values of all messages are small enough. */
    public static void main(String[] arguments) {
        List<HeavyValues.Heavy> all = HeavyValues.all();
        HeavyValues.Heavy heaviest = null;
        long most = 0;
        for (HeavyValues.Heavy heavy : all) {
            long bytes = bytes(heavy, heavy.longest(SCALED), SCALED);
            if (bytes > (long) BYTES_A_CELL * SCALED + NOISE) {
                throw new AssertionError(bytes / SCALED + " bytes a cell: " + heavy);
            }
            if (bytes > most) {
                most = bytes;
                heaviest = heavy;
            }
        }
        int cells = Limits.DEFAULT.cells();
        byte[] message = heaviest.longest(cells);
        long bytes = bytes(heaviest, message, cells);
        if (bytes > 1_000_000_000) {
            throw new AssertionError(heaviest + ": " + bytes + " bytes");
        }
        System.out.println(all.size() + " shapes; most, " + bytes + " bytes of a message of " + message.length + ": "
            + heaviest);
    }
}
