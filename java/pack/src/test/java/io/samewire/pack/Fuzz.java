package io.samewire.pack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.samewire.peers.Schemas;
import io.samewire.core.FrameScanner;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.StrictRead;
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
 * Feeds every decoder with mutated messages of the vectors for a while ({@code --seconds N --seed S}), and holds them
 * to what {@code spec/pack.md} section 12 promises: a value or a coded error, the same from generated code and from the
 * walker, in time and memory in proportion to the message. A value that was read must be written, read and written
 * again to the same bytes. Schema text and frames get their share.
 */
public final class Fuzz {
    /**
     * Bytes allocated for a message: a fixed part, and so much for each of its bytes (64 in arrays, the rest objects
     * and boxes).
     */
    private static final long MOST_FIXED = 1 << 20;
    private static final long MOST_EACH = 1024;
    private static final long MOST_NANOS = 2_000_000_000L;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();

    /** A message and the codec it belongs to. */
    private record Seed(Codec<Object> codec, String schema, byte[] message) {}

    /** A message of another schema and the decoder that reads it. */
    private record Resolved(Decoder<Object> decoder, String schemas, byte[] message) {}

    /** What came of a message: a value, or an error. */
    private record Outcome(Object value, SamewireException error) {}

    private final SplittableRandom random;
    private final List<Seed> seeds = new ArrayList<>();
    private final List<Resolved> resolved = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final List<byte[]> streams = new ArrayList<>();
    private final Mutator mutator;
    private long inputs;
    private long values;

    private Fuzz(long seed) {
        this.random = new SplittableRandom(seed);
        this.mutator = new Mutator(random);
    }

