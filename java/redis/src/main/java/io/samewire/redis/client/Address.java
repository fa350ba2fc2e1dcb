package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * Where a server listens.
 *
 * @param host its name or IP address, without brackets; null for a unix socket
 * @param port the port; 0 for a unix socket
 * @param path the path of the unix socket; null for TCP
 */
public record Address(String host, int port, String path) {
    /** The port if none is given. */
    public static final int DEFAULT_PORT = 6379;

    /**
     * Checks that it is one of both.
     *
     * @throws SamewireException {@code misuse} if it is not, or the port is out of range
     */
    public Address {
        boolean tcp = path == null && host != null && !host.isEmpty() && port > 0 && port < 65_536;
        if (!tcp && (path == null || path.isEmpty() || host != null || port != 0)) {
            throw new SamewireException(Code.MISUSE, -1, null, "expected a host with a port of 1 to 65535, or a path;"
                + " found " + host + ", " + port + ", " + path);
        }
    }

    /** Returns the address of a TCP server. */
    public static Address tcp(String host, int port) {
        return new Address(host, port, null);
    }

    /** Returns the address of a unix socket. */
    public static Address unix(String path) {
        return new Address(null, 0, path);
    }

    /** Returns {@code host:port}, or the path. */
    @Override
    public String toString() {
        return path != null ? path : host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
