package desk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Result;
import io.samewire.redis.command.Strings;
import io.samewire.redis.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The JDK's own web server with a virtual thread for each request, and one client for all of them. Arguments: the URI
 * of Redis, and how many requests wait for one another before they all use the client at once.
 */
public final class Desk {
    /** What each request reads and writes. */
    public record Loan(String reader, long number) { }

    private final RedisClient redis;
    private final Store<Loan> loans;
    private final CountDownLatch together;
    private final Recording recording = new Recording();

    private Desk(RedisClient redis, int together) {
        this.redis = redis;
        this.loans = redis.store(Loan.class, "loan:");
        this.together = new CountDownLatch(together);
    }

    /** Serves until its standard input ends. */
    public static void main(String[] arguments) throws Exception {
        RedisOptions options = RedisOptions.of(arguments[0]).withClientName("desk")
            .withCommandTimeout(Duration.ofSeconds(60));
        try (RedisClient redis = RedisClient.connect(options)) {
            Desk desk = new Desk(redis, Integer.parseInt(arguments[1]));
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/warm/", exchange -> desk.reply(exchange, false));
            server.createContext("/loans/", exchange -> desk.reply(exchange, true));
            server.createContext("/record", desk::record);
            server.createContext("/pinned", desk::pinned);
            server.start();
            System.out.println("port " + server.getAddress().getPort());
            while (System.in.read() >= 0) {
                continue;
            }
            server.stop(0);
        }
    }

    private void reply(HttpExchange exchange, boolean waits) throws IOException {
        String reader = exchange.getRequestURI().getPath().split("/")[2];
        try {
            if (waits) {
                together.countDown();
                if (!together.await(60, TimeUnit.SECONDS)) {
                    send(exchange, 503, together.getCount() + " requests did not come");
                    return;
                }
            }
            long number = redis.execute(Strings.incr("numbers"));
            loans.put(reader, new Loan(reader, number));
            Pipeline pipeline = redis.pipeline();
            pipeline.add(Strings.append("log:" + reader, "lent "));
            Result<Long> length = pipeline.add(Strings.append("log:" + reader, "a book"));
            pipeline.execute();
            redis.async().execute(Strings.incr("replies")).join();
            Loan kept = loans.get(reader).orElseThrow();
            send(exchange, 200, kept.reader() + " " + (kept.number() == number) + " " + length.get() + " "
                + Thread.currentThread().isVirtual());
        } catch (InterruptedException | RuntimeException failed) {
            send(exchange, 500, String.valueOf(failed));
        }
    }

    private void record(HttpExchange exchange) throws IOException {
        recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        send(exchange, 200, "recording");
    }

    /** Replies with every event since {@link #record}, one a line; with nothing if no thread was pinned. */
    private void pinned(HttpExchange exchange) throws IOException {
        Path file = Files.createTempFile("desk", ".jfr");
        recording.stop();
        recording.dump(file);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Files.delete(file);
        StringBuilder all = new StringBuilder();
        for (RecordedEvent event : events) {
            all.append(event.toString().replaceAll("\\s+", " ")).append('\n');
        }
        send(exchange, 200, all.toString());
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }
}
