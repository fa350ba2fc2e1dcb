package io.samewire.redis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Arguments in locales whose charset lacks characters, or that are not text. */
class CommandLineTest extends OnOneServer {
    private static final Charset ASCII = StandardCharsets.US_ASCII;
    private static final byte[] PROCESS = "java\0-jar\0x.jar\0SET\0k\0hällo\0".getBytes(StandardCharsets.UTF_8);

    private static List<Bytes> exact(byte[] process, Charset charset, String... given) throws Usage {
        return CommandLine.exact(given, process, charset);
    }

    @Test
    void takesTheBytesThatTheSystemTells() throws Usage {
        List<Bytes> words = List.of(Bytes.of("SET"), Bytes.of("k"), Bytes.of("hällo"));
        assertEquals(words, exact(PROCESS, ASCII, "SET", "k", "h\ufffd\ufffdllo"));
        assertEquals(words, exact(PROCESS, ASCII, "SET", "k", "h??llo"));
        assertEquals(words, exact(PROCESS, StandardCharsets.UTF_8, "SET", "k", "hällo"));
        assertEquals(List.of(), exact(PROCESS, ASCII));
        byte[] broken = {'j', 0, 'a', (byte) 0xff, 0};
        assertEquals(List.of(Bytes.of(new byte[] {'a', (byte) 0xff})),
            exact(broken, StandardCharsets.UTF_8, "a\ufffd"));
    }

    @Test
    void refusesWhatWasLostWhereTheSystemDoesNotTellIt() throws Usage {
        for (byte[] process : List.of(new byte[0], "java\0other\0words\0of it\0".getBytes(ASCII))) {
            Usage lost = assertThrows(Usage.class, () -> exact(process, ASCII, "SET", "k", "h\ufffd\ufffdllo"));
            assertTrue(lost.getMessage().contains("argument 3 cannot be decoded as US-ASCII"), lost.getMessage());
            assertTrue(lost.getMessage().contains("LC_ALL=C.UTF-8"), lost.getMessage());
            assertEquals(List.of(Bytes.of("GET"), Bytes.of("hällo")), exact(process, ASCII, "GET", "hällo"));
        }
    }

    @Test
    void refusesOptionsThatAreNotText() {
        assertThrows(Usage.class, () -> CommandLine.check(List.of("-a", "\ufffd"),
            List.of(Bytes.of("-a"), Bytes.of(new byte[] {(byte) 0xff}))));
        assertThrows(Usage.class, () -> Arguments.of(List.of("PING"), "redis://:h\ufffd@localhost"));
    }

    /** A process of its own, whose arguments the JVM decodes. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void storesTheBytesOfArgumentsInTheLocaleC() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", "exec \"$0\" -cp \"$1\" io.samewire.redis.cli.Main"
            + " -u \"$2\" SET k \"$(printf 'h\\303\\244llo\\377')\"", java, System.getProperty("java.class.path"),
            server.uri()).redirectErrorStream(true);
        shell.environment().put("LC_ALL", "C");
        Process process = shell.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertEquals(Optional.of(Bytes.of(new byte[] {'h', (byte) 0xc3, (byte) 0xa4, 'l', 'l', 'o', (byte) 0xff})),
            run(Strings.get("k").as(Text.BINARY)));
    }
}
