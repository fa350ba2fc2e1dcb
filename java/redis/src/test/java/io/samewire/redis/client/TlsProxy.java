package io.samewire.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS before a server, with a certificate of its own for {@code localhost} that nobody else has signed. */
public final class TlsProxy implements AutoCloseable {
    private static final char[] SECRET = "secret".toCharArray();

    private final SSLServerSocket listening;
    private final KeyStore store;
    private final AtomicInteger carried = new AtomicInteger();

    /** Stands before the server at a port of loopback; its certificate is kept in a folder, for other proxies, too. */
    public TlsProxy(int port, Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve("keys.p12");
        if (!Files.exists(file)) {
            makeKeys(file);
        }
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, SECRET);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, SECRET);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        listening = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 50,
            InetAddress.getByName("127.0.0.1"));
        thread(() -> {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket("127.0.0.1", port);
                thread(() -> carry(client, server));
                thread(() -> carry(server, client));
            }
        });
    }

    private static void makeKeys(Path file) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair", "-keyalg", "EC", "-alias", "server", "-dname", "CN=localhost", "-ext", "san=dns:localhost",
            "-keystore", file.toString(), "-storepass", "secret", "-validity", "2").redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void thread(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                return;
            }
        }, "tls");
        thread.setDaemon(true);
        thread.start();
    }

    private void carry(Socket from, Socket to) throws IOException {
        carried.incrementAndGet();
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[65_536];
            for (int came = in.read(bytes); came > 0; came = in.read(bytes)) {
                out.write(bytes, 0, came);
            }
        } finally {
            // Both sockets are closed.
            carried.decrementAndGet();
        }
    }

    /** Returns how many ways of connections are open, two for each. */
    int carried() {
        return carried.get();
    }

    /** Returns the port where it listens. */
    public int port() {
        return listening.getLocalPort();
    }

    /** A context that trusts this server's certificate. */
    public SSLContext trusting() throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
