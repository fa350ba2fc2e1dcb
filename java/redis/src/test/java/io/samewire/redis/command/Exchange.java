package io.samewire.redis.command;

import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyScanner;
import io.samewire.redis.resp.ReplyType;
import io.samewire.redis.resp.RequestWriter;
import io.samewire.core.Limits;
import io.samewire.redis.resp.Utf8;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/** A connection for tests: one command, one reply. The reader sees exactly the bytes of the reply. */
final class Exchange implements AutoCloseable {
    private static final int WAIT_MILLIS = 20_000;

    private final Socket socket;
    private byte[] buffer = new byte[4_096];
    private int end;

    private Exchange(Socket socket) {
        this.socket = socket;
    }

    /** Connects, asks for a version of the protocol, and empties the server. */
    static Exchange with(ValkeyServer server, int protocol) {
        try {
            Exchange made = new Exchange(new Socket(InetAddress.getLoopbackAddress(), server.port()));
            made.socket.setSoTimeout(WAIT_MILLIS);
            made.run(Connection.hello(protocol));
            made.run(Server.flushall());
            return made;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Executes a command. Its reply must be read as a whole, neither less nor more. */
    <T> T run(Command<T> command) {
        ReplyReader in = reply(command);
        T value = command.read(in);
        if (!in.isDone()) {
            throw new AssertionError(command + " has left a part of its reply");
        }
        return value;
    }

    /** Executes a command and returns a reader before its reply. Pushes before it are dropped. */
    ReplyReader reply(Command<?> command) {
        try {
            RequestWriter out = new RequestWriter();
            command.write(out);
            socket.getOutputStream().write(out.array(), 0, out.length());
            ReplyReader in = next();
            while (in.type() == ReplyType.PUSH) {
                in = next();
            }
            return in;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private ReplyReader next() throws IOException {
        ReplyScanner scanner = new ReplyScanner(Limits.DEFAULT);
        int length = scanner.scan(buffer, 0, end);
        while (length <= 0) {
            if (end == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * end);
            }
            int count = socket.getInputStream().read(buffer, end, buffer.length - end);
            if (count < 0) {
                throw new EOFException("the server has closed the connection");
            }
            end += count;
            length = scanner.scan(buffer, 0, end);
        }
        byte[] reply = Arrays.copyOf(buffer, length);
        System.arraycopy(buffer, length, buffer, 0, end - length);
        end -= length;
        return new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(reply, 0, length);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
