package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import py4j.ClientServer;
import py4j.GatewayServer;
import py4j.GatewayServer.GatewayServerBuilder;
import py4j.GatewayServerListener;
import py4j.Py4JException;
import py4j.Py4JNetworkException;
import py4j.Py4JServerConnection;

/** Servers: tokens, bad input, many clients, and the end. */
class ServerTest {
    private static final String TOKEN = "open\\sesame";

    private static GatewayServer started(GatewayServerBuilder builder) {
        GatewayServer server = builder.javaPort(0).entryPoint(new Sample()).build();
        server.start();
        return server;
    }

    @Test
    void servesOnlyWhoKnowsTheToken() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder().authToken(TOKEN));
        try (TextClient first = new TextClient(server.getListeningPort());
            TextClient second = new TextClient(server.getListeningPort());
            TextClient third = new TextClient(server.getListeningPort())) {
            assertEquals("!yv", first.ask("A", "open\\\\sesame"));
            assertEquals("!yi1", first.ask("c", "t", "echo", "i1", "e"));
            assertEquals("!xsAuthentication error: bad auth token received.", second.ask("A", "wrong"));
            assertTrue(second.ends());
            assertEquals("!xsAuthentication error: unexpected command.", third.ask("c"));
            assertTrue(third.ends());
        } finally {
            server.shutdown();
        }
    }

    @Test
    void garbageEndsTheConnectionAlone() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder());
        try (TextClient good = new TextClient(server.getListeningPort());
            TextClient garbage = new TextClient(server.getListeningPort());
            TextClient half = new TextClient(server.getListeningPort())) {
            String answer = garbage.ask("\u0000\u0001 no command");
            assertTrue(answer.startsWith("!zspy4j.Py4JException: Unknown command received: "), answer);
            assertTrue(garbage.ends());
            half.send("c\nt\necho\ni1");
            half.end();
            assertEquals("!yi1", good.ask("c", "t", "echo", "i1", "e"));
        } finally {
            server.shutdown();
        }
    }

    @Test
    void longLinesAreForClientsThatHaveAuthenticated() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder().authToken(TOKEN));
        String text = "x".repeat(1 << 20);
        try (TextClient stranger = new TextClient(server.getListeningPort());
            TextClient friend = new TextClient(server.getListeningPort())) {
            assertEquals("!yv", friend.ask("A", "open\\\\sesame"));
            assertEquals("!ys" + text, friend.ask("c", "t", "echo", "s" + text, "e"));
            for (int i = 0; i < 100; i++) {
                try {
                    stranger.send(text);
                } catch (IOException ended) {
                    break;
                }
            }
            assertTrue(stranger.ends());
        } finally {
            server.shutdown();
        }
    }

    @Test
    void servesBesideAThousandIdleConnections() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder());
        List<TextClient> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                idle.add(new TextClient(server.getListeningPort()));
            }
            assertEquals("!yi1", idle.get(0).ask("c", "t", "echo", "i1", "e"));
            assertEquals("!yi2", idle.get(999).ask("c", "t", "echo", "i2", "e"));
        } finally {
            server.shutdown();
            for (TextClient client : idle) {
                assertTrue(client.ends());
                client.close();
            }
        }
    }

    private static Set<Thread> threads() {
        Set<Thread> threads = new HashSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("py4j-") || thread.getName().startsWith("samewire-")) {
                threads.add(thread);
            }
        }
        return threads;
    }

    @Test
    void shutdownEndsAllThreads() throws Exception {
        Set<Thread> before = threads();
        GatewayServer server = started(new GatewayServerBuilder());
        Set<Thread> begun;
        try (TextClient client = new TextClient(server.getListeningPort())) {
            String offer = client.ask("c", "z:" + Dialect.class.getName(), "offer", "e");
            assertTrue(offer.startsWith("!yssamewire 1 "), offer);
            begun = threads();
            begun.removeAll(before);
            assertFalse(begun.isEmpty());
            client.send("s\n");
            assertTrue(client.ends());
        }
        for (Thread thread : begun) {
            thread.join(60_000);
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    @Test
    void offersItsDialectUntilItEnds() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder());
        String[] offer;
        try (TextClient client = new TextClient(server.getListeningPort());
            TextClient other = new TextClient(server.getListeningPort())) {
            String answer = client.ask("c", "z:" + Dialect.class.getName(), "offer", "e");
            assertEquals(answer, other.ask("c", "z:" + Dialect.class.getName(), "offer", "e"));
            offer = answer.substring(3).split(" ");
            assertEquals(5, offer.length, answer);
            assertEquals(64, offer[4].length());
            long id = Long.parseLong(offer[2]);
            assertEquals(server, NativeOperations.gateway(id));
            assertEquals(Sample.class, NativeOperations.entryPoint(id).getClass());
            assertTrue(offer[3].startsWith("unix:"), answer);
            assertTrue(Files.exists(Path.of(offer[3].substring(5))));
            assertThrows(Py4JException.class, Dialect::offer);
        } finally {
            server.shutdown();
        }
        assertFalse(Files.exists(Path.of(offer[3].substring(5)).getParent()));
        assertThrows(Py4JException.class, () -> NativeOperations.gateway(Long.parseLong(offer[2])));
    }

    @Test
    void callsTheEntryPointThatANativeClientSet() throws IOException {
        GatewayServer server = started(new GatewayServerBuilder());
        try (TextClient client = new TextClient(server.getListeningPort())) {
            long id = Long.parseLong(client.ask("c", "z:" + Dialect.class.getName(), "offer", "e").split(" ")[2]);
            PythonEntryPoint python = (method, arguments) -> method.equals("applyAsLong") ? 5 : arguments[0];
            NativeOperations.pythonEntryPoint(id, python);
            Object entry = server.getPythonServerEntryPoint(new Class<?>[] {ToLongFunction.class, IntFunction.class});
            @SuppressWarnings("unchecked")
            ToLongFunction<String> function = (ToLongFunction<String>) entry;
            assertEquals(5L, function.applyAsLong("text"));
            assertEquals(7, ((IntFunction<?>) entry).apply(7));
            assertEquals(python, server.getPythonServerEntryPoint(new Class<?>[] {PythonEntryPoint.class}));
            assertThrows(Py4JException.class, () -> NativeOperations.pythonEntryPoint(id, "a text"));
        } finally {
            server.shutdown();
        }
    }

    @Test
    void tellsNativeClientsOfNamesAndMembers() throws ClassNotFoundException {
        assertEquals("class java.util.ArrayList", NativeOperations.resolve(new String[] {"java.util.*"}, "ArrayList"));
        assertEquals("class java.util.ArrayList", NativeOperations.resolve(new String[] {"java.util.ArrayList"},
            "ArrayList"));
        assertEquals("class java.lang.String", NativeOperations.resolve(new String[0], "String"));
        assertEquals("class java.util.Map", NativeOperations.resolve(new String[0], "java.util.Map"));
        assertEquals("package java.util", NativeOperations.resolve(new String[0], "java.util"));
        String sample = Sample.class.getName();
        assertEquals("field", NativeOperations.memberKind(sample, "SHARED"));
        assertEquals("none", NativeOperations.memberKind(sample, "echo"));
        assertEquals("class", NativeOperations.memberKind(sample, "Inner"));
        assertEquals("none", NativeOperations.memberKind(sample, "absent"));
        assertEquals("method", NativeOperations.memberKind("java.lang.Integer", "toString"));
        assertEquals(Set.of("Inner", "SHARED"), Set.of(NativeOperations.staticDir(sample)));
        assertTrue(List.of(NativeOperations.dir(new Sample())).containsAll(List.of("echo", "name")));
        assertEquals(NativeOperations.help(new Sample(), null, true), NativeOperations.help(sample, null, true));
    }

    @Test
    void saysThatAPortIsTaken() {
        GatewayServer server = started(new GatewayServerBuilder());
        try {
            GatewayServer second = new GatewayServer(null, server.getListeningPort());
            String text = assertThrows(Py4JNetworkException.class, second::start).getMessage();
            assertEquals("Failed to bind to /127.0.0.1:" + server.getListeningPort(), text);
            second.shutdown();
        } finally {
            server.shutdown();
        }
    }

    @Test
    void aClientServerListensWhenToldTo() throws IOException {
        ClientServer server = new ClientServer.ClientServerBuilder(new Sample()).javaPort(0).pythonPort(1)
            .autoStartJavaServer(false).authToken("secret").build();
        assertEquals(-1, server.getJavaServer().getListeningPort());
        server.startServer();
        try (TextClient client = new TextClient(server.getJavaServer().getListeningPort())) {
            assertEquals("!yv", client.ask("A", "secret"));
            assertEquals("!yi1", client.ask("c", "t", "echo", "i1", "e"));
            String first = client.ask("i", "java.lang.Object", "e");
            assertEquals("!yro0", first);
        } finally {
            server.shutdown();
        }
    }

    @Test
    void tellsItsListeners() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(2);
        GatewayServer server = new GatewayServerBuilder().javaPort(0).build();
        server.addListener(new Recording(events, gone, stopped));
        server.start();
        try (TextClient client = new TextClient(server.getListeningPort())) {
            assertEquals("!yn", client.ask("c", "z:java.lang.System", "getProperty", "snone", "e"));
            client.send("q\n");
            assertNull(client.line());
        }
        assertTrue(gone.await(60, TimeUnit.SECONDS));
        server.shutdown();
        assertTrue(stopped.await(60, TimeUnit.SECONDS));
        assertEquals(List.of("started", "connection", "gone"), events.subList(0, 3));
        assertTrue(events.containsAll(List.of("before end", "after end", "stopped")), events.toString());
    }

    private record Recording(List<String> events, CountDownLatch gone, CountDownLatch stopped)
        implements GatewayServerListener {
        @Override
        public void connectionError(Exception error) {
            events.add("connection error");
        }

        @Override
        public void connectionStarted(Py4JServerConnection connection) {
            events.add("connection");
        }

        @Override
        public void connectionStopped(Py4JServerConnection connection) {
            events.add("gone");
            gone.countDown();
            throw new IllegalStateException("a listener may throw");
        }

        @Override
        public void serverError(Exception error) {
            events.add("error");
        }

        @Override
        public void serverPostShutdown() {
            events.add("after end");
            stopped.countDown();
        }

        @Override
        public void serverPreShutdown() {
            events.add("before end");
        }

        @Override
        public void serverStarted() {
            events.add("started");
        }

        @Override
        public void serverStopped() {
            events.add("stopped");
            stopped.countDown();
        }
    }
}
