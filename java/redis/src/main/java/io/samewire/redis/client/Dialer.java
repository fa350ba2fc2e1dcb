package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.resp.RedisException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import jdk.net.ExtendedSocketOptions;

/** Makes connections to one server, or to the one that a locator finds each time. Thread-safe. */
final class Dialer {
    final RedisOptions options;
    private final Deadlines deadlines;
    private final Breaker breaker;
    /** Null if the server is always that of the options. */
    private final Locator locator;

    Dialer(RedisOptions options, Deadlines deadlines) {
        this(options, deadlines, null);
    }

    Dialer(RedisOptions options, Deadlines deadlines, Locator locator) {
        this.options = options;
        this.deadlines = deadlines;
        this.locator = locator;
        this.breaker = new Breaker(options.breakerAfter);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /**
     * Returns whether a command was refused, and so has not run, since another server is to run it. Behind an address
     * that stays the same another server may be in a replica's place: a new connection leads to it.
     */
    boolean isElsewhere(RuntimeException error) {
        return error instanceof RedisException refused
            && (locator == null ? refused.word().equals("READONLY") : locator.isElsewhere(refused));
    }

    /** Sets what is told that connections are to lead to another server than before. */
    void onChange(Runnable told) {
        if (locator != null) {
            locator.onChange(told);
        }
    }

    /** Called when the client is closed. */
    void close() {
        if (locator != null) {
            locator.forget();
        }
    }

    /** Returns whether a connection still leads to the right server. */
    boolean isCurrent(Connection made) {
        return locator == null || locator.isCurrent(made.server());
    }

    /** Returns what it leads to, for error texts. */
    String name() {
        String found = locator == null ? null : locator.name();
        return found == null ? options.address.toString() : found;
    }

    /** Returns whether connections may lead to another server than the one before. */
    boolean isMoving() {
        return locator != null;
    }

    /** Notes that a connection was lost. */
    void lost(Connection made) {
        if (locator != null) {
            locator.lost(made.server());
        }
    }

    /**
     * Connects and greets the server, in one attempt. setup: commands that follow, each of which must be replied with
     * OK.
     *
     * @throws ConnectionException if the server cannot be reached, or does not reply in time
     * @throws io.samewire.redis.resp.RedisException if it refuses the credentials, the database or the setup
     * @throws RuntimeException what the source of credentials throws
     */
    Connection dial(List<String[]> setup) {
        long start = Deadlines.now();
        long wait = breaker.refuses(start);
        if (wait > 0) {
            throw ConnectionException.notYet(wait, name() + " could not be reached for "
                + breaker.failingFor(start) / 1_000_000 + " ms, and the circuit breaker is open (withBreaker): trying"
                + " again in " + wait / 1_000_000 + " ms");
        }
        // Before there is anything to close: a source of credentials may fail.
        Handshake handshake = new Handshake(options, setup);
        try {
            Connection made = locator == null ? greeted(options.address, handshake) : located(handshake);
            breaker.succeeded();
            if (options.observers != null) {
                options.observers.connected(made.server(), Deadlines.now() - start);
                made.observe(options.observers);
            }
            return made;
        } catch (ConnectionException unreachable) {
            if (unreachable.getCause() instanceof RedisException) {
                // It can be reached: it has too many clients.
                breaker.succeeded();
            } else if (!unreachable.isLast()) {
                // Not the caller's own interrupt, nor what came and is not a reply.
                breaker.failed(start, Deadlines.now());
            }
            throw unreachable.with(false);
        } catch (RuntimeException refused) {
            // It can be reached.
            breaker.succeeded();
            throw refused;
        }
    }

    private Connection greeted(Address server, Handshake handshake) {
        long until = Deadlines.now() + options.connectTimeout;
        Connection made = new Connection(open(server, until), server == options.address ? options
            : options.withAddress(server));
        made.greet(handshake);
        return made;
    }

    private Connection located(Handshake handshake) {
        Address server = locator.find();
        Connection made = null;
        try {
            made = greeted(server, handshake);
            locator.verify(made);
            return made;
        } catch (ConnectionException lost) {
            if (made != null) {
                made.close();
            }
            locator.lost(server);
            throw lost;
        }
    }

    /** Opens the transport, which is armed for the greeting: until the same time. */
    private Transport open(Address server, long until) {
        ConnectionException failure = null;
        List<SocketAddress> addresses = addresses(server);
        for (int i = 0; i < addresses.size(); i++) {
            SocketAddress one = addresses.get(i);
            ChannelTransport transport = null;
            try {
                transport = new ChannelTransport(options.channels.apply(channel(one)), deadlines);
                // An address that does not answer leaves time for the others.
                transport.arm(Math.max(1, (until - Deadlines.now()) / (addresses.size() - i)));
                transport.connect(one);
                transport.armUntil(until);
                if (!options.tls) {
                    return transport;
                }
                TlsTransport encrypted = new TlsTransport(transport, context(), server, options.verifyHost,
                    deadlines);
                encrypted.armUntil(until);
                transport.disarm();
                return encrypted;
            } catch (IOException | RuntimeException failed) {
                boolean late = transport != null && transport.isExpired();
                if (transport != null) {
                    transport.close();
                }
                if (failed instanceof RuntimeException bug) {
                    throw bug;
                } else if (failed instanceof ClosedByInterruptException) {
                    throw ConnectionException.last(Code.CLOSED, false, "the thread was interrupted while it connected"
                        + " to " + server, failed);
                }
                if (late) {
                    failure = ConnectionException.timeout(false, "connecting to " + server + " took too long: "
                        + "expected " + options.connectTimeout / 1_000_000 + " ms at most"
                        + (options.tls ? ", the TLS handshake included: does this port speak TLS?" : ""), failed);
                } else if (isConfiguration(failed)) {
                    throw misconfigured(server, failed);
                } else {
                    failure = ConnectionException.closed(false, "cannot connect to " + server + ": " + failed, failed);
                }
            }
        }
        throw failure;
    }

    static ConnectionException misconfigured(Address server, Throwable failed) {
        return ConnectionException.last(Code.CLOSED, false, "the TLS handshake with " + server + " failed, which"
            + " another attempt would not change: " + failed.getMessage()
            + (String.valueOf(failed.getMessage()).contains("SSL message") ? "; if this port does not speak TLS, use"
                + " redis://" : ""), failed);
    }

    /**
     * Returns whether TLS failed since the two sides do not agree: a certificate is refused, a version is missing, the
     * port does not speak TLS. A connection that was lost meanwhile is no such failure.
     */
    static boolean isConfiguration(Throwable failed) {
        if (!(failed instanceof SSLException)) {
            return false;
        }
        for (Throwable cause = failed.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException && !(cause instanceof SSLException)) {
                return false;
            }
        }
        return true;
    }

    private List<SocketAddress> addresses(Address server) {
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
