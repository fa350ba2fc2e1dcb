package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM leaves that is killed. */
class StaleFoldersTest {
    private static Path folder(Path parent) throws IOException {
        return Files.createTempDirectory(parent, StaleFolders.PREFIX);
    }

    private static ServerSocketChannel listening(Path folder) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve(StaleFolders.SOCKET)));
        return server;
    }

    private static Path old(Path folder) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        return folder;
    }

    /** A socket's file stays when who listens is killed. */
    private static Path left(Path parent) throws IOException {
        Path folder = folder(parent);
        listening(folder).close();
        assertTrue(Files.exists(folder.resolve(StaleFolders.SOCKET)));
        return old(folder);
    }

    @Test
    void gatewayThatStartsRemovesWhatAKilledOneLeft() throws IOException {
        Path left = left(Path.of(System.getProperty("java.io.tmpdir")));
        NativeGateway.open().close();
        assertFalse(Files.exists(left));
    }

    @Test
    void removesOnlyOldFoldersWhereNobodyListens(@TempDir Path parent) throws IOException {
        Path own = folder(parent);
        Path young = folder(parent);
        Path empty = old(folder(parent));
        Path left = left(parent);
        Path strange = folder(parent);
        Files.writeString(strange.resolve("notes"), "not a gateway's");
        old(strange);
        Path live = folder(parent);
        try (ServerSocketChannel server = listening(live)) {
            old(live);
            StaleFolders.removeBeside(own);
            assertTrue(server.isOpen());
            assertFalse(Files.exists(empty));
            assertFalse(Files.exists(left));
            assertTrue(Files.exists(own));
            assertTrue(Files.exists(young));
            assertTrue(Files.exists(strange.resolve("notes")));
            assertTrue(Files.exists(live.resolve(StaleFolders.SOCKET)));
        }
    }
}
