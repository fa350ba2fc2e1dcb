package io.samewire.bridge;

import io.samewire.bridge.gateway.RecordDigests;
import io.samewire.bridge.gateway.Service;
import io.samewire.bridge.invoke.Dispatcher;
import io.samewire.bridge.ring.Waiting;
import io.samewire.bridge.session.Resolver;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.transport.LaterListener;
import io.samewire.bridge.transport.Listener;
import io.samewire.bridge.transport.NoListener;
import io.samewire.bridge.transport.TcpListener;
import io.samewire.bridge.transport.TlsListener;
import io.samewire.bridge.transport.UnixListener;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** Builds a {@link Gateway}: its address, its token, and the classes and objects that clients may use. */
public final class GatewayBuilder {
    private static final int LEAST_TOKEN = 16;
    private static final int PLATFORM_THREADS = 64;
    private static final long MOST_BLOB = Integer.MAX_VALUE - 8;

    private String path;
    private boolean later;
    private boolean handed;
    private String host;
    private int port;
    private SSLContext context;
    private byte[] token;
    private Policy policy;
    private Object entryPoint;
    private Function<SamewireException, RuntimeException> failure = failed -> failed;
    private Resolver resolver = new Dispatcher();
    private Limits limits = Limits.DEFAULT;
    private long blobBytes = MOST_BLOB;
    private Waiting waiting = Waiting.adaptive();
    private int platformThreads = PLATFORM_THREADS;
    private final Map<String, Class<?>> records = new HashMap<>();

    GatewayBuilder() {}

    /**
     * Listens on a unix socket. Other users must not be able to enter its directory, which is made if it does not
     * exist. Clients may use shared memory.
     */
    public GatewayBuilder unix(String socket) {
        place(socket, null, 0, null);
        return this;
    }

    /** Listens on a port of loopback; 0 takes a free one. */
    public GatewayBuilder tcp(int number) {
        return tcp("127.0.0.1", number);
    }

    /** Listens on a port of an address of this machine; 0 takes a free one. Only loopback is served without TLS. */
    public GatewayBuilder tcp(String address, int number) {
        place(null, address, number, null);
        return this;
    }

    /** Listens on a port of an address of this machine, with TLS; 0 takes a free one. */
    public GatewayBuilder tls(SSLContext certificates, String address, int number) {
        place(null, address, number, Objects.requireNonNull(certificates));
        return this;
    }

    /** Listens nowhere: the program accepts connections itself, and hands them over ({@link Gateway#serve}). */
    public GatewayBuilder handedOver() {
        place(null, null, 0, null);
        handed = true;
        return this;
    }

    private void place(String socket, String address, int number, SSLContext certificates) {
        path = socket;
        host = address;
        port = number;
        context = certificates;
        handed = false;
    }

    /** Sets the token that clients must send: at least 16 bytes, better 32 random ones. */
    public GatewayBuilder token(byte[] secret) {
        token = secret.clone();
        return this;
    }

    /**
     * Sets the policy for clients: by default {@link Policy#remote()}, also for a unix socket. {@link
     * Policy#everything()} is for clients that may run code in this process.
     */
    public GatewayBuilder policy(Policy admitted) {
        policy = Objects.requireNonNull(admitted);
        return this;
    }

    /** Registers records and other classes with a schema, which cross by value, under the names of their classes. */
    public GatewayBuilder records(Class<?>... types) {
        for (Class<?> type : types) {
            records.put(type.getName(), type);
        }
        return this;
    }

    /** Registers a record that crosses by value under a name. */
    public GatewayBuilder record(String name, Class<?> type) {
        records.put(name, type);
        return this;
    }

    /** Sets the object that clients get as the gateway's entry point. */
    public GatewayBuilder entryPoint(Object object) {
        entryPoint = object;
        return this;
    }