    /** Runs for the time asked for; exits with 1 on a finding. */
    public static void main(String[] args) throws IOException {
        Map<String, Long> options = new HashMap<>(Map.of("--seconds", 10L, "--seed", 1L));
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], Long.parseLong(args[i + 1]));
        }
        Fuzz fuzz = new Fuzz(options.get("--seed"));
        fuzz.load(Path.of(System.getProperty("samewire.root", ".")));
        long start = System.nanoTime();
        long end = start + options.get("--seconds") * 1_000_000_000L;
        try {
            while (System.nanoTime() < end) {
                fuzz.once();
            }
        } catch (Finding finding) {
            System.out.println("fuzz java: " + finding.getMessage());
            finding.printStackTrace(System.out);
            System.exit(1);
        }
        System.out.printf("fuzz java: %d inputs in %d s, %d of them values; no finding%n", fuzz.inputs,
            (System.nanoTime() - start) / 1_000_000_000, fuzz.values);
    }

    /** What must not be. */
    private static final class Finding extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Finding(String what, Throwable cause) {
            super(what, cause);
        }
    }

    @SuppressWarnings("unchecked") // Values go from a codec to itself.
    private void load(Path root) throws IOException {
        Map<String, Codec<Object>> codecs = new HashMap<>();
        for (JsonNode entry : MAPPER.readTree(root.resolve("build/peers/schemas.json").toFile())) {
            TypeRef<?> type = Schemas.TYPES.get(entry.get("id").textValue());
            codecs.put(entry.get("schema").textValue(), (Codec<Object>) Pack.codec(type));
        }
        for (String part : List.of("pack", "columns")) {
            try (Stream<Path> files = Files.list(root.resolve("spec/vectors").resolve(part))) {
                for (Path file : files.sorted().toList()) {
                    for (JsonNode vector : MAPPER.readTree(file.toFile()).get("cases")) {
                        if (vector.has("text")) {
                            texts.add(vector.get("text").textValue());
                        } else if (vector.get("kind").textValue().equals("frames")) {
                            streams.add(HEX.parseHex(vector.get("hex").textValue()));
                        } else if (vector.has("hex") && vector.has("schema")) {
                            message(vector, codecs);
                        }
                    }
                }
            }
        }
    }

    private void message(JsonNode vector, Map<String, Codec<Object>> codecs) {
        byte[] message = HEX.parseHex(vector.get("hex").textValue());
        String schema = vector.get("schema").textValue();
        Codec<Object> codec = codecs.get(schema);
        if (message.length > 4096) {
            return;
        } else if (vector.has("writer")) {
            String writer = vector.get("writer").textValue();
            Decoder<Object> decoder = codec.resolve(writer);
            use(decoder, message);
            resolved.add(new Resolved(decoder, writer + " as " + schema, message));
        } else {
            use(codec, message);
            seeds.add(new Seed(codec, schema, message));
        }
    }

    /** Decodes once: a reader's code is made when it is first used, and no message is to blame for what that takes. */
    private static void use(Decoder<Object> decoder, byte[] message) {
        try {
            decoder.decode(message);
        } catch (SamewireException refused) {
            // The message of a case may be one that is refused.
        }
    }

    private void once() {
        inputs++;
        int kind = random.nextInt(50);
        if (kind == 0) {
            schemaText();
        } else if (kind == 1) {
            frames();
        } else if (kind < 6) {
            Resolved seed = resolved.get(random.nextInt(resolved.size()));
            Resolved other = resolved.get(random.nextInt(resolved.size()));
            byte[] message = mutator.mutated(seed.message, other.message);
            resolved(seed, message);
        } else {
            Seed seed = seeds.get(random.nextInt(seeds.size()));
            Seed other = seeds.get(random.nextInt(seeds.size()));
            message(seed, mutator.mutated(seed.message, other.message));
        }
    }

    private void message(Seed seed, byte[] message) {
        String input = seed.schema + " " + HEX.formatHex(message);
        Outcome outcome = decoded(seed.codec, message, input);
        SamewireException walked = StrictRead.error(seed.codec, message);
        if (!same(outcome.error, walked)) {
            String what = "generated code says " + outcome.error + ", the walker says " + walked + " of " + input;
            throw new Finding(what, outcome.error);
        }
        if (outcome.error == null) {
            values++;
            again(seed.codec, outcome.value, input);
        }
    }

    private static void resolved(Resolved seed, byte[] message) {
        String input = seed.schemas + " " + HEX.formatHex(message);
        Outcome outcome = decoded(seed.decoder, message, input);
        if (outcome.error != null && outcome.error.at() < 0) {
            throw new Finding("generated code refuses what the walker takes: " + input, outcome.error);
        }
    }

    /** Decodes, within bounds on time and memory. */
    private static Outcome decoded(Decoder<Object> decoder, byte[] message, String input) {
        long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        long began = THREADS.getCurrentThreadCpuTime();
        Object value;
        SamewireException error = null;
        try {
            value = decoder.decode(message);
        } catch (SamewireException refused) {
            value = null;
            error = refused;
        } catch (Throwable other) {
            throw new Finding("no coded error for " + input, other);
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - began;
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated;
        if (bytes > MOST_FIXED + MOST_EACH * message.length || nanos > MOST_NANOS) {
            throw new Finding(bytes + " bytes and " + nanos + " ns for " + input, null);
        }
        return new Outcome(value, error);
    }

    private static boolean same(SamewireException a, SamewireException b) {
        return a == null || b == null ? a == b : a.code() == b.code() && a.at() == b.at() && a.path().equals(b.path());
    }

    private static void again(Codec<Object> codec, Object value, String input) {
        try {
            byte[] canonical = codec.encode(value);
            if (!Arrays.equals(canonical, codec.encode(codec.decode(canonical)))) {
                throw new Finding("written again it is another message: " + input, null);
            }
        } catch (SamewireException refused) {
            throw new Finding("what was read cannot be written and read: " + input, refused);
        }
    }

    private void schemaText() {
        String text = mutator.mutated(texts.get(random.nextInt(texts.size())));
        try {
            Schema schema = Schema.parse(text);
            if (!Schema.parse(schema.text()).equals(schema)) {
                throw new Finding("the canonical text of " + text + " is not its own", null);
            }
        } catch (SamewireException refused) {
            if (refused.at() < 0) {
                throw new Finding("no offset for " + text, refused);
            }
        } catch (RuntimeException | StackOverflowError other) {
            throw new Finding("no coded error for " + text, other);
        }
    }

    private void frames() {
        byte[] stream = mutator.mutated(streams.get(random.nextInt(streams.size())),
            streams.get(random.nextInt(streams.size())));
        String whole = scan(stream, stream.length);
        String parts = scan(stream, 1);
        if (!whole.equals(parts)) {
            throw new Finding("byte by byte " + parts + ", at once " + whole + " from " + HEX.formatHex(stream), null);
        }
    }

    private static String scan(byte[] stream, int step) {
        FrameScanner scanner = new FrameScanner();
        StringBuilder seen = new StringBuilder();
        try {
            for (int at = 0; at < stream.length; at += step) {
                scanner.feed(stream, at, Math.min(at + step, stream.length));
                for (byte[] message = scanner.next(); message != null; message = scanner.next()) {
                    seen.append(HEX.formatHex(message)).append(' ');
                }
            }
            scanner.end();
        } catch (SamewireException error) {
            seen.append(error.code()).append(error.at());
        }
        return seen.toString();
    }
}
