package io.samewire.redis.client;

import io.samewire.core.Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import jdk.net.ExtendedSocketOptions;

/** Makes connections to one server. Thread-safe. */
final class Dialer {
    final RedisOptions options;
    private final Deadlines deadlines;
    private final Breaker breaker;

    Dialer(RedisOptions options, Deadlines deadlines) {
        this.options = options;
        this.deadlines = deadlines;
        this.breaker = new Breaker(options.breakerFailures);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /**
     * Connects and greets the server, in one attempt. setup: commands that follow, each of which must be replied with
     * OK.
     *
     * @throws ConnectionException if the server cannot be reached, or does not reply in time
     * @throws io.samewire.redis.resp.RedisException if it refuses the credentials, the database or the setup
     */
    Connection dial(List<String[]> setup) {
        long wait = breaker.refuses(Deadlines.now());
        if (wait > 0) {
            throw ConnectionException.last(Code.CLOSED, false, options.address + " could not be reached "
                + breaker.failures() + " times in a row: trying again in " + wait / 1_000_000 + " ms", null);
        }
        try {
            Connection made = new Connection(open(), options);
            made.greet(new Handshake(options, setup));
            breaker.succeeded();
            return made;
        } catch (ConnectionException unreachable) {
            breaker.failed(Deadlines.now());
            throw unreachable.with(false);
        } catch (RuntimeException refused) {
            // It can be reached.
            breaker.succeeded();
            throw refused;
        }
    }

    /** Opens the transport; it is armed with what is left for the greeting. */
    private Transport open() {
        IOException failure = null;
        for (SocketAddress one : addresses()) {
            ChannelTransport transport = null;
            try {
                transport = new ChannelTransport(channel(one), deadlines);
                transport.arm(options.connectTimeout);
                transport.connect(one);
                if (!options.tls) {
                    return transport;
                }
                TlsTransport encrypted = new TlsTransport(transport, context(), options.address, options.verifyHost,
                    deadlines);
                encrypted.arm(options.connectTimeout);
                transport.disarm();
                return encrypted;
            } catch (IOException | RuntimeException failed) {
                boolean late = transport != null && transport.isExpired();
                if (transport != null) {
                    transport.close();
                }
                if (failed instanceof RuntimeException bug) {
                    throw bug;
                }
                if (late) {
                    throw ConnectionException.timeout(false, "connecting to " + options.address + " took too long: "
                        + "expected " + options.connectTimeout / 1_000_000 + " ms at most", failed);
                }
                failure = (IOException) failed;
            }
        }
        throw ConnectionException.closed(false, "cannot connect to " + options.address + ": " + failure, failure);
    }

    private List<SocketAddress> addresses() {
        Address server = options.address;
        if (server.path() != null) {
            return List.of(UnixDomainSocketAddress.of(server.path()));
        }
        try {
            return java.util.Arrays.stream(InetAddress.getAllByName(server.host()))
                .<SocketAddress>map(found -> new InetSocketAddress(found, server.port())).toList();
        } catch (UnknownHostException unknown) {
            throw ConnectionException.closed(false, "the host " + server.host() + " is not known", unknown);
        }
    }

    private static SocketChannel channel(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress) {
            return SocketChannel.open(StandardProtocolFamily.UNIX);
        }
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        // A peer that is gone is noticed in 45 idle seconds, where the platform can do that, not in two hours.
        if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 30);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
        }
        return channel;
    }

    private SSLContext context() {
        try {
            return options.sslContext != null ? options.sslContext : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException none) {
            throw RedisOptions.misuse("the JVM has no default SSLContext: give one; " + none.getMessage());
        }
    }
}