    /**
     * Sets the exception for a call of a Python object that the bridge could not make: the client is gone, or the
     * object has no such method. By default it is the {@link SamewireException}.
     */
    public GatewayBuilder callFailure(Function<SamewireException, RuntimeException> translation) {
        failure = Objects.requireNonNull(translation);
        return this;
    }

    /**
     * Sets a rule that chooses among overloads instead of Java's rules, if there are several with the same number of
     * parameters, or an argument is null. If the rule finds none, Java's rules choose. A call with a null that has
     * several overloads is then refused with {@code type_mismatch}.
     */
    public GatewayBuilder overloadRule(OverloadRule rule) {
        resolver = new Dispatcher(Objects.requireNonNull(rule));
        return this;
    }

    /** Sets the limits of messages. */
    public GatewayBuilder limits(Limits bounds) {
        limits = Objects.requireNonNull(bounds);
        return this;
    }

    /** Sets the most bytes of an array that follows its message as a large value; by default 2^31 - 9. */
    public GatewayBuilder blobBytes(long most) {
        if (most < 0 || most > MOST_BLOB) {
            throw misuse("an array has 0 to " + MOST_BLOB + " bytes, not " + most);
        }
        blobBytes = most;
        return this;
    }

    /** Makes channels in shared memory spin only while that pays, and block otherwise. The default. */
    public GatewayBuilder waitingAdaptively() {
        waiting = Waiting.adaptive();
        return this;
    }

    /** Makes channels in shared memory block at once. */
    public GatewayBuilder waitingBlocked() {
        waiting = Waiting.block();
        return this;
    }

    /** Makes channels in shared memory spin for so many microseconds, then block. */
    public GatewayBuilder waitingWithSpins(int micros) {
        waiting = Waiting.spin(micros);
        return this;
    }

    /**
     * Sets how many connections are served by platform threads; by default 64. A client has one connection for each of
     * its calling threads, and one more. From JDK 24 on, further connections are served by virtual threads, which take
     * less memory and reply later; before, by platform threads, too.
     */
    public GatewayBuilder platformThreads(int most) {
        if (most < 0) {
            throw misuse("a gateway has 0 or more threads of the platform, not " + most);
        }
        platformThreads = most;
        return this;
    }

    /** Opens the unix socket only after an already connected client has got its first replies. */
    GatewayBuilder listeningLater() {
        later = true;
        return this;
    }

    GatewayBuilder resolver(Resolver other) {
        resolver = other;
        return this;
    }

    private static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    /**
     * Listens, and starts to serve.
     *
     * @throws SamewireException {@code misuse} without an address or a token, for an address other than loopback
     *     without TLS, and for a unix socket in a directory that others may enter
     */
    public Gateway start() throws IOException {
        if (token == null || token.length < LEAST_TOKEN) {
            throw misuse("a gateway needs a token of at least " + LEAST_TOKEN + " bytes");
        }
        Map<String, Long> digests = records.isEmpty() ? Map.of() : RecordDigests.of(records);
        Listener listener = listen();
        Policy admitted = policy != null ? policy : Policy.remote();
        SessionOptions options = new SessionOptions(resolver, admitted, limits, blobBytes, Map.copyOf(records),
            entryPoint, failure);
        Service service = new Service(listener, token, options, digests, waiting, platformThreads);
        service.start();
        return new Gateway(service);
    }

    private Listener listen() throws IOException {
        if (path != null) {
            return later ? new LaterListener(path) : UnixListener.open(path);
        }
        if (handed) {
            return new NoListener();
        }
        if (host == null) {
            throw misuse("a gateway needs an address: unix, tcp, tls or handedOver");
        }
        InetAddress address = InetAddress.getByName(host);
        if (context != null) {
            return TlsListener.open(context, address, port);
        }
        if (!address.isLoopbackAddress()) {
            throw misuse("a gateway on " + host + ", which is not loopback, needs TLS");
        }
        return TcpListener.open(address, port);
    }
}
