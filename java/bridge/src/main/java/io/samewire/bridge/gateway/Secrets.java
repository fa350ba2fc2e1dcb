package io.samewire.bridge.gateway;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.security.SecureRandom;

/** Tokens and names of sessions: random bytes, compared in constant time. */
public final class Secrets {
    private static final File SOURCE = new File("/dev/urandom");

    private Secrets() {}

    /** Returns so many random bytes. */
    public static byte[] random(int length) {
        byte[] bytes = new byte[length];
        // The kernel's generator, if possible: loading the JDK's takes longer than starting the gateway.
        try (DataInputStream source = new DataInputStream(new FileInputStream(SOURCE))) {
            source.readFully(bytes);
        } catch (IOException absent) {
            new SecureRandom().nextBytes(bytes);
        }
        return bytes;
    }

    /** Compares in a time that depends only on the length of the received bytes. */
    static boolean equal(byte[] came, byte[] expected) {
        int differences = came.length ^ expected.length;
        for (int i = 0; i < came.length; i++) {
            differences |= came[i] ^ expected[i % expected.length];
        }
        return differences == 0;
    }

    /** Returns the bytes of hexadecimal digits, or null if the text is not hexadecimal. */
    public static byte[] fromHex(String text) {
        if (text.length() % 2 != 0) {
            return null;
        }
        byte[] bytes = new byte[text.length() / 2];
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return null;
            }
            bytes[i / 2] |= (byte) (digit << (i % 2 == 0 ? 4 : 0));
        }
        return bytes;
    }

    /** Returns hexadecimal digits of bytes. */
    static String toHex(byte[] bytes) {
        StringBuilder text = new StringBuilder(2 * bytes.length);
        for (byte one : bytes) {
            text.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
        }
        return text.toString();
    }
}
