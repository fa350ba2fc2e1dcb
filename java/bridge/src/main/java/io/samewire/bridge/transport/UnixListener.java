package io.samewire.bridge.transport;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A unix socket of mode 0600 in a private directory of mode 0700. */
public final class UnixListener implements Listener {
    private static final int BACKLOG = 4096;
    private static final int PERMISSIONS = 0777;
    private static final int DIRECTORY_MODE = 0700;
    private static final int SOCKET_MODE = 0600;

    private final Path path;
    private final ServerSocketChannel server;

    private UnixListener(Path path, ServerSocketChannel server) {
        this.path = path;
        this.server = server;
    }

    /**
     * Listens on a path. Makes its directory if there is none, and removes a stale socket.
     *
     * @throws SamewireException {@code misuse} if others may enter the directory, or own it
     */
    public static UnixListener open(String name) throws IOException {
        Path path = FileSystems.getDefault().getPath(name).toAbsolutePath();
        Path directory = path.getParent();
        try {
            if (!isOwn(directory)) {
                throw new SamewireException(Code.MISUSE, -1, null, "another user owns " + directory
                    + " and could put a socket in place of this one: a gateway's socket needs a directory of its own");
            }
            if ((mode(directory) & PERMISSIONS & ~DIRECTORY_MODE) != 0) {
                throw new SamewireException(Code.MISUSE, -1, null, "others may enter " + directory
                    + ": a gateway's socket needs a directory of its own, of mode 0700");
            }
        } catch (NoSuchFileException absent) {
            Files.createDirectory(directory);
            Files.setAttribute(directory, "unix:mode", DIRECTORY_MODE);
        }
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            bind(server, address);
            Files.setAttribute(path, "unix:mode", SOCKET_MODE);
        } catch (IOException error) {
            server.close();
            throw error;
        }
        return new UnixListener(path, server);
    }

    /** Returns whether this process's user owns a directory. Root may use those of others, too. */
    private static boolean isOwn(Path directory) throws IOException {
        Object owner = owner(directory);
        Path process = FileSystems.getDefault().getPath("/proc/self");
        if (Files.exists(process) && owner.equals(owner(process))) {
            return true;
        }
        // Without /proc, or if root owns its entry since this process may not be inspected: the owner of a new file.
        Path made = Files.createTempFile(null, null);
        try {
            return owner.equals(owner(made));
        } finally {
            Files.delete(made);
        }
    }

    private static Object owner(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid");
    }

    private static int mode(Path directory) throws IOException {
        return (Integer) Files.getAttribute(directory, "unix:mode");
    }

    private static void bind(ServerSocketChannel server, UnixDomainSocketAddress address) throws IOException {
        try {
            server.bind(address, BACKLOG);
        } catch (BindException taken) {
            if (isListening(address) || !isSocket(address.getPath())) {
                throw taken;
            }
            Files.delete(address.getPath());
            server.bind(address, BACKLOG);
        }
    }

    private static boolean isListening(UnixDomainSocketAddress address) {
        try (SocketChannel probe = SocketChannel.open(address)) {
            return probe.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    private static boolean isSocket(Path path) throws IOException {
        int kind = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 0170000;
        return kind == 0140000;
    }

    @Override
    public Transport accept() throws IOException {
        return new SocketTransport(server.accept());
    }

    @Override
    public String address() {
        return "unix:" + path;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException error) {
            // The directory may have been removed with its files.
            return;
        }
    }
}
