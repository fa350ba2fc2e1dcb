package io.samewire.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** TLS by the JDK over the channel of another transport. */
final class TlsTransport extends Transport {
    private final ChannelTransport below;
    private final TlsSocket encrypted;
    private final InputStream in;
    private final OutputStream out;
    private volatile long written;

    /** Shakes hands, within the time for which the transport below is armed. */
    TlsTransport(ChannelTransport below, SSLContext context, Address address, boolean verifyHost, Deadlines deadlines)
            throws IOException {
        super(deadlines);
        this.below = below;
        this.encrypted = new TlsSocket(below);
        try {
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(encrypted, address.host(),
                address.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            if (verifyHost) {
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            in = socket.getInputStream();
            out = socket.getOutputStream();
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    @Override
    int read(byte[] to, int from, int most) throws IOException {
        return in.read(to, from, most);
    }

    /**
     * Looks below first, which is all on a connection that was idle: a read of TLS with a time-out waits for it, the
     * shortest one takes 1.2 ms. What has come is not always a reply: tickets and keys come without being asked for.
     */
    @Override
    int poll(byte[] to, int from, int most) throws IOException {
        if (in.available() == 0 && !encrypted.look()) {
            return 0;
        }
        encrypted.waits(false);
        try {
            return in.read(to, from, most);
        } catch (SocketTimeoutException nothing) {
            return 0;
        } finally {
            encrypted.waits(true);
        }
    }

    @Override
    void write(byte[] from, int start, int end) throws IOException {
        for (int at = start; at < end; at += PIECE) {
            int piece = Math.min(PIECE, end - at);
            refuseInterrupted();
            // Before: a part of it may have gone out when it fails.
            written += piece;
            out.write(from, at, piece);
        }
    }

    @Override
    long written() {
        return written;
    }

    /** Closes the channel without a farewell of TLS, for which a writer that waits might never leave room. */
    @Override
    void closeChannel() {
        below.close();
    }
}
