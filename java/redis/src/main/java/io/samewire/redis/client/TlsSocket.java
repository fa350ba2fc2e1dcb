package io.samewire.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;

/**
 * The encrypted side of TLS: a socket over a channel, as JSSE wants one. It reads ahead, so that a record costs one
 * system call, not one for its head and one for its body; and it can be looked at without waiting, which no socket of
 * the JDK can in less than a millisecond.
 */
final class TlsSocket extends Socket {
    /** A record of TLS with its head. */
    private static final int RECORD = (1 << 14) + 512;

    private final ChannelTransport channel;
    private final Socket adapted;
    private final byte[] ahead = new byte[RECORD];
    private int from;
    private int to;
    private boolean ended;
    private boolean waits = true;
    private final InputStream in = new In();
    private final OutputStream out = new Out();

    TlsSocket(ChannelTransport channel) throws IOException {
        super((SocketImpl) null);
        this.channel = channel;
        this.adapted = channel.channel().socket();
    }

    /** Takes the bytes that are there, without waiting. Returns whether there is something to read, or the end. */
    boolean look() throws IOException {
        if (from == to && !ended) {
            came(channel.poll(ahead, 0, RECORD));
        }
        return from < to || ended;
    }

    /** Whether a read waits for bytes; else it is a {@link SocketTimeoutException} if there are none. */
    void waits(boolean forBytes) {
        waits = forBytes;
    }

    private void came(int bytes) {
        from = 0;
        to = Math.max(bytes, 0);
        ended = bytes < 0;
    }

    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int start, int most) throws IOException {
            if (most == 0) {
                return 0;
            } else if (from == to && !ended) {
                if (waits) {
                    came(channel.read(ahead, 0, RECORD));
                } else if (!look()) {
                    throw new SocketTimeoutException("nothing has come");
                }
            }
            if (from == to) {
                return -1;
            }
            int bytes = Math.min(most, to - from);
            System.arraycopy(ahead, from, into, start, bytes);
            from += bytes;
            return bytes;
        }

        @Override
        public int available() {
            return to - from;
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            channel.write(bytes, start, start + length);
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public boolean isConnected() {
        return adapted.isConnected();
    }

    @Override
    public boolean isBound() {
        return adapted.isBound();
    }

    @Override
    public boolean isClosed() {
        return channel.isClosed();
    }

    @Override
    public InetAddress getInetAddress() {
        return adapted.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return adapted.getLocalAddress();
    }

    @Override
    public int getPort() {
        return adapted.getPort();
    }

    @Override
    public int getLocalPort() {
        return adapted.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return adapted.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return adapted.getLocalSocketAddress();
    }

    /** No time-out: whoever waits too long has the channel closed. */
    @Override
    public int getSoTimeout() {
        return 0;
    }

    @Override
    public void close() {
        channel.close();
    }
}
