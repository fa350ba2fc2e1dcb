package io.samewire.py4j;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends lines and reads lines. */
final class TextClient implements AutoCloseable {
    private static final int MOST_MILLIS = 60_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    TextClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MOST_MILLIS);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = socket.getOutputStream();
    }

    /** Sends lines, between spaces, as one command; returns the answer. */
    String ask(String... lines) throws IOException {
        send(String.join("\n", lines) + "\n");
        return in.readLine();
    }

    void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Returns the next line; null at the end. */
    String line() throws IOException {
        return in.readLine();
    }

    /** Reads to the end, and returns whether it came: by an end or by a reset. */
    boolean ends() {
        try {
            while (in.readLine() != null) {
                continue;
            }
            return true;
        } catch (java.net.SocketTimeoutException still) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Sends a text by characters, with pauses, and returns whether the server ended the connection meanwhile. */
    boolean endsWhileSending(String text) {
        try {
            for (int i = 0; i < text.length(); i++) {
                send(text.substring(i, i + 1));
                Thread.sleep(5);
            }
            return false;
        } catch (IOException ended) {
            return true;
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Ends the connection. */
    void end() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
