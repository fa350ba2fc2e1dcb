package io.samewire.bridge.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Messages that no honest client sends. */
public final class HostileMessages {
    /** Longer vectors are of the tests of limits. */
    private static final int LONGEST = 4096;
    /** One message of so many is bytes of any value. */
    private static final int RANDOM = 10;
    private static final long[] NUMBERS = {0, 1, 127, 128, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 60, -1};

    private final SplittableRandom random;
    private final List<byte[]> seeds = new ArrayList<>();

    /** Reads the vectors. */
    public HostileMessages(SplittableRandom random) throws IOException {
        this.random = random;
        load();
    }

    /** The messages of the vectors; a value as the argument of a first call. */
    private void load() throws IOException {
        Path folder = Path.of(System.getProperty("samewire.root"), "spec/vectors/bridge");
        ObjectMapper mapper = new ObjectMapper();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode vector : mapper.readTree(file.toFile()).get("cases")) {
                    byte[] bytes = HexFormat.of().parseHex(vector.get("hex").textValue());
                    if (bytes.length > 0 && bytes.length <= LONGEST) {
                        seeds.add(vector.has("of") ? call(vector.get("of").textValue(), bytes) : bytes);
                    }
                }
            }
        }
    }

    private static byte[] call(String kind, byte[] value) {
        Output out = new Output(Limits.DEFAULT);
        out.u8(Messages.FIRST_CALL);
        out.varint(0);
        out.u8(Definition.STATIC);
        out.string("T");
        out.string("take");
        out.varint(1);
        out.string(kind);
        out.string("");
        out.raw(value, 0, value.length);
        return Arrays.copyOf(out.array(), out.length());
    }

    /** Returns a message: of the vectors, damaged as a rule, or bytes of any value. */
    public byte[] next() {
        if (random.nextInt(RANDOM) == 0) {
            byte[] bytes = new byte[random.nextInt(1, 80)];
            random.nextBytes(bytes);
            return bytes;
        }
        byte[] bytes = seeds.get(random.nextInt(seeds.size()));
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes = changed(bytes);
        }
        return bytes.length == 0 ? new byte[1] : bytes;
    }

    private byte[] changed(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int skip = Math.min(random.nextInt(4), bytes.length - at);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        switch (random.nextInt(5)) {
            case 0 -> out.write(random.nextInt(256));
            case 1 -> out.write(random.nextInt(64));
            case 2 -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int from = random.nextInt(other.length);
                out.write(other, from, Math.min(40, other.length - from));
            }
            case 3 -> {
                long number = NUMBERS[random.nextInt(NUMBERS.length)];
                for (; (number & ~0x7fL) != 0; number >>>= 7) {
                    out.write((int) number & 0x7f | 0x80);
                }
                out.write((int) number);
            }
            default -> { }
        }
        out.write(bytes, at + skip, bytes.length - at - skip);
        return out.toByteArray();
    }
}
