package io.samewire.py4j.text;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Opens and closes the streams of connections. */
public final class Sockets {
    private Sockets() {}

    /** Returns a writer of the socket's lines. */
    public static BufferedWriter writer(Socket socket) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Closes what is there. Errors mean that it is gone already. */
    public static void close(Closeable open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException gone) {
                return;
            }
        }
    }

    /** Makes a socket's end a reset, so that the other side's reads and writes fail at once. */
    public static void resetAtEnd(Socket socket) {
        if (socket != null) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException gone) {
                return;
            }
        }
    }

    /**
     * Authenticates with Python's callback server. Its answer is compared, never carried out.
     *
     * @param token the token as it stands in a line
     * @throws IOException if Python refuses
     */
    public static void authenticate(BufferedReader reader, BufferedWriter writer, String token) throws IOException {
        writer.write("A\n" + Escapes.escape(token) + "\ne\n");
        writer.flush();
        if (!"!yv".equals(reader.readLine())) {
            throw new IOException("Authentication with callback server unsuccessful.");
        }
    }
}
