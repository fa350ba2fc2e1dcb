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
 * A call channel between the two languages of one process. The client puts its frames into {@code in} and calls {@link
 * #exchange}, on a thread of its own, which runs the call and returns when the reply stands in {@code out}. A call of
 * the client in the midst of it is a native call, the other way round. Large values cross in neither buffer: each side
 * copies them out of the other's memory.
 *
 * <p>One thread works on a link at a time; what the client calls while it runs a callback takes another link.
 */
public final class ProcessLink implements Link {
    private static final String SCHEME = "process:";
    private static final int FIRST = 64 << 10;
    /** A larger buffer is let go after its message. */
    private static final int MAX_IDLE = 1 << 20;
    private static final int BLOBS_SHIFT = 32;
    private static final long REPLACED = 1L << 62;
    /** Links that were welcomed, until the client has taken them. */
    private static final Map<String, ProcessLink> WELCOMED = new ConcurrentHashMap<>();

    private static volatile boolean embedded;

    private final Session session;
    /** The offer that it took. */
    private final String ring;
    /** What both sides keep open as long as the channel. */
    private final Transport opened;
    private Channel channel;
    /** By which the client knows its side; 0 until it has taken the link. */
    private long handle;
    /** What the client has sent and this side has not read is {@code in[from, to)}. */
    private ByteBuffer in = direct(FIRST);
    private int from;
    private int to;
    private ByteBuffer out = direct(FIRST);
    private int outLength;
    private boolean outReplaced;
    /** The message that is being read. */
    private byte[] message = new byte[FIRST];
    /** Large values that follow the message sent last, from {@code blob} on. */
    private Object[] blobs = new Object[2];
    private int blob;
    private int blobCount;
    /** Whether what was sent last is a call, so that the next message is awaited of the client. */
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

    /** Says that this JVM lives in the process of its only client. */
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

    /** Gives the client a link that was welcomed, or null. */
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

    /** Replaces the buffer for the client's frames by one of another size, which holds as much of the same as fits. */
    static ByteBuffer resize(ProcessLink link, int capacity) {
        ByteBuffer other = direct(capacity);
        other.put(0, link.in, 0, Math.min(capacity, link.in.capacity()));
        link.in = other;
        return other;
    }

    /**
     * Runs what the client has put into {@code in}.
     *
     * @param length how many bytes; {@code ~length} if the call begins with an interrupt that came before it
     * @return how many bytes stand in {@code out}, and above them how many large values follow, and whether {@code out}
     *     was replaced; -1 if the channel has ended
     */
    static long exchange(ProcessLink link, int length) {
        try {
            if (length < 0) {
                link.channel.interruptNext();
            }
            return link.run(length < 0 ? ~length : length);
        } catch (Throwable error) {
            // The client's thread must not see it: no native code looks for Java's exceptions here.
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

    /** Returns how many bytes the next large value has, or -1 if there is none. */
    static long blobBytes(ProcessLink link) {
        if (link.blob == link.blobCount) {
            return -1;
        }
        Object next = link.blobs[link.blob];
        return (long) Rows.length(next) * Rows.width(next);
    }

    /** Gives the client the next large value, an array of a primitive type. */
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
     * Has the client serve what stands in {@code out}. Returns how many bytes of its reply stand in {@code in}, or -1.
     */
    private static native int call(long handle, long sent);

    /** Copies the next bytes of the large value that the client sent. Returns false if there are not so many. */
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
        // The client may have been interrupted before it took the link.
        WELCOMED.remove(ring, this);
        opened.close();
    }
}
