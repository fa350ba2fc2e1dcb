import java.io.FileInputStream;
import java.net.InetAddress;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import py4j.GatewayServer;

/** Servers on another address than the usual one: without and with TLS. Prints their ports; ends with its input. */
public class Dialects {
    private static GatewayServer.GatewayServerBuilder builder(String address) throws Exception {
        return new GatewayServer.GatewayServerBuilder().javaPort(0).javaAddress(InetAddress.getByName(address))
            .authToken("secret");
    }

    /** Takes a key store and its password. */
    public static void main(String[] arguments) throws Exception {
        char[] password = arguments[1].toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(arguments[0])) {
            keys.load(file, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        GatewayServer plain = builder("127.0.0.2").build();
        GatewayServer secured = builder("127.0.0.1").serverSocketFactory(context.getServerSocketFactory()).build();
        for (GatewayServer server : new GatewayServer[] {plain, secured}) {
            server.start();
            System.out.println(server.getListeningPort());
        }
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}
