package io.samewire.bridge;

import io.samewire.bridge.gateway.Service;
import io.samewire.bridge.transport.AcceptedTransport;
import io.samewire.bridge.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;

/**
 * Lets Python programs call the objects of this JVM. Each client has a session of its own, isolated from the others.
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

    /** Serves a session whose connections are already open; no other client can open one for it. */
    void serve(Transport control, Transport calls) {
        service.serve(control, calls);
    }

    /**
     * Serves a connection that the program has accepted on its own port, as if this gateway had accepted it. The
     * gateway owns the connection from now on.
     *
     * @param read the bytes that the program has already read from it
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

    /** Returns the address: {@code unix:PATH}, {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}; or an empty text. */
    public String address() {
        return service.address();
    }

    /** Returns the current statistics. */
    public GatewayStatistics statistics() {
        return service.statistics();
    }

    /**
     * Returns the objects of this JVM that clients currently refer to, for finding leaks. The key {@code 2.17} is an
     * object of the second session.
     */
    public Map<String, Object> exported() {
        return service.exported();
    }

    /**
     * Ends all sessions: every waiting call ends with {@code closed}, on both sides. A program's code that runs for
     * a client is interrupted. Idempotent.
     */
    @Override
    public void close() {
        service.close();
    }
}
