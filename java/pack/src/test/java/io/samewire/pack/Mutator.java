package io.samewire.pack;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Small wrongs: flipped bits, nasty bytes and numbers, pieces cut, doubled, moved or taken from elsewhere. */
final class Mutator {
    private static final int[] NASTY =
        {0x00, 0x01, 0x0f, 0x10, 0x41, 0x5f, 0x60, 0x61, 0x62, 0x70, 0x71, 0x7e, 0x7f, 0x80, 0x81, 0xdf, 0xe0, 0xff};
    private static final String SCHEMA_BYTES = "<>{},: \"\\_aiou8364structenumlist";

    private final SplittableRandom random;

    Mutator(SplittableRandom random) {
        this.random = random;
    }

    byte[] mutated(byte[] message, byte[] other) {
        byte[] bytes = message.clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            bytes = once(bytes, other);
        }
        return bytes;
    }

    private byte[] once(byte[] bytes, byte[] other) {
        int at = random.nextInt(bytes.length + 1);
        int rest = bytes.length - at;
        int length = rest == 0 ? 0 : random.nextInt(Math.min(rest, 16) + 1);
        switch (random.nextInt(8)) {
            case 0 -> {
                if (rest > 0) {
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                }
                return bytes;
            }
            case 1 -> {
                if (rest > 0) {
                    bytes[at] = (byte) NASTY[random.nextInt(NASTY.length)];
                }
                return bytes;
            }
            case 2 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 3 -> {
                return spliced(bytes, at, at + length, new byte[0]);
            }
            case 4 -> {
                return spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, at + length));
            }
            case 5 -> {
                byte[] number = varint(random.nextLong() >>> random.nextInt(64));
                return spliced(bytes, at, Math.min(at + random.nextInt(3), bytes.length), number);
            }
            case 6 -> {
                int from = random.nextInt(other.length + 1);
                return spliced(bytes, at, at + length,
                    Arrays.copyOfRange(other, from, Math.min(other.length, from + 24)));
            }
            default -> {
                byte[] made = new byte[random.nextInt(12)];
                random.nextBytes(made);
                return spliced(bytes, at, at + length, made);
            }
        }
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] between) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(between);
        out.write(bytes, to, bytes.length - to);
        return out.toByteArray();
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        while (rest >>> 7 != 0) {
            out.write((int) rest | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    String mutated(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            int at = random.nextInt(changed.length() + 1);
            int end = Math.min(changed.length(), at + random.nextInt(6));
            switch (random.nextInt(3)) {
                case 0 -> changed.delete(at, end);
                case 1 -> changed.insert(at, changed.substring(at, end));
                default -> changed.insert(at, SCHEMA_BYTES.charAt(random.nextInt(SCHEMA_BYTES.length())));
            }
        }
        return changed.toString();
    }
}
