package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;

/**
 * The messages of a block of records: frames of which it is known that they end with the block and are as many as it
 * announces.
 */
final class RecordBlock {
    private static final String NO_NUMBERS = "a block of records without its numbers, or of none";
    private static final String FRAMES = "frames that do not end with their block";

    private final byte[] frames;
    private final Numbers numbers;
    private final int count;
    private int left;
    private int messageAt;

    private RecordBlock(Block block, byte[] frames, int from, int count) {
        this.frames = frames;
        this.numbers = new Numbers(block, FRAMES, frames, from);
        this.count = count;
        this.left = count;
    }

    /**
     * Returns how many records a block announces.
     *
     * @throws SamewireException {@code malformed}
     */
    static int count(Block block) {
        return count(block, new Numbers(block, NO_NUMBERS));
    }

    private static int count(Block block, Numbers numbers) {
        int count = numbers.count();
        if (count == 0) {
            throw block.malformed(NO_NUMBERS);
        }
        return count;
    }

    /**
     * Opens a block.
     *
     * @throws SamewireException {@code malformed} or {@code limit_size} at its body, {@code unsupported} at its start
     *     without zstd
     */
    static RecordBlock open(Block block, Limits limits) {
        Numbers numbers = new Numbers(block, NO_NUMBERS);
        int count = count(block, numbers);
        byte[] frames = block.body();
        int from = numbers.at();
        if (block.kind() == BlockKind.ZSTD) {
            int size = numbers.count();
            frames = expanded(block, numbers.at(), size, limits);
            from = 0;
        }
        Numbers lengths = new Numbers(block, FRAMES, frames, from);
        int found = 0;
        for (; lengths.at() < frames.length; found++) {
            int length = lengths.count();
            if (length == 0) {
                throw block.malformed(FRAMES);
            }
            lengths.skip(length);
        }
        if (found != count) {
            throw block.malformed(found + " records, " + count + " announced");
        }
        return new RecordBlock(block, frames, from, count);
    }

    private static byte[] expanded(Block block, int dataAt, int size, Limits limits) {
        if (size > limits.bufferedBytes()) {
            throw new SamewireException(Code.LIMIT_SIZE, block.bodyAt(), null, "a block that expands to " + size
                + " bytes, limits.bufferedBytes is " + limits.bufferedBytes());
        } else if (!Zstd.found()) {
            throw new SamewireException(Code.UNSUPPORTED, block.start(), null,
                "this block is compressed: reading zstd " + Zstd.MISSING);
        }
        byte[] content = Zstd.expand(block.body(), dataAt, size);
        if (content == null) {
            throw block.malformed("compressed data: not one frame of " + size + " bytes");
        }
        return content;
    }

    /** Returns how many records the block has. */
    int count() {
        return count;
    }

    /** Goes to the next message; false behind the last. */
    boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        int length = numbers.count();
        messageAt = numbers.at();
        numbers.skip(length);
        return true;
    }

    /** Returns whether there is a next message. */
    boolean hasNext() {
        return left > 0;
    }

    /** Returns the array that has the message. */
    byte[] bytes() {
        return frames;
    }

    /** Returns where in it the message starts. */
    int from() {
        return messageAt;
    }

    /** Returns where in it the message ends. */
    int to() {
        return numbers.at();
    }
}
