package io.samewire.bridge.process;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.transport.PassedOver;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.bridge.wire.Rows;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A call channel between the two languages of one process. The client writes its frames into {@code in} and calls
 * {@link
 * #exchange} on its own thread, which runs the call and returns with the reply in {@code out}. A nested call of the
 * client is a native call in the other direction. Large values do not use the buffers: each side copies them out of the
 * other's memory.
 *
 * <p>One thread uses a link at a time; calls that the client makes during a callback use another link.
 */
public final class ProcessLink implements Link {
    private static final String SCHEME = "process:";
    private static final int FIRST = 64 << 10;
    /** A larger buffer is freed after its message. */
    private static final int MAX_IDLE = 1 << 20;
    private static final int BLOBS_SHIFT = 32;
    private static final long REPLACED = 1L << 62;
    /** Links that were opened and not yet taken by the client. */
    private static final Map<String, ProcessLink> WELCOMED = new ConcurrentHashMap<>();

    private static volatile boolean embedded;

    private final Session session;
    /** The accepted offer. */
    private final String ring;
    /** The connection that both sides keep open as long as the channel. */
    private final Transport opened;
    private Channel channel;
    /** The client's handle of its side; 0 until it has taken the link. */
    private long handle;
    /** The client's unread frames are {@code in[from, to)}. */
    private ByteBuffer in = direct(FIRST);
    private int from;
    private int to;
    private ByteBuffer out = direct(FIRST);
    private int outLength;
    private boolean outReplaced;
    /** The message that is being read. */
    private byte[] message = new byte[FIRST];
    /** Large values that follow the last sent message, from {@code blob} on. */
    private Object[] blobs = new Object[2];
    private int blob;
    private int blobCount;
    /** Whether the last sent message is a call, so that the client must serve it. */
    private boolean calling;
    private volatile boolean closed;

    private ProcessLink(Session session, String ring, Transport opened) {
        this.session = session;
        this.ring = ring;
        this.opened = opened;
    }

    private static ByteBuffer direct(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Declares that this JVM is in the process of its only client. */
    static void embed() {
        embedded = true;
    }

    /** Returns whether a hello offers this kind of channel, and this gateway takes it. */
    public static boolean isOffered(String ring) {
        return embedded && ring != null && ring.startsWith(SCHEME);
    }

    /**
     * Makes the channel of a hello that offers one.
     *
     * @param opened the connection on which the hello came
     */
    public static Channel open(Session session, String ring, Transport opened) {
        ProcessLink link = new ProcessLink(session, ring, opened);
        link.channel = session.newChannel(link);
        WELCOMED.put(ring, link);
        return link.channel;
    }

    /** Returns an opened link to the client, or null. */
    static ProcessLink take(String ring, long handle) {
        ProcessLink link = WELCOMED.remove(ring);
        if (link != null) {
            link.handle = handle;
        }
        return link;
    }

    /** Returns the buffer for the client's frames. */
    static ByteBuffer in(ProcessLink link) {
        return link.in;
    }

    /** Returns the buffer with this side's frames. */
    static ByteBuffer out(ProcessLink link) {
        return link.out;
    }

    /** Replaces the buffer for the client's frames by one of another size, and copies as much as fits. */
    static ByteBuffer resize(ProcessLink link, int capacity) {
        ByteBuffer other = direct(capacity);
        other.put(0, link.in, 0, Math.min(capacity, link.in.capacity()));
        link.in = other;
        return other;
    }

    /**
     * Runs the client's frames in {@code in}.
     *
     * @param length the number of bytes; {@code ~length} if the call begins with an interrupt that came before it
     * @return the number of bytes in {@code out}; in higher bits the number of large values that follow, and whether
     * {@code
     *     out} was replaced; -1 if the channel has ended
     */
    static long exchange(ProcessLink link, int length) {
        try {
            if (length < 0) {
                link.channel.interruptNext();
            }
            return link.run(length < 0 ? ~length : length);
        } catch (Throwable error) {
            // The exception must not reach the client's thread: the native code does not check for exceptions here.
            link.closed = true;
            return -1;
        }
    }

    private long run(int length) {
        if (closed) {
            return -1;
        }
        from = 0;
        to = length;
        forget();
        return session.run(channel) && !closed ? sent() : -1;
    }

    private void forget() {
        outLength = 0;
        while (blobCount > 0) {
            blobs[--blobCount] = null;
        }
        blob = 0;
        if (out.capacity() > MAX_IDLE) {
            out = direct(FIRST);
            outReplaced = true;
        }
    }

    private long sent() {
        long said = outLength | (long) blobCount << BLOBS_SHIFT | (outReplaced ? REPLACED : 0);
        outReplaced = false;
        return said;
    }

    /** Returns the length of the next large value in bytes, or -1 if there is none. */
    static long blobBytes(ProcessLink link) {
        if (link.blob == link.blobCount) {
            return -1;
        }
        Object next = link.blobs[link.blob];
        return (long) Rows.length(next) * Rows.width(next);
    }

    /** Returns the next large value to the client, an array of a primitive type. */
    static Object takeBlob(ProcessLink link) {
        Object next = link.blobs[link.blob];
        link.blobs[link.blob++] = null;
        return next;
    }

    /** Ends a channel that the client no longer needs. */
    static void drop(ProcessLink link) {
        link.session.dropped(link.channel);
    }

    /**
     * Makes the client serve the frames in {@code out}. Returns the number of bytes of its reply in {@code in}, or -1.
     */
    private static native int call(long handle, long sent);

    /** Copies the next bytes of the client's large value. Returns false if there are not enough. */
    private static native boolean fill(long handle, byte[] into, int from, int length);

    @Override
    public boolean receive(Input into) {
        if (from == to) {
            if (!calling) {
                return false;
            }
            calling = false;
            int length = NestedCalls.within(this);
            if (length < 0 || closed) {
                throw ended();
            }
            forget();
            from = 0;
            to = length;
        }
        int length = to - from < Output.HEAD ? 0 : in.getInt(from);
        if (length <= 0 || length > to - from - Output.HEAD || length > session.limits().frameBytes()) {
            throw new SamewireException(Code.MALFORMED, 0, null, "a frame of " + length + " bytes where "
                + (to - from - Output.HEAD) + " were handed over");
        }
        if (length > message.length || message.length > MAX_IDLE && length < FIRST) {
            try {
                message = new byte[Math.max(length, FIRST)];
            } catch (OutOfMemoryError full) {
                int first = in.get(from + Output.HEAD) & 0xff;
                from += Output.HEAD + length;
                throw new PassedOver(first, length, full);
            }
        }
        in.get(from + Output.HEAD, message, 0, length);
        from += Output.HEAD + length;
        into.reset(message, 0, length, this);
        return true;
    }

    @Override
    public void send(Output frames) {
        if (closed) {
            throw ended();
        }
        int length = frames.length();
        if (length > out.capacity() - outLength) {
            ByteBuffer larger = direct(Math.max(outLength + length, (int) Math.min(2L * out.capacity(), 1 << 30)));
            larger.put(0, out, 0, outLength);
            out = larger;
            outReplaced = true;
        }
        out.put(outLength, frames.array(), 0, length);
        outLength += length;
        for (int i = 0; i < frames.blobCount(); i++) {
            if (blobCount == blobs.length) {
                blobs = java.util.Arrays.copyOf(blobs, 2 * blobCount);
            }
            blobs[blobCount++] = frames.blob(i);
        }
        calling = frames.array()[frames.message()] < Messages.NOTHING;
    }

    @Override
    public boolean hasRoom() {
        return NestedCalls.hasRoom();
    }

    /** Lets the client serve its call. */
    int serve() {
        return call(handle, sent());
    }

    @Override
    public void read(byte[] into, int at, int length) {
        if (length > 0 && !fill(handle, into, at, length)) {
            throw new SamewireException(Code.MALFORMED, 0, null, "a large value has fewer bytes than its message says");
        }
    }

    private static SamewireException ended() {
        return new SamewireException(Code.CLOSED, -1, null, "the client has ended the channel");
    }

    @Override
    public void close() {
        closed = true;
        // The client may have been interrupted before it has taken the link.
        WELCOMED.remove(ring, this);
        opened.close();
    }
}
