package io.samewire.redis.command;

import java.nio.charset.StandardCharsets;

/** The slot of a key in a cluster: CRC16 of the key, or of its hash tag if it has one, modulo 16,384. */
public final class KeySlot {
    /** How many slots a cluster has. */
    public static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021; // CRC-16/XMODEM
    private static final short[] TABLE = table();

    private KeySlot() { }

    /** Returns the slot of a key, 0 to 16,383. */
    public static int of(CharSequence key) {
        return of(key instanceof Bytes bytes ? bytes.array() : key.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the slot of a key, 0 to 16,383. */
    public static int of(byte[] key) {
        int from = 0;
        int to = key.length;
        int open = indexOf(key, '{', 0);
        if (open >= 0) {
            int close = indexOf(key, '}', open + 1);
            // An empty tag is none: the whole key counts.
            if (close > open + 1) {
                from = open + 1;
                to = close;
            }
        }
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = (crc << 8) ^ (TABLE[((crc >>> 8) ^ key[i]) & 0xFF] & 0xFFFF);
        }
        return crc & (COUNT - 1);
    }

    private static int indexOf(byte[] key, char wanted, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static short[] table() {
        short[] table = new short[256];
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc << 1) ^ ((crc & 0x8000) == 0 ? 0 : POLYNOMIAL);
            }
            table[i] = (short) crc;
        }
        return table;
    }
}
