package io.samewire.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.transport.SocketTransport;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;

/** The program that Python launches. */
@Timeout(180)
class GatewayMainTest {
    private static final String TOKEN = "00".repeat(32) + "\n";

    @TempDir
    private Path folder;
    private Path directory;
    private Process process;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createDirectory(folder.resolve("own"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private static String classPath() {
        List<String> homes = new ArrayList<>();
        for (Class<?> type : List.of(GatewayMain.class, SamewireException.class, Pack.class, ClassWriter.class)) {
            homes.add(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        }
        return String.join(File.pathSeparator, homes);
    }

    private void launch(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            classPath(), "io.samewire.bridge.GatewayMain"));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private void say(String text) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write(text.getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }

    private void awaitFile(Path file) throws InterruptedException {
        while (Files.notExists(file)) {
            assertTrue(process.isAlive(), "it has ended");
            Thread.sleep(5);
        }
    }

    private static void call(Client control, Client calls) {
        control.hello(Messages.CONTROL, Client.TOKEN, new byte[0]);
        control.welcomed();
        calls.hello(Messages.CALLS, Client.TOKEN, control.session);
        calls.welcomed();
        calls.firstCall(1, Definition.STATIC, "java.lang.Math", "max", new String[] {"i32", "i32"}, out -> {
            out.i32(40);
            out.i32(42);
        });
        Input in = calls.expect(Messages.FIRST_RETURN);
        assertEquals("i32", in.string());
        assertEquals(42, in.i32());
    }

    @Test
    void itServesUntilItsInputEnds() throws Exception {
        Path socket = directory.resolve("gateway.sock");
        launch("--unix", socket.toString(), "--waiting", "block");
        say(TOKEN);
        awaitFile(socket);
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        try (Client control = connect(address); Client calls = connect(address)) {
            call(control, calls);
            process.getOutputStream().close();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
            assertEquals("closed", control.expect(Messages.BYE).string());
        }
        assertFalse(Files.exists(directory), "its directory has gone with it");
    }

    /** Bound, it may not listen yet. */
    private static Client connect(UnixDomainSocketAddress address) throws InterruptedException, IOException {
        for (;;) {
            try {
                return Client.over(new SocketTransport(SocketChannel.open(address)));
            } catch (IOException early) {
                Thread.sleep(5);
            }
        }
    }

    @Test
    void itWritesItsPort() throws Exception {
        Path port = directory.resolve("port");
        launch("--tcp", "127.0.0.1:0", "--port-file", port.toString());
        say(TOKEN);
        awaitFile(port);
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(Files.readString(port)));
        try (Client control = Client.over(new SocketTransport(SocketChannel.open(address)));
            Client calls = Client.over(new SocketTransport(SocketChannel.open(address)))) {
            call(control, calls);
        }
    }

    @Test
    void itSaysHowItIsUsed() throws Exception {
        launch("--help");
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        for (String option : List.of("usage: ", "--unix ", "--tcp ", "--port-file ", "--waiting ", "--allow ",
            "--deny ", "--record ", "--help ")) {
            assertTrue(said.contains(option), said);
        }
    }

    @Test
    void itRehearses() throws Exception {
        launch("--rehearse", directory.resolve("gateway.sock").toString());
        assertEquals("", new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, process.waitFor());
        assertFalse(Files.exists(directory), "its directory has gone with it");
    }

    @Test
    void itSaysWhatIsWrong() throws Exception {
        String[][] wrong = {{"--unix"}, {"--nothing", "a"}, {"--waiting", "long"}, {"--tcp", "127.0.0.1:no"},
            {"--record", "no.Such"}, {"--unix", directory.resolve("s").toString()}};
        for (String[] arguments : wrong) {
            launch(arguments);
            say("no token\n");
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(said.startsWith("samewire: misuse: "), said);
            assertEquals(1, process.waitFor());
        }
    }
}
