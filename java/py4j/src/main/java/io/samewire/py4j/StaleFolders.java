package io.samewire.py4j;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Folders of sockets that JVMs left which a signal has ended: the next gateway removes them. */
final class StaleFolders {
    /** How the folders of sockets are called; random digits follow. */
    static final String PREFIX = "samewire-py4j-";

    /** The socket in such a folder. */
    static final String SOCKET = "gateway";

    /** A folder that is younger may be one whose socket does not listen yet. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private StaleFolders() { }

    /** Removes the stale folders beside a folder: of the same user, with a socket that accepts no connections. */
    static void removeBeside(Path own) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(own.getParent(), PREFIX + "*")) {
            for (Path folder : found) {
                remove(folder, own);
            }
        } catch (IOException | RuntimeException unreadable) {
            // They cost a few bytes, a gateway that does not start costs more.
            return;
        }
    }

    private static void remove(Path folder, Path own) {
        try {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder).equals(Files.getOwner(own))
                && Files.getLastModifiedTime(folder).toInstant().isBefore(Instant.now().minus(YOUNG))
                && !isListening(folder.resolve(SOCKET))) {
                Files.deleteIfExists(folder.resolve(SOCKET));
                Files.delete(folder);
            }
        } catch (IOException gone) {
            // Its gateway removes it itself, or it holds what is not a gateway's.
            return;
        }
    }

    /** Never waits: a gateway with many connections before it listens too. */
    private static boolean isListening(Path socket) {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (ConnectException refused) {
            return false;
        } catch (IOException unknown) {
            return true;
        }
    }
}
