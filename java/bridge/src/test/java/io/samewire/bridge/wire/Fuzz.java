package io.samewire.bridge.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Shows damaged values and messages of the vectors to the readers for a while ({@code --seconds N --seed S}): each is
 * read, or is an error with a code and an offset within the bytes, in time and memory in proportion to them. What is
 * read is written, and read again as the same.
 */
public final class Fuzz {
    /** The tree of a value takes far more than the value: so much each byte, and a fixed part. */
    private static final long MOST_FIXED = 4 << 20;
    private static final long MOST_EACH = 4096;
    private static final long MOST_NANOS = 5_000_000_000L;
    private static final int LONGEST = 4096;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final long[] NUMBERS = {0, 1, 2, 63, 64, 127, 128, 255, 256, 257, 65_535, 65_536, 1 << 24,
        Integer.MAX_VALUE - 8L, Integer.MAX_VALUE, 1L << 31, 1L << 32, 1L << 60, 1L << 61, 1L << 62, Long.MAX_VALUE,
        -1};

    /** Bytes, and the kind that they are read as; null for a message. */
    private record Seed(Kind kind, byte[] bytes) {}

    private final SplittableRandom random;
    private final List<Seed> seeds = new ArrayList<>();
    private long inputs;
    private long read;

    private Fuzz(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Runs for the time asked for; exits with 1 on a finding. */
    public static void main(String[] args) throws IOException {
        Map<String, Double> options = new HashMap<>(Map.of("--seconds", 10.0, "--seed", 1.0));
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], Double.parseDouble(args[i + 1]));
        }
        Fuzz fuzz = new Fuzz(options.get("--seed").longValue());
        fuzz.load(Path.of(System.getProperty("samewire.root", "."), "spec/vectors/bridge"));
        long start = System.nanoTime();
        long end = start + (long) (options.get("--seconds") * 1e9);
        while (System.nanoTime() < end) {
            Seed input = fuzz.next();
            String what = fuzz.judge(input);
            if (what != null) {
                System.out.println("fuzz java-bridge: FOUND " + what + "\n  " + (input.kind == null ? "message"
                    : input.kind) + " " + HEX.formatHex(input.bytes));
                System.exit(1);
            }
        }
        System.out.printf("fuzz java-bridge: %d inputs in %d s, %d of them read; no finding%n", fuzz.inputs,
            (System.nanoTime() - start) / 1_000_000_000, fuzz.read);
    }

    private void load(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode vector : MAPPER.readTree(file.toFile()).get("cases")) {
                    byte[] bytes = HEX.parseHex(vector.get("hex").textValue());
                    if (bytes.length <= LONGEST) {
                        Kind kind = vector.has("of") ? Kind.parse(vector.get("of").textValue()) : null;
                        seeds.add(new Seed(kind, bytes));
                    }
                }
            }
        }
    }

    private Seed next() {
        inputs++;
        Seed seed = seeds.get(random.nextInt(seeds.size()));
        byte[] bytes = seed.bytes;
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes = changed(bytes);
        }
        return new Seed(seed.kind, bytes);
    }

    private byte[] changed(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int length = Math.min(random.nextInt(1, 5), bytes.length - at);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        int skip = 0;
        switch (random.nextInt(6)) {
            case 0 -> {
                out.write(random.nextInt(256));
                skip = Math.min(1, length);
            }
            case 1 -> out.write(random.nextInt(64));
            case 2 -> skip = length;
            case 3 -> {
                byte[] other = seeds.get(random.nextInt(seeds.size())).bytes;
                int from = random.nextInt(other.length + 1);
                out.write(other, from, Math.min(40, other.length - from));
            }
            case 4 -> {
                return out.toByteArray();
            }
            default -> {
                long number = NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(2);
                skip = Math.min(1, length);
                for (; (number & ~0x7fL) != 0; number >>>= 7) {
                    out.write((int) number & 0x7f | 0x80);
                }
                out.write((int) number);
            }
        }
        out.write(bytes, at + skip, bytes.length - at - skip);
        return out.toByteArray();
    }

    private static JsonNode read(Kind kind, byte[] bytes) {
        Input in = new Input(Limits.DEFAULT, Integer.MAX_VALUE - 8L);
        in.reset(bytes, 0, bytes.length, (into, from, length) -> {
            throw new AssertionError("the fuzzer reads no large values");
        });
        if (kind == null) {
            return new MessageNotation(new MessageNotation.Site(List.of(), Kind.parse("any"))).read(in);
        }
        JsonNode value = Notation.read(in, kind);
        in.finish();
        return value;
    }

    private static byte[] write(Kind kind, JsonNode value) {
        Output out = VectorsTest.output();
        if (kind == null) {
            new MessageNotation(new MessageNotation.Site(List.of(), Kind.parse("any"))).write(value, out);
        } else {
            Notation.write(value, kind, out);
        }
        return Arrays.copyOf(out.array(), out.length());
    }

    /** Returns what must not be, or null. */
    private String judge(Seed input) {
        long thread = Thread.currentThread().getId();
        long memory = THREADS.getThreadAllocatedBytes(thread);
        long start = THREADS.getCurrentThreadCpuTime();
        JsonNode value = null;
        String wrong = null;
        try {
            value = read(input.kind, input.bytes);
        } catch (SamewireException refused) {
            if (refused.at() < 0 || refused.at() > input.bytes.length) {
                wrong = "an error elsewhere: " + refused;
            }
        } catch (RuntimeException | StackOverflowError error) {
            return error.toString();
        }
        memory = THREADS.getThreadAllocatedBytes(thread) - memory;
        if (memory > MOST_FIXED + MOST_EACH * input.bytes.length) {
            return memory + " bytes were allocated";
        } else if (THREADS.getCurrentThreadCpuTime() - start > MOST_NANOS) {
            return "it took " + (THREADS.getCurrentThreadCpuTime() - start) + " ns";
        } else if (value == null) {
            return wrong;
        }
        read++;
        byte[] written = write(input.kind, value);
        boolean same = value.equals(read(input.kind, written));
        return same ? null : "what is written reads otherwise: " + HEX.formatHex(written);
    }
}
