package io.samewire.pack.records;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What is known of a file that can be sought without reading its records: by its index, else by walking over its
 * blocks.
 */
final class FileWalk {
    /** Files are read in pieces of this size, so that a short file takes one read. */
    static final int PIECE_BYTES = 65_536;
    /** An index ends with the offset of its block; the checksum follows. */
    private static final int INDEX_TAIL_BYTES = Long.BYTES + Block.CHECKSUM_BYTES;

    private final SeekableByteChannel channel;
    private final Limits limits;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    private Schema schema;
    /** Where the schema's block ends. */
    private long first;
    private Places places = new Places();
    private long end;
    private boolean indexed;

    /** Creates a walk that has not started: {@link #update()} makes it. */
    FileWalk(SeekableByteChannel channel, Limits limits) {
        this.channel = channel;
        this.limits = limits;
    }

    /** Returns the schema of the file, or null if not even its block is whole. */
    Schema schema() {
        return schema;
    }

    /** Returns where the blocks of records are. */
    Places places() {
        return places;
    }

    /** Returns where the last whole block ends, in bytes. */
    long end() {
        return end;
    }

    /** Returns whether an index ends there. */
    boolean indexed() {
        return indexed;
    }

    /**
     * Walks over what is new in the file since the last time. Whole blocks are never written again, so what is known of
     * them stays true; a file that is shorter than its whole blocks were is another file, and walked over from its
     * start. Moves the channel's position.
     *
     * @throws SamewireException as {@link BlockScanner} and {@link RecordReader}, but not {@code truncated}: an
     *     unfinished block is left out
     */
    void update() throws IOException {
        long size = channel.size();
        if (schema == null || size < end) {
            schema = null;
            places = new Places();
            end = 0;
            indexed = false;
            Block head = blockAt(0, size);
            if (head == null) {
                return;
            }
            schema = schemaOf(head);
            end = head.end();
            first = end;
        }
        Block index = size > end ? lastIndex(size) : null;
        if (index != null) {
            places = Places.of(index, first);
            end = index.end();
            indexed = true;
            return;
        }
        for (Block block = blockAt(end, size); block != null; block = blockAt(end, size)) {
            indexed = block.kind() == BlockKind.INDEX;
            if (!indexed) {
                places.add(block.start(), RecordBlock.count(block));
            }
            end = block.end();
        }
    }

    /**
     * Returns the schema of the first block.
     *
     * @throws SamewireException at its body for text that is not a schema, or not canonical
     */
    static Schema schemaOf(Block block) {
        String text;
        Schema schema;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(block.body())).toString();
            schema = Schema.parse(text);
        } catch (CharacterCodingException wrong) {
            throw new SamewireException(Code.BAD_UTF8, block.bodyAt(), null, "the schema's text is not valid UTF-8",
                wrong);
        } catch (SamewireException error) {
            throw new SamewireException(error.code(), block.bodyAt(), null, "the schema: " + error.getMessage(),
                error);
        }
        if (!schema.text().equals(text)) {
            throw block.malformed("the schema's text is not canonical");
        }
        return schema;
    }

    /** Reads the block at an offset; null if the file ends before it does. */
    private Block blockAt(long start, long size) throws IOException {
        channel.position(start);
        BlockScanner scanner = new BlockScanner(limits, start);
        long left = size - start;
        for (Block block = scanner.next(); ; block = scanner.next()) {
            if (block != null) {
                return block;
            } else if (!read(left)) {
                scanner.checkUnfinished();
                return null;
            }
            left -= piece.remaining();
            scanner.feed(piece);
        }
    }

    /** Reads the next piece, of at most {@code most} bytes; false at the end of the file. */
    private boolean read(long most) throws IOException {
        piece.clear().limit((int) Math.min(PIECE_BYTES, most));
        int read = piece.hasRemaining() ? channel.read(piece) : -1;
        piece.flip();
        return read > 0;
    }

    /** Returns the index at the end of the file, or null if there is none: another block may end in any bytes. */
    private Block lastIndex(long size) throws IOException {
        if (size < end + INDEX_TAIL_BYTES) {
            return null;
        }
        channel.position(size - INDEX_TAIL_BYTES);
        byte[] tail = new byte[Long.BYTES];
        for (int at = 0; at < tail.length; at += piece.limit()) {
            if (!read(tail.length - at)) {
                return null;
            }
            piece.get(tail, at, piece.limit());
        }
        long start = Places.fixed(tail, 0);
        if (start < end || start >= size - INDEX_TAIL_BYTES || !isIndex(start)) {
            return null;
        }
        try {
            Block block = blockAt(start, size);
            if (block == null || block.kind() != BlockKind.INDEX || block.end() != size) {
                return null;
            }
            Places.of(block, first);
            return block;
        } catch (SamewireException other) {
            return null;
        }
    }

    private boolean isIndex(long start) throws IOException {
        channel.position(start);
        return read(1) && piece.get(0) == BlockKind.INDEX.code();
    }
}
