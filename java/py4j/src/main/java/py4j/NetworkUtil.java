package py4j;

import io.samewire.py4j.text.Sockets;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** Reads lines of commands, and closes what they came on. */
public final class NetworkUtil {
    private NetworkUtil() {}

    /** Returns the next line, a space for an empty one or none. */
    public static String safeReadLine(BufferedReader reader) throws IOException {
        return safeReadLine(reader, true);
    }

    /** Returns the next line, a text for none; with {@code addSpace} a space for an empty one. */
    public static String safeReadLine(BufferedReader reader, boolean addSpace) throws IOException {
        String line = reader.readLine();
        if (line == null || line.isEmpty()) {
            return addSpace ? " " : "";
        }
        return line;
    }

    /** Closes what is not null. Errors mean that it is gone already. */
    public static void quietlyClose(Closeable closeable) {
        Sockets.close(closeable);
    }

    /** Closes a socket that listens, if it is not null. */
    public static void quietlyClose(ServerSocket closeable) {
        Sockets.close(closeable);
    }

    /** Closes a socket, if it is not null. */
    public static void quietlyClose(Socket closeable) {
        Sockets.close(closeable);
    }

    /** Makes a socket's end a reset, so that the other side's reads and writes fail at once. */
    public static void quietlySetLinger(Socket socket) {
        Sockets.resetAtEnd(socket);
    }
}
