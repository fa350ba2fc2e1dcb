package io.samewire.redis.client;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A real channel whose next write of certain bytes fails as a plan says. */
final class FailingChannel extends SocketChannel {
    /** What the channels of one client do, and have done. */
    static final class Plan {
        /** Makes a write fail: {@code out} holds what is to be written, {@code real} would write it. */
        interface Failure {
            void write(ByteBuffer out, SocketChannel real) throws IOException;
        }

        /** The channels that were made. */
        final AtomicInteger channels = new AtomicInteger();
        /** The threads that wrote what no failure was planned for. */
        final List<String> writers = new CopyOnWriteArrayList<>();
        private volatile String word;
        private volatile Failure failure;
        /** A channel that is written to and closed then: a reply comes too late. */
        private volatile SocketChannel closing;

        /** Has the next write fail that holds a word. */
        void fail(String within, Failure how) {
            word = within;
            failure = how;
        }

        /** As the JDK's channel when a thread is interrupted after the system has taken the bytes. */
        void interruptAfterWriteOf(String within) {
            fail(within, (out, real) -> {
                closing = real;
                real.write(out);
                Thread.currentThread().interrupt();
                real.close();
                throw new ClosedByInterruptException();
            });
        }

        /** As the JDK's channel when the peer has gone: nothing is taken. */
        void breakBeforeWriteOf(String within) {
            fail(within, (out, real) -> {
                real.close();
                throw new IOException("Broken pipe");
            });
        }

        RedisOptions of(ValkeyServer server) {
            RedisOptions options = FaultsTest.patient(FaultsTest.address(server));
            options.channels = real -> new FailingChannel(real, this);
            return options;
        }
    }

    private final SocketChannel real;
    private final Plan plan;

    FailingChannel(SocketChannel real, Plan plan) {
        super(real.provider());
        this.real = real;
        this.plan = plan;
        plan.channels.incrementAndGet();
    }

    @Override
    public int write(ByteBuffer out) throws IOException {
        String text = StandardCharsets.ISO_8859_1.decode(out.duplicate()).toString();
        Plan.Failure now = plan.failure;
        if (now != null && text.contains(plan.word)) {
            plan.failure = null;
            now.write(out, real);
        }
        plan.writers.add(Thread.currentThread().getName());
        return real.write(out);
    }

    @Override
    public int read(ByteBuffer in) throws IOException {
        int came = real.read(in);
        if (plan.closing == real) {
            throw new AsynchronousCloseException();
        }
        return came;
    }

    @Override
    public long read(ByteBuffer[] in, int offset, int length) throws IOException {
        return real.read(in, offset, length);
    }

    @Override
    public long write(ByteBuffer[] out, int offset, int length) throws IOException {
        return real.write(out, offset, length);
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return real.connect(remote);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        real.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        real.configureBlocking(block);
    }

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        real.bind(local);
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        real.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return real.supportedOptions();
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        real.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        real.shutdownOutput();
        return this;
    }

    @Override
    public Socket socket() {
        return real.socket();
    }

    @Override
    public boolean isConnected() {
        return real.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return real.isConnectionPending();
    }

    @Override
    public boolean finishConnect() throws IOException {
        return real.finishConnect();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        return real.getRemoteAddress();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return real.getLocalAddress();
    }
}
