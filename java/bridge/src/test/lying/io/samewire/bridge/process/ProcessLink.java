package io.samewire.bridge.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * In place of the gateway's: a JVM that answers calls with damaged frames, calls back with damaged frames, and lies
 * about the large values that follow. What JNI itself trusts (a buffer's address, an array's length) is true.
 */
final class ProcessLink {
    private static final int CAPACITY = 1 << 16;
    private static final int BLOBS_SHIFT = 32;
    private static final long REPLACED = 1L << 62;
    private static final Random RANDOM = new Random(Long.getLong("lying.seed"));
    private static final List<byte[]> REPLIES = lines("replies");
    private static final List<byte[]> CALLS = lines("calls");
    private static final int[] LENGTHS = {0, 1, 127, 65_535, 65_536, 70_000};

    /** Told at the end: frames that were sent, and calls of Python that were made. */
    private static int frames;
    private static int calls;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(
            () -> System.out.println(frames + " frames and " + calls + " calls")));
    }

    private final long handle;
    private ByteBuffer in = direct(CAPACITY);
    private ByteBuffer out = direct(CAPACITY);

    private ProcessLink(long handle) {
        this.handle = handle;
    }

    private static List<byte[]> lines(String name) {
        try {
            Path file = Path.of(System.getProperty("lying.folder"), name);
            return Files.readAllLines(file, StandardCharsets.US_ASCII).stream().map(HexFormat.of()::parseHex).toList();
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static ByteBuffer direct(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    static ProcessLink take(String ring, long handle) {
        return new ProcessLink(handle);
    }

    static ByteBuffer in(ProcessLink link) {
        return link.in;
    }

    static ByteBuffer out(ProcessLink link) {
        return link.out;
    }

    static ByteBuffer resize(ProcessLink link, int capacity) {
        ByteBuffer other = direct(capacity);
        other.put(0, link.in, 0, Math.min(capacity, link.in.capacity()));
        link.in = other;
        return other;
    }

    private static byte[] damaged(byte[] bytes) {
        byte[] made = bytes.clone();
        for (int changes = RANDOM.nextInt(4); changes > 0 && made.length > 0; changes--) {
            int at = RANDOM.nextInt(made.length);
            if (RANDOM.nextInt(3) == 0) {
                made = java.util.Arrays.copyOf(made, RANDOM.nextBoolean() ? at : made.length + 1 + RANDOM.nextInt(3));
            } else {
                made[at] = (byte) RANDOM.nextInt(256);
            }
        }
        return made;
    }

    /** Puts frames where Python looks for them, and returns what is said of them. */
    private long say(List<byte[]> given) {
        int length = 0;
        long replaced = 0;
        if (RANDOM.nextInt(20) == 0) {
            out = direct(RANDOM.nextBoolean() ? CAPACITY : 2 * CAPACITY);
            replaced = REPLACED;
        }
        for (int count = RANDOM.nextInt(4) == 0 ? 1 + RANDOM.nextInt(4) : 1; count > 0; count--) {
            byte[] message = damaged(given.get(RANDOM.nextInt(given.size())));
            if (length + 4 + message.length > out.capacity()) {
                break;
            }
            frames++;
            out.putInt(length, RANDOM.nextInt(30) == 0 ? RANDOM.nextInt() : message.length);
            out.put(length + 4, message);
            length += 4 + message.length;
        }
        if (RANDOM.nextInt(30) == 0) {
            length = RANDOM.nextBoolean() ? RANDOM.nextInt(CAPACITY) : Integer.MAX_VALUE;
        }
        return length | (long) RANDOM.nextInt(4) << BLOBS_SHIFT | replaced;
    }

    static long exchange(ProcessLink link, int length) {
        for (int left = RANDOM.nextInt(3); left > 0; left--) {
            calls++;
            if (call(link.handle, link.say(CALLS)) >= 0 && RANDOM.nextBoolean()) {
                fill(link.handle, new byte[64], RANDOM.nextInt(8), RANDOM.nextInt(56));
            }
        }
        return RANDOM.nextInt(40) == 0 ? -1 : link.say(REPLIES);
    }

    static long blobBytes(ProcessLink link) {
        return RANDOM.nextInt(8) == 0 ? -1 : LENGTHS[RANDOM.nextInt(LENGTHS.length)];
    }

    static Object takeBlob(ProcessLink link) {
        // As long as any that was said: a pointer into an array and its length are JNI's to check, and it does not.
        return new byte[LENGTHS[LENGTHS.length - 1]];
    }

    static void drop(ProcessLink link) {
        // Nothing is kept.
    }

    private static native int call(long handle, long sent);

    private static native boolean fill(long handle, byte[] into, int from, int length);
}
