package io.samewire.bridge;

import io.samewire.bridge.gateway.Service;
import io.samewire.bridge.transport.AcceptedTransport;
import io.samewire.bridge.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;

/**
 * Lets programs of Python call the objects of this JVM. Each client has a session of its own; they know nothing of each
 * other.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.builder().unix("/run/shop/gateway.sock").token(token).entryPoint(shop).start()) {
 *     ...
 * }
 * }</pre>
 */
public final class Gateway implements AutoCloseable {
    private final Service service;

    Gateway(Service service) {
        this.service = service;
    }

    /** Returns a builder of gateways. */
    public static GatewayBuilder builder() {
        return new GatewayBuilder();
    }

    /** Serves a session whose connections are there already, of which others know nothing. */
    void serve(Transport control, Transport calls) {
        service.serve(control, calls);
    }

    /**
     * Serves a connection that the program has accepted on a port of its own, as if it had come to this gateway. The
     * connection is this gateway's from now on.
     *
     * @param read what the program has read of it already, from the first byte on
     */
    public void serve(Socket connection, byte[] read) throws IOException {
        connection.setSoTimeout(0);
        connection.setTcpNoDelay(true);
        try {
            service.serve(new AcceptedTransport(connection, read));
        } catch (InterruptedException error) {
            connection.close();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns where it listens: {@code unix:PATH}, {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}; or nothing. */
    public String address() {
        return service.address();
    }

    /** Returns counts of this moment. */
    public GatewayStatistics statistics() {
        return service.statistics();
    }

    /**
     * Returns the objects of this JVM that clients have at this moment: what a program looks at that has more of them
     * than it should. The keys tell sessions and their objects apart: {@code 2.17} is one of the second session.
     */
    public Map<String, Object> exported() {
        return service.exported();
    }

    /**
     * Ends all sessions: every call that waits ends with {@code closed}, on both sides. A program's code that runs for
     * a client is interrupted. Does nothing the second time.
     */
    @Override
    public void close() {
        service.close();
    }
}
