package io.samewire.bridge.transport;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.bridge.wire.Rows;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Messages as frames of a byte stream. Received messages are read in place, and a message is sent in one write. The
 * array grows as bytes arrive, never for a declared length alone.
 */
public final class Frames implements Link {
    private static final int FIRST = 8 << 10;
    /** A larger array is released with its message. */
    private static final int MAX_IDLE = 1 << 20;
    private static final int PIECE_HEAD = Output.HEAD + 1;
    /** Large values other than bytes are converted and written in steps of so many bytes. */
    private static final int STEP = 64 << 10;

    private final Transport transport;
    private int mostBytes;
    /** The bytes read and not yet taken are {@code buffer[from, to)}. */
    private byte[] buffer = new byte[FIRST];
    private int from;
    private int to;
    /** Bytes of the current {@code blob} message that were not read yet. */
    private int pieceLeft;
    private final byte[] pieceHead = new byte[PIECE_HEAD];

    /** Creates a link over a transport, with messages of at most so many bytes. */
    public Frames(Transport transport, int mostBytes) {
        this.transport = transport;
        this.mostBytes = mostBytes;
    }

    /** Sets the most bytes of a message from now on. */
    public void mostBytes(int bytes) {
        mostBytes = bytes;
    }

    /** Returns the most bytes of a message. */
    public int mostBytes() {
        return mostBytes;
    }

    @Override
    public boolean receive(Input into) {
        if (pieceLeft > 0) {
            throw new SamewireException(Code.MALFORMED, 0, null, "more bytes came than the large values have");
        }
        if (from == to) {
            from = 0;
            to = 0;
            if (buffer.length > MAX_IDLE) {
                buffer = new byte[FIRST];
            }
        }
        while (to - from < Output.HEAD) {
            if (!fill(Output.HEAD)) {
                return false;
            }
        }
        int length = length(buffer, from);
        try {
            while (to - from < Output.HEAD + length) {
                fill(Output.HEAD + length);
            }
        } catch (OutOfMemoryError full) {
            throw passedOver(length, full);
        }
        int begin = from + Output.HEAD;
        from = begin + length;
        into.reset(buffer, begin, from, this);
        return true;
    }

    /** Skips the rest of a message, using the existing array. */
    private PassedOver passedOver(int length, OutOfMemoryError full) {
        int message = -1;
        int at = from + Output.HEAD;
        int left = length;
        while (left > 0) {
            if (at == to) {
                at = 0;
                from = 0;
                to = Math.max(0, readSome(buffer, 0, buffer.length));
                if (to == 0) {
                    throw closed("the peer is gone in the midst of a message", null);
                }
            }
            message = message < 0 ? buffer[at] & 0xff : message;
            int count = Math.min(left, to - at);
            at += count;
            left -= count;
        }
        from = at;
        return new PassedOver(message, length, full);
    }

    private static int word(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16 | bytes[at + 3] << 24;
    }

