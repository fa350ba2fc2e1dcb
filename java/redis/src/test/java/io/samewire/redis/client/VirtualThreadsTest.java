package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Strings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand callers that each have a thread: virtual ones where the JVM has them (21 and later), else of the system.
 */
@Timeout(180)
class VirtualThreadsTest {
    private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

    private static ExecutorService threads() throws ReflectiveOperationException {
        return VIRTUAL ? (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
            : Executors.newCachedThreadPool();
    }

    @Test
    void aThousandCallersShareAFewConnectionsAndPinNoCarrier(@TempDir Path folder) throws Exception {
        ExecutorService threads = threads();
        Path file = folder.resolve("pinned.jfr");
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withConnections(8)
                    .withCommandTimeout(Duration.ofSeconds(30)));
                Recording recording = new Recording()) {
            // Most classes are loaded then, which pins.
            threads.submit(() -> call(client, -1)).get();
            if (VIRTUAL) {
                recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
                recording.start();
            }
            List<Future<?>> callers = new ArrayList<>();
            for (int name = 0; name < 1_000; name++) {
                int caller = name;
                callers.add(threads.submit(() -> call(client, caller)));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
            assertTrue(client.poolStatistics().connections() <= 8);
            if (VIRTUAL) {
                recording.stop();
                recording.dump(file);
            }
        } finally {
            threads.shutdown();
        }
        if (VIRTUAL) {
            List<RecordedEvent> pinned = RecordingFile.readAllEvents(file).stream().filter(event ->
                event.toString().contains("io.samewire") && !isLoading(event.toString())).toList();
            assertTrue(Files.size(file) > 0);
            assertEquals(List.of(), pinned);
        }
    }

    private static Void call(RedisClient client, int caller) throws Exception {
        for (int turn = 0; turn < 20; turn++) {
            String text = caller + "-" + turn;
            assertEquals(text, client.execute(Connection.echo(text)));
        }
        Pipeline pipeline = client.pipeline();
        Result<Long> count = pipeline.add(Strings.incr("n" + caller));
        pipeline.execute();
        assertEquals(1, count.get());
        assertEquals("shared " + caller, client.async().execute(Connection.echo("shared " + caller)).get());
        return null;
    }

    /** Whether a class was being loaded or initialized, which pins whatever the program does. */
    private static boolean isLoading(String event) {
        return event.contains("initialization of") || event.contains("java.lang.ClassLoader.");
    }
}
