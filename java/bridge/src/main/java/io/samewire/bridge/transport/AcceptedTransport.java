package io.samewire.bridge.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A connection that a program has accepted and begun to read. */
public final class AcceptedTransport implements Transport {
    private final Socket socket;
    /** The bytes that were read before; null once they have been read again. */
    private byte[] before;
    private int taken;

    /**
     * Takes a connection.
     *
     * @param read the bytes that have been read from it
     */
    public AcceptedTransport(Socket socket, byte[] read) {
        this.socket = socket;
        this.before = read.length == 0 ? null : read;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (before == null) {
            return socket.getInputStream().read(into, from, length);
        }
        int count = Math.min(length, before.length - taken);
        System.arraycopy(before, taken, into, from, count);
        taken += count;
        if (taken == before.length) {
            before = null;
        }
        return count;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
    }

    @Override
    public boolean isOnThisMachine() {
        InetAddress peer = socket.getInetAddress();
        return peer != null && peer.isLoopbackAddress();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException error) {
            // It is of no use any more, closed or not.
            return;
        }
    }
}
