package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Cuts a record file, fed in chunks of any size, into blocks whose checksum is right, without I/O. Holds at most one
 * unfinished block and a chunk. After an error every call throws the same error again.
 */
final class BlockScanner {
    private static final int INITIAL_CAPACITY = 1024;
    /** A body and what is around it fit into an array with room for a chunk. */
    private static final int MOST_BODY = Integer.MAX_VALUE - (1 << 20);

    private final int mostBody;
    private final int bufferedBytes;
    /** The bytes fed and not yet returned are {@code buffer[from, to)}. */
    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int from;
    private int to;
    /** Offset in the file of {@code buffer[from]}. */
    private long at;
    private SamewireException failure;

    /**
     * Creates a scanner.
     *
     * @param at where in the file the first byte fed stands: 0, or where a block starts
     */
    BlockScanner(Limits limits, long at) {
        this.bufferedBytes = limits.bufferedBytes();
        this.mostBody = Math.min(bufferedBytes, MOST_BODY);
        this.at = at;
    }

    /** Returns where the next block starts, in bytes from the start of the file. */
    long at() {
        return at;
    }

    /** Appends the next bytes of the file. They are copied. */
    void feed(ByteBuffer chunk) {
        int held = to - from;
        int more = chunk.remaining();
        if (to + more > buffer.length) {
            int capacity = Math.max(held + more, Math.min(2 * held, MOST_BODY));
            byte[] target = capacity > buffer.length ? new byte[capacity] : buffer;
            System.arraycopy(buffer, from, target, 0, held);
            buffer = target;
            from = 0;
            to = held;
        }
        chunk.get(buffer, to, more);
        to += more;
    }

    /**
     * Returns the next block, or null if more bytes are needed.
     *
     * @throws SamewireException {@code malformed}, {@code unsupported}, {@code bad_number} or {@code limit_size}, with
     *     the offset in the file
     */
    Block next() {
        if (failure != null) {
            throw failure;
        }
        return at > 0 || takeMagic() ? take() : null;
    }

    /**
     * Declares the end of the file.
     *
     * @throws SamewireException {@code truncated} inside a block; as {@link #checkUnfinished()}
     */
    void end() {
        checkUnfinished();
        if (from < to || at <= Block.MAGIC.length) {
            String what = at > Block.MAGIC.length ? "its last block" : "its schema";
            throw fail(Code.TRUNCATED, at + to - from, "the file ends within " + what
                + ": it was cut off, or its writer is still at work (growing waits for it)");
        }
    }

    /** Returns whether a part of the next block is held. */
    boolean inside() {
        return from < to;
    }

    /**
     * Checks that what is held can be the beginning of a block, at the end of a file that may grow. One wrong bit in a
     * size makes all blocks behind it look like one that is unfinished.
     *
     * @throws SamewireException {@code malformed} at a size that is damaged
     */
    void checkUnfinished() {
        if (failure != null) {
            throw failure;
        }
        BlockKind kind = at > 0 && inside() ? BlockKind.of(buffer[from]) : null;
        int sizeBytes = kind == null ? 0 : sizeBytes();
        if (sizeBytes == 0) {
            return;
        }
        int size = (int) size(sizeBytes);
        if (!Block.canBegin(kind, size, buffer, from + 1 + sizeBytes, to)) {
            throw fail(Code.MALFORMED, at + 1, "a block of " + size + " bytes that are not in the file, and what is "
                + "there cannot begin such a block: its size is damaged");
        }
    }

    private boolean takeMagic() {
        int length = Math.min(Block.MAGIC.length, to - from);
        for (int i = 0; i < length; i++) {
            byte found = buffer[from + i];
            if (found == Block.MAGIC[i]) {
                continue;
            } else if (i == Block.MAGIC.length - 1) {
                throw fail(Code.UNSUPPORTED, i, "a record file of version " + (found & 0xff)
                    + "; this library reads version " + Block.VERSION + ": update it");
            }
            throw fail(Code.MALFORMED, i, notAFile(Arrays.copyOfRange(buffer, from, from + length)));
        }
        if (length < Block.MAGIC.length) {
            return false;
        }
        from += length;
        at = length;
        return true;
    }

    private static String notAFile(byte[] start) {
        String shown = HexFormat.ofDelimiter(" ").formatHex(start);
        if (start[0] == Block.MAGIC[0]) {
            return "expected a record file; its line ends were changed: copy it as binary";
        } else if (start[0] == '{' || start[0] == '[') {
            return "expected a record file, this looks like JSON: " + shown;
        } else if ((start[0] & 0x80) != 0) {
            return "expected a record file, this may be a single message: " + shown;
        }
        return "expected a record file, it starts with " + shown;
    }

    private Block take() {
        if (from == to) {
            return null;
        }
        BlockKind kind = BlockKind.of(buffer[from]);
        if (kind == null) {
            throw fail(Code.UNSUPPORTED, at, buffer[from] == 0
                ? "zeros where a block starts, as a power cut leaves them behind the last block that reached the disk: "
                    + "cut the file to " + at + " bytes to go on"
                : "a block of kind " + (buffer[from] & 0xff) + ": a newer version wrote this file");
        } else if ((kind == BlockKind.SCHEMA) != (at == Block.MAGIC.length)) {
            throw fail(Code.MALFORMED, at, "expected the schema as the first block, and nowhere else");
        }
        int sizeBytes = sizeBytes();
        if (sizeBytes == 0) {
            return null;
        }
        long size = size(sizeBytes);
        if (size > mostBody) {
            throw fail(Code.LIMIT_SIZE, at + 1, "a block of " + size + " bytes, limits.bufferedBytes is "
                + bufferedBytes);
        }
        int head = 1 + sizeBytes;
        if (to - from - head - Block.CHECKSUM_BYTES < size) {
            return null;
        }
        int bodyEnd = from + head + (int) size;
        int wanted = 0;
        for (int i = 0; i < Block.CHECKSUM_BYTES; i++) {
            wanted |= (buffer[bodyEnd + i] & 0xff) << 8 * i;
        }
        if (Block.checksum(buffer, from, bodyEnd) != wanted) {
            throw fail(Code.MALFORMED, at + bodyEnd - from, wanted == 0
                ? "the checksum is zero: the power may have failed before the block had reached the disk"
                : "the checksum differs: bytes were changed");
        }
        byte[] body = Arrays.copyOfRange(buffer, from + head, bodyEnd);
        long start = at;
        at += head + size + Block.CHECKSUM_BYTES;
        from = bodyEnd + Block.CHECKSUM_BYTES;
        return new Block(kind, start, start + head, at, body);
    }

    /** Returns how many bytes the size at {@code from + 1} has, or 0 if it is not whole. */
    private int sizeBytes() {
        for (int i = 1; i <= Block.MOST_NUMBER_BYTES; i++) {
            if (from + i == to) {
                return 0;
            } else if (buffer[from + i] >= 0) {
                return i;
            }
        }
        throw badSize();
    }

    private long size(int sizeBytes) {
        long size = 0;
        for (int i = 0; i < sizeBytes; i++) {
            size |= (long) (buffer[from + 1 + i] & 0x7f) << 7 * i;
        }
        if (size > Integer.MAX_VALUE || sizeBytes > 1 && buffer[from + sizeBytes] == 0) {
            throw badSize();
        }
        return size;
    }

    private SamewireException badSize() {
        return fail(Code.BAD_NUMBER, at + 1, "expected a number below 2^31 in its shortest form");
    }

    private SamewireException fail(Code code, long where, String text) {
        failure = new SamewireException(code, where, null, text);
        return failure;
    }
}
