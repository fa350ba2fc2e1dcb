package io.samewire.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gateways on ports. */
@Timeout(180)
class NetworkTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static GatewayBuilder builder() {
        return Gateway.builder().token(Client.TOKEN).resolver(new Members());
    }

    private static void call(Client calls) {
        calls.firstCall(1, Definition.STATIC, "T", "add", new String[] {"i32", "i32"}, out -> {
            out.i32(40);
            out.i32(2);
        });
        Input in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        assertEquals(42, in.i32());
    }

    @Test
    void loopbackIsServed() throws IOException {
        try (Gateway gateway = builder().tcp(0).start();
            Client control = Client.control(gateway);
            Client calls = control.open(gateway, Messages.CALLS)) {
            assertTrue(gateway.address().startsWith("tcp://127.0.0.1:"), gateway.address());
            call(calls);
        }
    }

    @Test
    void otherAddressesNeedTls() {
        for (String host : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
            GatewayBuilder builder = builder().tcp(host, 0);
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, builder::start).code());
        }
    }

    @Test
    void thereIsNoGatewayWithoutATokenOrAnAddress() {
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, Gateway.builder().tcp(0)::start).code());
        GatewayBuilder weak = Gateway.builder().tcp(0).token(new byte[15]);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, weak::start).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, builder()::start).code());
    }

    @Test
    void anotherAddressIsServedWithTls(@TempDir Path folder) throws Exception {
        SSLContext context = context(folder.resolve("keys.p12"));
        try (Gateway gateway = builder().tls(context, "0.0.0.0", 0).start()) {
            assertTrue(gateway.address().startsWith("tls://0.0.0.0:"), gateway.address());
            try (Client control = Client.over(new Encrypted(context, gateway));
                Client calls = Client.over(new Encrypted(context, gateway))) {
                control.hello(Messages.CONTROL, Client.TOKEN, new byte[0]);
                control.welcomed();
                calls.hello(Messages.CALLS, Client.TOKEN, control.session);
                calls.welcomed();
                call(calls);
                byte[] large = new byte[3 << 20];
                calls.firstCall(2, Definition.STATIC, "T", "bytes", new String[] {"bytes"}, out -> out.bytes(large));
                Input in = calls.expect(Messages.FIRST_RETURN);
                in.string();
                assertEquals(large.length, in.bytes().length);
            }
            // A client that does not speak TLS is refused.
            try (Client plain = Client.silent(gateway)) {
                plain.hello(Messages.CONTROL, Client.TOKEN, new byte[0]);
                assertThrows(SamewireException.class, () -> plain.expect(Messages.WELCOME));
            }
        }
    }

    private static SSLContext context(Path store) throws Exception {
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair", "-keyalg", "EC", "-alias", "gateway", "-dname", "CN=gateway", "-storetype", "PKCS12",
            "-storepass", new String(PASSWORD), "-keystore", store.toString()).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** A client's side of TLS. */
    private static final class Encrypted implements Transport {
        private final SSLSocket socket;

        Encrypted(SSLContext context, Gateway gateway) throws IOException {
            String address = gateway.address();
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            return socket.getInputStream().read(into, from, length);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            socket.getOutputStream().write(bytes, from, length);
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }
}
