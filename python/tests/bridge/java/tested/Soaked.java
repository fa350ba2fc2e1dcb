package tested;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32;

/**
 * What a soak calls. Each call has a name of its own, which is written to a file before anything else, so that it is
 * known what has run however this process ends: that of the property {@code soak.ledger}.
 */
public final class Soaked {
    private static final ThreadLocal<String> OWN = new ThreadLocal<>();
    private static final FileOutputStream LEDGER = opened();

    private Soaked() {}

    private static FileOutputStream opened() {
        try {
            return new FileOutputStream(System.getProperty("soak.ledger"), true);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void ran(String name) {
        try {
            LEDGER.write((name + "\n").getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public static int run(String name) {
        ran(name);
        return name.hashCode();
    }

    public static int slow(String name, int millis) throws InterruptedException {
        ran(name);
        Thread.sleep(millis);
        return name.hashCode();
    }

    public static int fail(String name) {
        ran(name);
        throw new IllegalStateException(name);
    }

    public static long take(String name, byte[] data) {
        ran(name);
        CRC32 sum = new CRC32();
        sum.update(data);
        return sum.getValue();
    }

    public static byte[] give(String name, int length, int first) {
        ran(name);
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (first + i * 7);
        }
        return data;
    }

    public static long sum(String name, List<Integer> numbers) {
        ran(name);
        return numbers.stream().mapToLong(Integer::longValue).sum();
    }

    public static int callback(String name, IntUnaryOperator function, int argument) {
        ran(name);
        return function.applyAsInt(argument) + 1;
    }

    /** What the thread that calls has kept before; keeps the argument in its place. */
    public static String keep(String name, String own) {
        ran(name);
        String before = OWN.get();
        OWN.set(own);
        return before;
    }
}
