package io.samewire.bridge.ring;

import io.samewire.bridge.transport.SteadyChannel;
import io.samewire.bridge.transport.Transport;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shared memory as the transport of a channel: the gateway's side of a ring, with the channel's socket as its bell
 * ({@code spec/bridge.md} section 12).
 */
public final class RingTransport implements Transport {
    /** How many bytes an end copies before it publishes its position, so that the other end copies at the same time. */
    static final int CHUNK = 32 << 10;
    /** How often a spinning loop checks the ring for each read of the clock, which costs as much as two checks. */
    private static final int LOOKS = 16;
    /** At most half of the cores spin: more would take the cores from the threads for which they wait. */
    private static final int MOST_SPINNERS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    private static final AtomicInteger SPINNERS = new AtomicInteger();
    /** How often a thread that begins to spin has asked the other spinning threads to stop. */
    private static final AtomicInteger STOPS = new AtomicInteger();

    private final SocketChannel bell;
    /** The bell, if no interrupt may close it; else null. */
    private volatile SteadyChannel steady;
    private final Mapping mapping;
    private final ByteBuffer stroke = ByteBuffer.allocateDirect(1);
    private final ByteBuffer strokes = ByteBuffer.allocateDirect(64);
    private final RingReader reader;
    private final RingWriter writer;
    private final Patience patience;
    /** Whether the peer slept at the last write. */
    private boolean woke;
    /** Whether the last spin in vain was stopped by another thread. */
    private boolean stopped;
    private boolean ended;

    private RingTransport(SocketChannel bell, Mapping mapping, RingReader reader, RingWriter writer, Waiting waiting) {
        this.bell = bell;
        this.mapping = mapping;
        this.reader = reader;
        this.writer = writer;
        patience = new Patience(waiting, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Maps the memory that a client's hello offers.
     *
     * @param bell the channel's socket, blocking, which the transport closes
     * @param path the path of the memory
     * @param capacity the capacity of each direction, in bytes
     * @param generation a number that the memory repeats
     * @param waiting how this side waits
     * @throws IOException if the memory cannot be mapped, or is not what was offered: the channel stays on the socket
     */
    public static RingTransport open(SocketChannel bell, String path, int capacity, long generation, Waiting waiting)
            throws IOException {
        Mapping mapping = RingMemory.map(path, capacity, generation);
        ByteBuffer memory = mapping.buffer();
        return new RingTransport(bell, mapping, new RingReader(memory, Layout.TO_GATEWAY, Layout.BYTES, capacity),
            new RingWriter(memory, Layout.TO_CLIENT, Layout.BYTES + capacity, capacity), waiting);
    }

    /** Returns the other side of a ring, for tests. */
    static RingTransport client(SocketChannel bell, Mapping mapping, int capacity, Waiting waiting) {
        ByteBuffer memory = mapping.buffer();
        return new RingTransport(bell, mapping,
            new RingReader(memory, Layout.TO_CLIENT, Layout.BYTES + capacity, capacity),
            new RingWriter(memory, Layout.TO_GATEWAY, Layout.BYTES, capacity), waiting);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            int count = reader.tryRead(into, from, length);
            while (count == 0) {
                if (ended) {
                    return -1;
                }
                await(true);
                count = reader.tryRead(into, from, length);
            }
            if (reader.wakesWriter()) {
                ring();
            }
            return count;
        } catch (InternalError fault) {
            throw lost(fault);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            int end = from + length;
            for (int at = from; at < end;) {
                int count = writer.tryWrite(bytes, at, end - at);
                at += count;
                if (count > 0) {
                    woke = writer.wakesReader();
                    if (woke) {
                        ring();
                    }
                } else {
                    await(false);
                }
                if (ended) {
                    throw new EOFException("the other peer is gone");
                }
            }
        } catch (InternalError fault) {
            throw lost(fault);
        }
    }

    /** A client that does not seal its memory can truncate it. The JVM then throws this error on access. */
    private static IOException lost(InternalError fault) {
        return new IOException("the other peer has cut off the memory of its ring", fault);
    }

    private boolean isReady(boolean reading) {
        return reading ? reader.isReady() : writer.isReady();
    }

    private void await(boolean reading) throws IOException {
        int nanos = patience.nanos(woke);
        if (nanos > 0) {
            boolean rewarded = spin(reading, nanos);
            // A stopped spin says nothing about the policy.
            if (rewarded || !stopped) {
                patience.spun(rewarded);
            }
            if (rewarded) {
                return;
            }
        }
        while (!block(reading)) {
            // The bell may have rung for an earlier sleep.
        }
    }

    private boolean look(boolean reading) {
        for (int i = 0; i < LOOKS; i++) {
            if (isReady(reading)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /**
     * Spins for so long. If too many threads spin, the earlier ones give up: of a client's threads one holds the GIL,
     * and the last reply was for it. With 16 threads on two cores a call takes 12 µs (median), and 28 if the first ones
     * keep spinning.
     */
    private boolean spin(boolean reading, int nanos) {
        if (look(reading)) {
            return true;
        }
        try {
            int stops = SPINNERS.incrementAndGet() > MOST_SPINNERS ? STOPS.incrementAndGet() : STOPS.get();
            long until = System.nanoTime() + nanos;
            do {
                if (look(reading)) {
                    return true;
                }
                stopped = stops != STOPS.get();
            } while (!stopped && System.nanoTime() - until < 0);
            return false;
        } finally {
            SPINNERS.decrementAndGet();
        }
    }

    /** How many threads of this JVM spin. */
    static int spinners() {
        return SPINNERS.get();
    }

    /** How often threads that spun were asked to stop. */
    static int stops() {
        return STOPS.get();
    }

    /** Blocks until the bell rings, and returns whether the wait is over. */
    private boolean block(boolean reading) throws IOException {
        if (!(reading ? reader.fallAsleep() : writer.fallAsleep())) {
            return true;
        }
        strokes.clear();
        SteadyChannel held = steady;
        int count = held == null ? bell.read(strokes) : held.read(strokes);
        if (reading) {
            reader.wakeUp();
        } else {
            writer.wakeUp();
        }
        ended = count < 0;
        return ended || isReady(reading);
    }

    private void ring() throws IOException {
        stroke.clear();
        try {
            SteadyChannel held = steady;
            if (held == null) {
                bell.write(stroke);
            } else {
                held.write(stroke);
            }
        } catch (IOException gone) {
            // Bytes that the peer wrote before it ended can still be read.
            ended = true;
        }
    }

    @Override
    public void steady() throws IOException {
        SteadyChannel made = new SteadyChannel(bell);
        steady = made;
        // The channel may have been closed before the assignment.
        made.closeIfClosed();
    }

    @Override
    public void close() {
        try {
            bell.close();
            SteadyChannel held = steady;
            if (held != null) {
                held.close();
            }
        } catch (IOException ignored) {
            // The descriptor is closed even if this fails.
        }
    }

    @Override
    public void free() {
        reader.free();
        writer.free();
        mapping.unmap();
    }
}
