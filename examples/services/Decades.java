import com.sun.net.httpserver.HttpServer;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.store.Store;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A service that reads the books which the one in Python keeps, and counts them by decade. Usage: Decades PORT. */
public class Decades {
    /** Two fields of Python's `Book`: stored values have their schema's digest, and Redis has the schema. */
    record Book(String title, int year) {}

    public static void main(String[] arguments) throws IOException {
        RedisClient client = RedisClient.connect(System.getenv().getOrDefault("REDIS_URL", "redis://localhost:6379"));
        Store<Book> books = client.store(Book.class, "book:");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/decades", exchange -> {
            Map<Integer, Long> counts = books.items("*").collect(Collectors.groupingBy(
                item -> item.getValue().year() / 10 * 10, TreeMap::new, Collectors.counting()));
            byte[] reply = json(counts).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, reply.length);
            exchange.getResponseBody().write(reply);
            exchange.close();
        });
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static String json(Map<Integer, Long> counts) {
        return counts.entrySet().stream()
            .map(count -> "\"" + count.getKey() + "\": " + count.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
    }
}
