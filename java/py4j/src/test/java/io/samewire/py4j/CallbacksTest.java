package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import py4j.ClientServer;
import py4j.GatewayServer;
import py4j.GatewayServer.GatewayServerBuilder;
import py4j.Py4JException;

/** Calls of Python's objects: to its callback server, and on the connection of the thread that it called. */
class CallbacksTest {
    private static GatewayServer server(ScriptedPython python, String token) {
        return new GatewayServerBuilder(new Runner()).javaPort(0).callbackClient(python.port(),
            InetAddress.getLoopbackAddress(), token).build();
    }

    /** An entry point that calls what it is passed. */
    public static class Runner {
        /** Calls a function. */
        public Object get(Supplier<?> supplier) {
            return supplier.get();
        }

        /** Calls a function. */
        public int apply(IntUnaryOperator operator, int value) {
            return operator.applyAsInt(value);
        }
    }

    @Test
    void callsTheCallbackServer() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> lines.get(0).equals("A") ? "!yv" : "!yi42")) {
            GatewayServer server = server(python, "secret");
            server.start();
            try (TextClient client = new TextClient(server.getListeningPort())) {
                assertEquals("!yi42", client.ask("c", "t", "get", "fp7;java.util.function.Supplier", "e"));
                assertEquals(List.of("A", "secret"), python.next());
                assertEquals(List.of("c", "p7", "get"), python.next());
                assertEquals("!yi42", client.ask("c", "t", "apply", "fp8;java.util.function.IntUnaryOperator", "i5",
                    "e"));
                assertEquals(List.of("c", "p8", "applyAsInt", "i5"), python.next());
            } finally {
                server.shutdown();
            }
        }
    }

    @Test
    void convertsWhatPythonReturns() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> lines.get(2).equals("applyAsLong") ? "!yi5"
            : "!yd1.5")) {
            GatewayServer server = server(python, null);
            Object entry = server.getPythonServerEntryPoint(new Class<?>[] {ToLongFunction.class, IntSupplier.class});
            @SuppressWarnings("unchecked")
            ToLongFunction<String> function = (ToLongFunction<String>) entry;
            assertEquals(5L, function.applyAsLong("text"));
            assertEquals(List.of("c", "t", "applyAsLong", "stext"), python.next());
            IntSupplier supplier = (IntSupplier) entry;
            String text = assertThrows(Py4JException.class, supplier::getAsInt).getMessage();
            assertEquals("Incompatible output type. Expected: int Actual: java.lang.Double", text);
            server.shutdown();
        }
    }

    @Test
    void throwsWhatPythonRaised() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> "!xsTraceback")) {
            GatewayServer server = server(python, null);
            Supplier<?> entry = (Supplier<?>) server.getPythonServerEntryPoint(new Class<?>[] {Supplier.class});
            String text = assertThrows(Py4JException.class, entry::get).getMessage();
            assertEquals("An exception was raised by the Python Proxy. Return Message: Traceback", text);
            server.shutdown();
            assertEquals("Cannot obtain a new communication channel",
                assertThrows(Py4JException.class, entry::get).getMessage());
        }
    }

    @Test
    void endsWhenPythonDoes() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> null)) {
            GatewayServer server = server(python, null);
            Supplier<?> entry = (Supplier<?>) server.getPythonServerEntryPoint(new Class<?>[] {Supplier.class});
            assertEquals("Error while sending a command.", assertThrows(Py4JException.class, entry::get).getMessage());
            python.end();
            // A socket that is being closed may accept one more.
            String text = assertThrows(Py4JException.class, entry::get).getMessage();
            assertTrue(Set.of("Error while obtaining a new communication channel", "Error while sending a command.")
                .contains(text), text);
            server.shutdown();
        }
    }

    @Test
    void goesToTheNewAddress() throws Exception {
        try (ScriptedPython first = new ScriptedPython(lines -> "!yi1");
            ScriptedPython second = new ScriptedPython(lines -> "!yi2")) {
            GatewayServer server = server(first, null);
            Supplier<?> entry = (Supplier<?>) server.getPythonServerEntryPoint(new Class<?>[] {Supplier.class});
            assertEquals(1, entry.get());
            server.resetCallbackClient(InetAddress.getLoopbackAddress(), second.port());
            assertEquals(2, entry.get());
            assertEquals(second.port(), server.getPythonPort());
            server.shutdown();
        }
    }

    @Test
    void aPinnedClientAtANewAddressDoesNotAuthenticate() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> "!yi2")) {
            ClientServer server = new ClientServer.ClientServerBuilder().javaPort(0).pythonPort(1).authToken("secret")
                .build();
            server.getJavaServer().getGateway().resetCallbackClient(InetAddress.getLoopbackAddress(), python.port());
            Supplier<?> entry = (Supplier<?>) ((GatewayServer) server.getJavaServer()).getPythonServerEntryPoint(
                new Class<?>[] {Supplier.class});
            assertEquals(2, entry.get());
            assertEquals(List.of("c", "t", "get"), python.next());
            server.shutdown();
        }
    }

    @Test
    void tellsPythonOfProxiesThatAreGarbage() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> "!yv")) {
            GatewayServer server = server(python, null);
            server.getGateway().createProxy(getClass().getClassLoader(), new Class<?>[] {Supplier.class}, "p1");
            List<String> command = null;
            for (int i = 0; i < 1000 && command == null; i++) {
                System.gc();
                Thread.sleep(10);
                command = python.commandOrNull();
            }
            assertEquals(List.of("g", "p1"), command);
            server.shutdown();
        }
    }

    @Test
    void tellsPythonOfAllGarbageOverOneConnection() throws Exception {
        try (ScriptedPython python = new ScriptedPython(lines -> "!yv")) {
            ClientServer server = new ClientServer.ClientServerBuilder().javaPort(0).pythonPort(python.port()).build();
            for (int proxy = 0; proxy < 5; proxy++) {
                server.getJavaServer().getGateway().createProxy(getClass().getClassLoader(),
                    new Class<?>[] {Supplier.class}, "p" + proxy);
            }
            int told = 0;
            for (int i = 0; i < 1000 && told < 5; i++) {
                System.gc();
                Thread.sleep(10);
                while (python.commandOrNull() != null) {
                    told++;
                }
            }
            assertEquals(5, told);
            assertEquals(1, python.connections());
            server.shutdown();
        }
    }

    @Test
    void aPinnedThreadIsCalledOnItsConnection() throws IOException {
        ClientServer server = new ClientServer.ClientServerBuilder(new Runner()).javaPort(0).pythonPort(1).build();
        try (TextClient client = new TextClient(server.getJavaServer().getListeningPort())) {
            client.send("c\nt\nget\nfp0;java.util.function.Supplier\ne\n");
            assertEquals("c", client.line());
            assertEquals("p0", client.line());
            assertEquals("get", client.line());
            assertEquals("e", client.line());
            // Before Python answers it calls Java itself.
            assertEquals("!yi3", client.ask("c", "z:java.lang.Math", "max", "i2", "i3", "e"));
            assertEquals("!ysdone", client.ask("!ysdone"));
            client.send("c\nt\nget\nfp1;java.util.function.Supplier\ne\n");
            for (int i = 0; i < 4; i++) {
                client.line();
            }
            String raised = client.ask("!xsno");
            assertTrue(raised.startsWith("!xr"), raised);
        } finally {
            server.shutdown();
        }
    }

    @Test
    void refusesProxiesOfClassesAndOfNothing() throws IOException {
        GatewayServer server = new GatewayServerBuilder(new Runner()).javaPort(0).build();
        server.start();
        try (TextClient client = new TextClient(server.getListeningPort())) {
            String answer = client.ask("c", "t", "get", "fp0;java.lang.String", "e");
            assertTrue(answer.contains("This class java.lang.String is not an interface"), answer);
            answer = client.ask("c", "t", "get", "fp0;no.Such", "e");
            assertTrue(answer.contains("Invalid interface name: no.Such"), answer);
            answer = client.ask("c", "t", "get", "fp0", "e");
            assertTrue(answer.contains("Invalid Python Proxy."), answer);
        } finally {
            server.shutdown();
        }
    }
}
