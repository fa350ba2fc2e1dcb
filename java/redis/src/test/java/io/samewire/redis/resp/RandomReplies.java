package io.samewire.redis.resp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Makes replies at random in all forms that the protocol has, and damages them. */
final class RandomReplies {
    private static final int DEEPEST = 4;
    private static final int MOST_ELEMENTS = 5;
    private static final byte[] ALPHABET = bytes("$*:+-,(#_%~>|=!?;.019tf\r\n");
    private static final String[] NUMBERS = {"0", "-1", "1", "?", "2147483647", "9223372036854775807", "-0", "01", "+3",
        "99999999999999999999", "-9223372036854775808"};
    private static final String[] LEAVES = {"_\r\n", "$-1\r\n", "*-1\r\n", "#t\r\n", "#f\r\n", ",inf\r\n", ",-inf\r\n",
        ",nan\r\n", ",1e300\r\n", ",.5\r\n", ":+7\r\n", "$?\r\n;0\r\n", "!0\r\n\r\n", "=4\r\ntxt:\r\n"};

    private final SplittableRandom random;

    RandomReplies(long seed) {
        random = new SplittableRandom(seed);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns a reply; it is never a push inside another element. */
    byte[] reply() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextInt(12) == 0) {
            aggregate(out, '>', 1, 1);
        } else {
            element(out, 0);
        }
        return out.toByteArray();
    }

    private void element(ByteArrayOutputStream out, int depth) {
        if (random.nextInt(8) == 0) {
            aggregate(out, '|', 2, depth + 1);
        }
        int kind = random.nextInt(depth < DEEPEST ? 14 : 10);
        switch (kind) {
            case 0 -> line(out, ":" + random.nextLong() / (1L << random.nextInt(64)));
            case 1 -> line(out, "," + random.nextDouble(-1e9, 1e9));
            case 2 -> line(out, "(" + "123456789".repeat(random.nextInt(1, 5)));
            case 3 -> line(out, "+" + text(12));
            case 4 -> line(out, "-ERR " + text(12));
            case 5 -> out.writeBytes(bytes(LEAVES[random.nextInt(LEAVES.length)]));
            case 6, 7 -> blob(out, '$', raw(random.nextInt(120)));
            case 8 -> blob(out, random.nextBoolean() ? '!' : '$', raw(random.nextInt(12)));
            case 9 -> streamed(out);
            case 10 -> aggregate(out, '%', 2, depth + 1);
            case 11 -> aggregate(out, '~', 1, depth + 1);
            default -> aggregate(out, '*', 1, depth + 1);
        }
    }

    private void streamed(ByteArrayOutputStream out) {
        line(out, "$?");
        for (int i = random.nextInt(4); i > 0; i--) {
            blob(out, ';', raw(random.nextInt(1, 9)));
        }
        line(out, ";0");
    }

    private void aggregate(ByteArrayOutputStream out, char type, int arity, int depth) {
        int entries = random.nextInt(MOST_ELEMENTS);
        boolean counted = random.nextInt(4) > 0;
        line(out, type + (counted ? Integer.toString(entries) : "?"));
        for (int i = 0; i < entries * arity; i++) {
            element(out, depth);
        }
        if (!counted) {
            line(out, ".");
        }
    }

    private static void line(ByteArrayOutputStream out, String text) {
        out.writeBytes(bytes(text + "\r\n"));
    }

    private static void blob(ByteArrayOutputStream out, char type, byte[] text) {
        line(out, type + Integer.toString(text.length));
        out.writeBytes(text);
        line(out, "");
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            text.append((char) random.nextInt(' ', 0x7f));
        }
        return text.toString();
    }

    private byte[] raw(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns several replies behind one another. */
    byte[] replies(int most) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(1, most + 1); i > 0; i--) {
            out.writeBytes(reply());
        }
        return out.toByteArray();
    }

    /** Returns bytes of the protocol's own letters, in no order. */
    byte[] anything(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = ALPHABET[random.nextInt(ALPHABET.length)];
        }
        return bytes;
    }

    /** Returns a stream with one place changed: a byte, a number, a part left out, said twice or cut off. */
    byte[] damaged(byte[] stream) {
        int at = random.nextInt(stream.length + 1);
        int length = Math.min(random.nextInt(1, 9), stream.length - at);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(stream, 0, at);
        switch (random.nextInt(6)) {
            case 0 -> out.write(ALPHABET[random.nextInt(ALPHABET.length)]);
            case 1 -> {
                out.write(random.nextInt(256));
                length = Math.min(length, 1);
            }
            case 2 -> out.write(stream, at, length);
            case 3 -> {
                out.writeBytes(bytes(NUMBERS[random.nextInt(NUMBERS.length)]));
                length = Math.min(length, 1);
            }
            case 4 -> {
                return out.toByteArray();
            }
            default -> length += 0;
        }
        int rest = random.nextInt(3) == 0 ? at : at + length;
        out.write(stream, rest, stream.length - rest);
        return out.toByteArray();
    }

    boolean chance(int of) {
        return random.nextInt(of) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }
}
