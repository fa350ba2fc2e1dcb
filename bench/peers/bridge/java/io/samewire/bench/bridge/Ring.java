package io.samewire.bench.bridge;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two rings in a shared file, one each way. Whoever waits spins so many times, then says that it sleeps and reads a byte from the
 * socket, which the other side writes after it has moved on; {@code spins < 0} never sleeps. floor.c has the same layout.
 */
final class Ring implements Transport {
    /** Bytes of a ring. */
    private static final int CAPACITY = 1 << 20;
    /** At most so many bytes are moved before the other side is told. */
    private static final int PIECE = 1 << 16;

    private static final int TO_JAVA = 0;
    private static final int FROM_JAVA = 1024;
    private static final int TAIL = 0;
    private static final int HEAD = 128;
    private static final int JAVA_SLEEPS = 2048;
    private static final int OTHER_SLEEPS = 2048 + 128;
    private static final int DATA = 4096;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer memory;
    private final int spins;
    private final SocketChannel bell;
    private final ByteBuffer stroke = ByteBuffer.allocateDirect(1);
    private long head;
    private long tail;

    Ring(Path file, int spins, SocketChannel bell) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, DATA + 2L * CAPACITY);
        }
        this.spins = spins;
        this.bell = bell;
        for (int word = 0; word < DATA; word += Long.BYTES) {
            LONG.setVolatile(memory, word, 0L);
        }
        bell.write(stroke.clear());
    }

    @Override
    public void read(byte[] into, int length) throws IOException {
        for (int had = 0; had < length; ) {
            await(TO_JAVA + TAIL, head);
            int at = (int) (head % CAPACITY);
            long there = (long) LONG.getAcquire(memory, TO_JAVA + TAIL) - head;
            int piece = (int) Math.min(Math.min(there, PIECE), Math.min(length - had, CAPACITY - at));
            memory.get(DATA + at, into, had, piece);
            had += piece;
            head += piece;
            LONG.setRelease(memory, TO_JAVA + HEAD, head);
            // A reader of short messages frees room that nobody waits for.
            if (length > CAPACITY / 2) {
                wake();
            }
        }
    }

    @Override
    public void write(byte[] from, int length) throws IOException {
        for (int done = 0; done < length; ) {
            await(FROM_JAVA + HEAD, tail - CAPACITY);
            int at = (int) (tail % CAPACITY);
            long room = CAPACITY - (tail - (long) LONG.getAcquire(memory, FROM_JAVA + HEAD));
            int piece = (int) Math.min(Math.min(room, PIECE), Math.min(length - done, CAPACITY - at));
            memory.put(DATA + CAPACITY + at, from, done, piece);
            done += piece;
            tail += piece;
            LONG.setRelease(memory, FROM_JAVA + TAIL, tail);
            wake();
        }
    }

    /** Waits until the word is another. */
    private void await(int word, long old) throws IOException {
        for (int spun = 0; (long) LONG.getAcquire(memory, word) == old; spun++) {
            if (spins < 0 || spun < spins) {
                Thread.onSpinWait();
                continue;
            }
            LONG.setVolatile(memory, JAVA_SLEEPS, 1L);
            if ((long) LONG.getVolatile(memory, word) == old) {
                listen();
            }
            LONG.setRelease(memory, JAVA_SLEEPS, 0L);
            spun = 0;
        }
    }

    private void listen() throws IOException {
        if (bell.read(stroke.clear()) < 0) {
            throw new EOFException();
        }
    }

    private void wake() throws IOException {
        if (spins >= 0) {
            VarHandle.fullFence();
            if ((long) LONG.getOpaque(memory, OTHER_SLEEPS) != 0) {
                LONG.setOpaque(memory, OTHER_SLEEPS, 0L);
                bell.write(stroke.clear());
            }
        }
    }
}