    private int length(byte[] bytes, int at) {
        int length = word(bytes, at);
        if (length == 0) {
            throw new SamewireException(Code.MALFORMED, 0, null, "a frame without a message");
        }
        if (length < 0 || length > mostBytes) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, null, "a message of " + Integer.toUnsignedString(length)
                + " bytes, " + mostBytes + " are allowed: send less at once, or raise limits.frame_bytes on both sides"
                + " (that of the first message is fixed)");
        }
        return length;
    }

    /** Reads more bytes, if possible until {@code wanted} are available. Returns false at the end of the stream. */
    private boolean fill(int wanted) {
        if (wanted > buffer.length - from) {
            makeRoom(wanted);
        }
        int count = readSome(buffer, to, buffer.length - to);
        if (count < 0) {
            if (to == from) {
                return false;
            }
            throw closed("the peer is gone in the midst of a message", null);
        }
        to += count;
        return true;
    }

    private void makeRoom(int wanted) {
        int held = to - from;
        boolean full = held == buffer.length;
        byte[] room = full ? new byte[(int) Math.min(wanted, 2L * buffer.length)] : buffer;
        if (!full && from == 0) {
            return;
        }
        System.arraycopy(buffer, from, room, 0, held);
        buffer = room;
        from = 0;
        to = held;
    }

    private int readSome(byte[] into, int at, int length) {
        try {
            return transport.read(into, at, length);
        } catch (IOException error) {
            throw closed("the connection failed", error);
        }
    }

    private static SamewireException closed(String text, IOException cause) {
        return new SamewireException(Code.CLOSED, -1, null, text, cause);
    }

    @Override
    public void read(byte[] into, int at, int length) {
        int done = 0;
        while (done < length) {
            if (pieceLeft == 0) {
                beginPiece();
            }
            int count = readAhead(into, at + done, Math.min(length - done, pieceLeft));
            done += count;
            pieceLeft -= count;
        }
    }

    private void beginPiece() {
        for (int done = 0; done < PIECE_HEAD; ) {
            done += readAhead(pieceHead, done, PIECE_HEAD - done);
        }
        // A piece has a bound of its own, independent of the limit of other messages.
        int length = word(pieceHead, 0);
        if (pieceHead[Output.HEAD] != Messages.BLOB || length < 2 || length > Messages.BLOB_PIECE + 1) {
            throw new SamewireException(Code.MALFORMED, 0, null, "a large value is awaited in messages of at most "
                + Messages.BLOB_PIECE + " bytes, another message came");
        }
        pieceLeft = length - 1;
    }

    /** Reads at least a byte, first from the array, which is not compacted. */
    private int readAhead(byte[] into, int at, int most) {
        int ready = Math.min(to - from, most);
        if (ready > 0) {
            System.arraycopy(buffer, from, into, at, ready);
            from += ready;
            return ready;
        }
        int count = readSome(into, at, most);
        if (count < 0) {
            throw closed("the peer is gone in the midst of a large value", null);
        }
        return count;
    }

    @Override
    public void send(Output frames) {
        try {
            transport.write(frames.array(), 0, frames.length());
            for (int i = 0; i < frames.blobCount(); i++) {
                sendLarge(frames.blob(i));
            }
        } catch (IOException error) {
            throw closed("the connection failed", error);
        }
    }

    private void sendLarge(Object value) throws IOException {
        int width = Rows.width(value);
        int n = Rows.length(value);
        int perPiece = Messages.BLOB_PIECE / width;
        byte[] step = value instanceof byte[] ? null : new byte[STEP];
        byte[] head = new byte[PIECE_HEAD];
        ByteBuffer headView = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        head[Output.HEAD] = Messages.BLOB;
        for (int done = 0; done < n; ) {
            int count = Math.min(n - done, perPiece);
            headView.putInt(0, count * width + 1);
            transport.write(head, 0, PIECE_HEAD);
            if (step == null) {
                transport.write((byte[]) value, done, count);
            } else {
                writeSteps(value, done, count, width, step);
            }
            done += count;
        }
    }

    private void writeSteps(Object value, int first, int count, int width, byte[] step) throws IOException {
        ByteBuffer view = ByteBuffer.wrap(step).order(ByteOrder.LITTLE_ENDIAN);
        int most = step.length / width;
        for (int done = 0; done < count; ) {
            int now = Math.min(count - done, most);
            Rows.put(value, first + done, now, view);
            transport.write(step, 0, now * width);
            done += now;
        }
    }

    @Override
    public void steady() {
        try {
            transport.steady();
        } catch (IOException error) {
            throw new SamewireException(Code.CLOSED, -1, null, "the connection cannot be kept from interrupts: "
                + error.getMessage(), error);
        }
    }

    @Override
    public void close() {
        transport.close();
    }

    @Override
    public void free() {
        transport.free();
    }
}
