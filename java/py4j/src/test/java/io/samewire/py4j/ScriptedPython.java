package io.samewire.py4j;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A callback server of Python's that answers commands by a function, and remembers them. */
final class ScriptedPython implements AutoCloseable {
    private final ServerSocket server;
    private final Function<List<String>, String> script;
    private final BlockingQueue<List<String>> commands = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    ScriptedPython(Function<List<String>, String> script) throws IOException {
        this.script = script;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "scripted-python");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Returns how many connections came. */
    int connections() {
        return connections.get();
    }

    /** Returns the next command that came, its lines. */
    List<String> next() throws InterruptedException {
        return commands.poll(60, TimeUnit.SECONDS);
    }

    /** Returns the next command that came, or null if none has. */
    List<String> commandOrNull() {
        return commands.poll();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                start(() -> serve(socket));
            }
        } catch (IOException ended) {
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(),
                StandardCharsets.UTF_8));
            OutputStream out = socket.getOutputStream();
            List<String> lines = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.equals("e")) {
                    lines.add(line);
                    continue;
                }
                commands.add(List.copyOf(lines));
                String answer = script.apply(List.copyOf(lines));
                if (answer == null) {
                    return;
                }
                out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                lines.clear();
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** Listens no longer. */
    void end() throws IOException {
        server.close();
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
