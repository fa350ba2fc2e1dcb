package io.samewire.bridge.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** A TLS connection. */
final class TlsTransport implements Transport {
    private final Socket plain;
    private final SSLSocket socket;
    private InputStream reading;
    private OutputStream writing;

    TlsTransport(Socket plain, SSLSocket socket) {
        this.plain = plain;
        this.socket = socket;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (reading == null) {
            reading = socket.getInputStream();
        }
        return reading.read(into, from, length);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (writing == null) {
            writing = socket.getOutputStream();
        }
        writing.write(bytes, from, length);
    }

    @Override
    public boolean isOnThisMachine() {
        InetAddress peer = plain.getInetAddress();
        return peer != null && peer.isLoopbackAddress();
    }

    @Override
    public void close() {
        try {
            // Not the TLS socket: closing it would wait until the peer reads the close_notify alert.
            plain.close();
        } catch (IOException error) {
            // The connection is not used any more, even if closing fails.
            return;
        }
    }
}
