package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.zip.CRC32;

/**
 * A block whose checksum is right, and the bytes of such.
 *
 * @param kind its kind
 * @param start where it starts, in bytes from the start of the file
 * @param bodyAt where its body starts
 * @param end where it ends
 * @param body its body; the array is the block's own
 */
record Block(BlockKind kind, long start, long bodyAt, long end, byte[] body) {
    static final byte VERSION = 1;
    static final byte[] MAGIC = {(byte) 0x89, 'S', 'W', 'R', '\r', '\n', 0x1a, VERSION};
    static final int CHECKSUM_BYTES = 4;
    static final int MOST_NUMBER_BYTES = 5;

    /** Returns the error of a body that breaks its rules. */
    SamewireException malformed(String text) {
        return new SamewireException(Code.MALFORMED, bodyAt, null, text);
    }

    /**
     * Returns whether a block of this kind and size can have a body that starts with these bytes. Where one cannot, its
     * size was damaged: an unfinished block is the beginning of a whole one. Compressed data say nothing.
     */
    static boolean canBegin(BlockKind kind, int size, byte[] bytes, int from, int to) {
        Beginning body = new Beginning(bytes, from, (int) Math.min(to, (long) from + size));
        try {
            return switch (kind) {
                case RECORDS -> body.framesFill(size);
                case INDEX -> body.indexFills(size);
                case SCHEMA, ZSTD -> true;
            };
        } catch (Beginning.EndException end) {
            return true;
        }
    }

    /** Returns the checksum of a block's kind, size and body. */
    static int checksum(byte[] bytes, int from, int to) {
        CRC32 sum = new CRC32();
        sum.update(bytes, from, to - from);
        return (int) sum.getValue();
    }

    /**
     * Returns a whole block.
     *
     * @param numbers the numbers that its body starts with
     * @param rest an array whose first {@code length} bytes are the rest of its body
     */
    static byte[] bytes(BlockKind kind, Numbers.Writer numbers, byte[] rest, int length) {
        int size = Math.addExact(numbers.length(), length);
        Numbers.Writer head = new Numbers.Writer().raw(kind.code()).number(size);
        int body = Math.addExact(head.length() + numbers.length(), length);
        byte[] block = new byte[Math.addExact(body, CHECKSUM_BYTES)];
        head.copyTo(block, 0);
        numbers.copyTo(block, head.length());
        System.arraycopy(rest, 0, block, body - length, length);
        int sum = checksum(block, 0, body);
        for (int i = 0; i < CHECKSUM_BYTES; i++) {
            block[body + i] = (byte) (sum >>> 8 * i);
        }
        return block;
    }
}
