package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.Invocation;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 100,000 random and mutated frames come on call and control channels: each has a reply, or ends its session. */
@Timeout(120)
class HostileFramesTest {
    private static final int FRAMES = 100_000;
    /** Longer vectors are of the tests of limits. */
    private static final int LONGEST = 4096;
    /** One frame of so many is bytes of any value. */
    private static final int RANDOM = 10;
    /** The longest blob: what a channel reads is made up as it is asked for. */
    private static final int BLOB = 1 << 16;
    private static final long[] NUMBERS = {0, 1, 127, 128, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 60, -1};

    private final SplittableRandom random = new SplittableRandom(20_261_123);
    private final List<byte[]> seeds = new ArrayList<>();
    private int frames;
    private int replies;
    private int sessions;

    /** Reads arguments as the bridge passes over them, and returns an object. */
    private record Taking(Definition definition) implements Invocation {
        @Override
        public Kind result() {
            return Kind.parse("object");
        }

        @Override
        public void invoke(Channel channel, Input in, Output out) {
            Leftovers.pass(channel, in, in.at(), definition.arguments());
            channel.session().references().write(out, new Object());
        }
    }

    /** A peer of which each message is hostile, and which has large values without end. */
    private final class HostileLink extends ScriptedLink {
        private int left = random.nextInt(1, 30);

        @Override
        public boolean receive(Input into) {
            if (left-- == 0 || frames == FRAMES) {
                return false;
            }
            frames++;
            byte[] message = mutated();
            into.reset(message, 0, message.length, this);
            return true;
        }

        @Override
        public void read(byte[] into, int from, int length) {
            assertTrue(from >= 0 && length >= 0 && length <= into.length - from);
        }

        @Override
        public void send(Output out) {
            replies++;
        }
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

    private byte[] mutated() {
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

    @Test
    void eachHasAReplyOrEndsItsSession() throws IOException {
        load();
        int ended = 0;
        while (frames < FRAMES) {
            sessions++;
            boolean control = random.nextInt(8) == 0;
            HostileLink link = new HostileLink();
            Session session = new Session(new SessionOptions((any, definition) -> new Taking(definition),
                Policy.local(), Limits.DEFAULT, BLOB, Map.of(), null), control ? link : new ScriptedLink(), Map.of(),
                over -> { });
            try {
                if (control) {
                    session.control().serve();
                } else {
                    session.newChannel(link).serve();
                }
            } catch (SamewireException refused) {
                ended++;
            }
        }
        System.out.println(frames + " hostile frames to the JVM in " + sessions + " sessions: " + replies + " replies, "
            + ended + " ends");
        assertEquals(FRAMES, frames);
        assertTrue(replies > FRAMES / 50 && ended > sessions / 2,
            replies + " replies, " + ended + " ends");
    }
}
