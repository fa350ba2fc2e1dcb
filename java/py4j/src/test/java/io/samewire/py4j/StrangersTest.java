package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import py4j.GatewayServer;
import py4j.GatewayServer.GatewayServerBuilder;

/** Connections that do not authenticate: they end after a time, and there are only so many. */
class StrangersTest {
    private static final String TIME = "samewire.py4j.authMillis";
    private static final String MOST = "samewire.py4j.strangers";

    private final GatewayServer server = new GatewayServerBuilder(new Sample()).javaPort(0).authToken("secret").build();

    @AfterEach
    void end() {
        server.shutdown();
        System.clearProperty(TIME);
        System.clearProperty(MOST);
    }

    @Test
    void whoStaysSilentOrSendsByteByByteIsCut() throws IOException {
        System.setProperty(TIME, "300");
        server.start();
        try (TextClient friend = new TextClient(server.getListeningPort());
            TextClient silent = new TextClient(server.getListeningPort());
            TextClient slow = new TextClient(server.getListeningPort());
            TextClient half = new TextClient(server.getListeningPort())) {
            assertEquals("!yv", friend.ask("A", "secret"));
            half.send("\u0040\u0000");
            assertTrue(slow.endsWhileSending("A\n" + "x".repeat(60_000)));
            assertTrue(silent.ends());
            assertTrue(half.ends());
            assertEquals("!yi1", friend.ask("c", "t", "echo", "i1", "e"));
            assertEquals(0, Strangers.HERE.count());
        }
    }

    @Test
    void theOldestMakesRoomIfThereAreTooMany() throws IOException {
        System.setProperty(MOST, "3");
        server.start();
        List<TextClient> silent = new ArrayList<>();
        try (TextClient friend = new TextClient(server.getListeningPort())) {
            assertEquals("!yv", friend.ask("A", "secret"));
            for (int i = 0; i < 5; i++) {
                silent.add(new TextClient(server.getListeningPort()));
            }
            assertTrue(silent.get(0).ends());
            try (TextClient late = new TextClient(server.getListeningPort())) {
                assertEquals("!yv", late.ask("A", "secret"));
            }
            assertEquals("!yi1", friend.ask("c", "t", "echo", "i1", "e"));
            assertTrue(Strangers.HERE.count() <= 3);
        } finally {
            for (TextClient client : silent) {
                client.close();
            }
        }
    }

    @Test
    void serversWithoutTokenKeepIdleClients() throws IOException {
        System.setProperty(TIME, "1");
        GatewayServer open = new GatewayServerBuilder(new Sample()).javaPort(0).build();
        open.start();
        try (TextClient client = new TextClient(open.getListeningPort())) {
            assertEquals("!yi1", client.ask("c", "t", "echo", "i1", "e"));
            assertEquals(0, Strangers.HERE.count());
            assertFalse(client.endsWhileSending("c\nt\necho\n"));
        } finally {
            open.shutdown();
        }
    }
}
