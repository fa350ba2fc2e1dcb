package io.samewire.bridge;

import io.samewire.bridge.transport.Frames;
import io.samewire.bridge.transport.SocketTransport;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** A client of a gateway, of one channel: it writes messages and reads those that come. */
final class Client implements AutoCloseable {
    static final byte[] TOKEN = new byte[32];

    final Output out = new Output(Limits.DEFAULT);
    final Input in = new Input(Limits.DEFAULT, Integer.MAX_VALUE);
    final Frames frames;
    byte[] session = new byte[0];
    int channel;

    private Client(Transport transport) {
        frames = new Frames(transport, Limits.DEFAULT.frameBytes());
    }

    /** Connects, and says nothing. */
    static Client silent(Gateway gateway) throws IOException {
        String address = gateway.address();
        if (address.startsWith("unix:")) {
            UnixDomainSocketAddress path = UnixDomainSocketAddress.of(address.substring(5));
            return new Client(new SocketTransport(SocketChannel.open(path)));
        }
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new Client(new SocketTransport(SocketChannel.open(new InetSocketAddress("127.0.0.1", port))));
    }

    /** Takes a connection of any sort. */
    static Client over(Transport transport) {
        return new Client(transport);
    }

    /** Opens a session. */
    static Client control(Gateway gateway) throws IOException {
        Client client = silent(gateway);
        client.hello(Messages.CONTROL, TOKEN, new byte[0]);
        return client.welcomed();
    }

    /** Opens a channel of this session. */
    Client open(Gateway gateway, int role) throws IOException {
        Client client = silent(gateway);
        client.hello(role, TOKEN, session);
        return client.welcomed();
    }

    void hello(int role, byte[] token, byte[] name) {
        send(Messages.HELLO, out -> {
            out.i16(1);
            out.u8(role);
            out.bytes(token);
            out.bytes(name);
            out.string("java");
            out.i64(ProcessHandle.current().pid());
            out.varint(0);
            out.varint(0);
            out.u8(0);
        });
    }

    Client welcomed() {
        expect(Messages.WELCOME);
        in.u16();
        session = in.bytes();
        channel = in.i32();
        return this;
    }

    /** Sends a message. */
    void send(int message, Consumer<Output> body) {
        out.reset();
        out.begin(message);
        body.accept(out);
        out.end();
        frames.send(out);
    }

    /** Sends the first call of a site. */
    void firstCall(int site, int action, String type, String member, String[] kinds, Consumer<Output> arguments) {
        send(Messages.FIRST_CALL, out -> {
            out.varint(site);
            out.u8(action);
            out.string(type);
            out.string(member);
            out.strings(kinds);
            out.string("");
            arguments.accept(out);
        });
    }

    /** Sends a call. */
    void call(int site, Consumer<Output> arguments) {
        send(Messages.CALL, out -> {
            out.varint(site);
            arguments.accept(out);
        });
    }

    /** Reads the next message, which must be of that sort. */
    Input expect(int message) {
        int came = receive();
        if (came != message) {
            throw new AssertionError("message " + Integer.toHexString(came) + " instead of "
                + Integer.toHexString(message) + (came == Messages.THROW ? ": " + thrown() : ""));
        }
        return in;
    }

    /** Reads the next message's first byte; -1 at the end. Releases may stand before any, if the JVM has collected. */
    int receive() {
        int message = Messages.RELEASE;
        while (message == Messages.RELEASE) {
            message = frames.receive(in) ? in.u8() : -1;
        }
        return message;
    }

    /** Reads a throw: its type, code and message. */
    String thrown() {
        if (in.varint() != 0) {
            in.varint();
        }
        return in.string() + "|" + in.string() + "|" + (in.present() ? in.string() : null);
    }

    @Override
    public void close() {
        frames.close();
    }
}
