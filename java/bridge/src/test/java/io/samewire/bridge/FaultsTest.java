package io.samewire.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Messages;
import io.samewire.core.SamewireException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that die, break the protocol, or come in crowds: nothing of them stays. */
@Timeout(180)
class FaultsTest {
    private static final String[] NONE = {};

    private Gateway gateway;
    private Set<Thread> before;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        before = threads().collect(Collectors.toSet());
        gateway = Gateway.builder().unix(folder.resolve("private/gateway.sock").toString()).token(Client.TOKEN)
            .resolver(new Members()).start();
    }

    @AfterEach
    void stop() {
        gateway.close();
        await(() -> channels() == 0);
    }

    /** How many threads serve this gateway. Those of other tests, which may still be ending, are not counted. */
    private long channels() {
        return threads().filter(thread -> !before.contains(thread)).count();
    }

    private static Stream<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().equals("samewire-channel"));
    }

    /** Where the threads of connections are, one after another. */
    private static String stacks() {
        return Thread.getAllStackTraces().entrySet().stream()
            .filter(entry -> entry.getKey().getName().equals("samewire-channel")).limit(3)
            .map(entry -> Arrays.toString(entry.getValue())).collect(Collectors.joining("; "));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, () -> "it takes too long; channels: " + stacks());
            Thread.onSpinWait();
        }
    }

    @Test
    void nothingIsLeftOfAClientThatDies() throws IOException {
        Client control = Client.control(gateway);
        Client calls = control.open(gateway, Messages.CALLS);
        Client waiting = control.open(gateway, Messages.CALLS);
        calls.firstCall(1, Definition.STATIC, "T", "new", new String[] {"string"}, out -> out.string("a"));
        calls.expect(Messages.FIRST_RETURN);
        waiting.firstCall(2, Definition.STATIC, "T", "sleep", NONE, out -> {});
        assertEquals(1, gateway.statistics().exported());
        await(() -> gateway.statistics().calls() == 2);
        control.close();
        // What sleeps for it is woken; both channels end.
        await(() -> gateway.statistics().sessions() == 0 && channels() == 0);
        assertEquals(0, gateway.statistics().exported());
        calls.close();
        waiting.close();
    }

    @Test
    void aCallbackEndsWithItsClient() throws IOException {
        Client control = Client.control(gateway);
        Client calls = control.open(gateway, Messages.CALLS);
        calls.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(21);
        });
        calls.expect(Messages.FIRST_CALL);
        // A thread that waits for a callback channel, which never comes.
        Client other = control.open(gateway, Messages.CALLS);
        other.firstCall(2, Definition.STATIC, "T", "elsewhere", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(21);
        });
        control.expect(Messages.MORE);
        control.close();
        await(() -> gateway.statistics().sessions() == 0 && channels() == 0);
        calls.close();
        other.close();
    }

    @Test
    void errorsInMessagesEndTheSessionAndSayWhy() throws IOException {
        byte[][] wrong = {{0x7f}, {Messages.HELLO}, {Messages.CALL, 9}, {Messages.CALL}, {Messages.RELEASE, 1, 1, 1},
            {Messages.FIRST_CALL, 1, 9}, {Messages.BATCH, 1, 2, Messages.CALL, 5}, {Messages.RETURN, 0},
            {Messages.FIRST_CALL, (byte) 0x81, 0}, {Messages.BLOB, 1, 2, 3},
            {Messages.FIRST_CALL, 1, Definition.STATIC, 0, 8, 'z', 'e', 'r', 'o', 0, 0, 99}};
        String[] codes = {"malformed", "malformed", "malformed", "truncated", "malformed", "malformed", "malformed",
            "malformed", "bad_number", "malformed", "trailing"};
        for (int i = 0; i < wrong.length; i++) {
            byte[] message = wrong[i];
            try (Client control = Client.control(gateway); Client calls = control.open(gateway, Messages.CALLS)) {
                calls.send(message[0], out -> out.raw(message, 1, message.length - 1));
                assertEquals(codes[i], control.expect(Messages.BYE).string(), "message " + i);
                assertEquals(-1, control.receive());
            }
        }
        await(() -> gateway.statistics().sessions() == 0 && channels() == 0);
    }

    @Test
    void aFrameIsNoLongerThanTheLimit() throws IOException {
        try (Client control = Client.control(gateway); Client calls = control.open(gateway, Messages.CALLS)) {
            calls.out.reset();
            calls.out.begin(Messages.CALL);
            calls.out.end();
            calls.out.set(3, 0x7f);
            calls.frames.send(calls.out);
            assertEquals("limit_size", control.expect(Messages.BYE).string());
        }
        try (Client stranger = Client.silent(gateway)) {
            stranger.send(Messages.HELLO, out -> out.raw(new byte[70_000], 0, 70_000));
            assertEquals("limit_size", stranger.expect(Messages.REFUSED).string());
        } catch (SamewireException cut) {
            // The gateway did not read it all: its answer may be lost with it.
            assertEquals("closed", cut.code().toString());
        }
    }

    @Test
    @Tag("hard")
    void strangersDoNotKeepClientsOut() throws IOException {
        List<Client> strangers = new ArrayList<>();
        // Eight times the places: a second for each place's turn would be eight.
        for (int i = 0; i < 8 * 256; i++) {
            strangers.add(Client.silent(gateway));
        }
        long begin = System.nanoTime();
        try (Client control = Client.control(gateway); Client calls = control.open(gateway, Messages.CALLS)) {
            calls.firstCall(1, Definition.STATIC, "T", "zero", NONE, out -> {});
            calls.expect(Messages.FIRST_RETURN);
            assertTrue(gateway.statistics().strangers() <= 256);
            assertTrue(System.nanoTime() - begin < 5_000_000_000L, "strangers make a client wait");
        }
        strangers.forEach(Client::close);
        await(() -> gateway.statistics().strangers() == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 0})
    void nothingIsLeftOfThousandsOfClients(int platformThreads, @TempDir Path folder) throws Exception {
        gateway.close();
        gateway = Gateway.builder().unix(folder.resolve("many/gateway.sock").toString()).token(Client.TOKEN)
            .resolver(new Members()).platformThreads(platformThreads).start();
        come();
        await(() -> gateway.statistics().channels() == 0 && channels() == 0);
        long opened = descriptors();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < 750; i++) {
                        come();
                    }
                } catch (Throwable error) {
                    synchronized (failures) {
                        failures.add(error);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        await(() -> gateway.statistics().sessions() == 0 && gateway.statistics().channels() == 0 && channels() == 0);
        assertEquals(new GatewayStatistics(0, 3_001, 0, 0, 0, 0, 0, 0), gateway.statistics());
        await(() -> descriptors() <= opened);
    }

    private static long descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    /** A client that has an object, gives one, and leaves without a word. */
    private void come() throws IOException {
        try (Client control = Client.control(gateway); Client calls = control.open(gateway, Messages.CALLS)) {
            calls.firstCall(1, Definition.STATIC, "T", "new", new String[] {"string"}, out -> out.string("a"));
            calls.expect(Messages.FIRST_RETURN);
            calls.firstCall(2, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
                out.varint(7 << 1 | 1);
                out.varint(0);
                out.i32(21);
            });
            calls.expect(Messages.FIRST_CALL);
        }
    }
}
