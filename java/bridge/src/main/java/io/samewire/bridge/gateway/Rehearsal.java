package io.samewire.bridge.gateway;

import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.MethodCaller;
import io.samewire.bridge.invoke.Dispatcher;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.transport.Frames;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.transport.SocketTransport;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes a call without a client, on another thread than the one that starts the gateway, so that the classes for the
 * first call are loaded before a client makes it. It describes a class and calls a method that does nothing, and leaves
 * no state behind.
 */
public final class Rehearsal implements Runnable {
    private static final long LOOK_MILLIS = 10;
    private static final int MOST_LOOKS = 1000;

    private Rehearsal() {}

    /** A link without a peer. */
    private static final class Nobody implements Link {
        @Override
        public void send(Output frames) {}

        @Override
        public boolean receive(Input into) {
            return false;
        }

        @Override
        public void read(byte[] into, int from, int length) {}

        @Override
        public void close() {}
    }

    /** Begins, on a thread of its own. */
    public static void start() {
        Threads.start(new Runnable() {
            @Override
            public void run() {
                // Opening the class path takes as long as all the rest.
                MethodCaller.ofProgram();
            }
        }, "samewire-caller");
        Threads.start(new Rehearsal(), "samewire-rehearsal");
    }

    @Override
    public void run() {
        try {
            call();
        } catch (SamewireException denied) {
            // A policy may deny it, for example. The first call then loads the classes that it needs.
            return;
        }
    }

    /**
     * Acts as the client that has started a gateway, over the given connections; then connects to the gateway's socket,
     * and leaves. This loads all classes that an archive must contain: for one missing class the JVM opens the jar,
     * which delays a start by 5 ms.
     *
     * @throws IOException if the gateway does not listen
     */
    public static void meet(Transport control, Transport calls, String socket, byte[] token)
            throws IOException, InterruptedException {
        meet(control, calls, token);
        meet(connect(socket), connect(socket), token);
    }

    private static void meet(Transport first, Transport second, byte[] token) {
        Limits limits = Limits.DEFAULT;
        try (Frames control = new Frames(first, limits.frameBytes());
            Frames calls = new Frames(second, limits.frameBytes())) {
            Input in = new Input(limits, 0);
            hello(control, Messages.CONTROL, token, new byte[0], in);
            in.u16();
            hello(calls, Messages.CALLS, token, in.bytes(), in);
            Output out = new Output(limits);
            for (String name : new String[] {"java.lang.Math", "java.util.ArrayList"}) {
                writeDescribe(name, out);
                exchange(calls, out, in);
            }
            write("java.lang.Math", "max", out);
            exchange(calls, out, in);
            out.begin(Messages.FIRST_CALL);
            out.varint(0);
            new Definition(Definition.CONSTRUCT, "java.util.ArrayList", "", List.of(), "").write(out);
            out.end();
            exchange(calls, out, in);
        }
    }

    private static Transport connect(String socket) throws IOException, InterruptedException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        for (int looks = 0; ; looks++) {
            try {
                return new SocketTransport(SocketChannel.open(address));
            } catch (SocketException early) {
                if (looks == MOST_LOOKS) {
                    throw early;
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private static void exchange(Frames calls, Output out, Input in) {
        calls.send(out);
        calls.receive(in);
        out.reset();
    }

    private static void hello(Frames link, int role, byte[] token, byte[] session, Input in) {
        Output out = new Output(Limits.DEFAULT);
        out.begin(Messages.HELLO);
        out.i16(Messages.VERSION);
        out.u8(role);
        out.bytes(token);
        out.bytes(session);
        out.string("java");
        out.i64(0);
        out.varint(0);
        out.varint(0);
        out.bool(false);
        out.end();
        link.send(out);
        link.receive(in);
        in.u8();
    }

    private static void write(String type, String method, Output out) {
        Kind number = Kind.parse("i32");
        List<Kind> kinds = new ArrayList<>();
        kinds.add(number);
        kinds.add(number);
        out.begin(Messages.FIRST_CALL);
        out.varint(0);
        new Definition(Definition.STATIC, type, method, kinds, "").write(out);
        out.i32(1);
        out.i32(2);
        out.end();
    }

    private static void writeDescribe(String name, Output out) {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(Kind.parse("string"));
        out.begin(Messages.FIRST_CALL);
        out.varint(0);
        new Definition(Definition.DESCRIBE, "", "", kinds, "").write(out);
        out.string(name);
        out.end();
    }

    private void call() {
        SessionOptions options =
                new SessionOptions(new Dispatcher(), Policy.everything(), Limits.DEFAULT, 0, Map.of(), null);
        Session session = new Session(options, new Nobody(), Map.of(), new Clients());
        Channel channel = session.newChannel(new Nobody());
        channel.enter();
        try {
            Output description = new Output(options.limits());
            // A small class, whose description uses the common path.
            writeDescribe("java.lang.Boolean", description);
            answer(channel, description, options.limits());
            Output out = new Output(options.limits());
            write("java.lang.Integer", "sum", out);
            answer(channel, out, options.limits());
        } finally {
            channel.leave();
        }
    }

    private static void answer(Channel channel, Output call, Limits limits) {
        Input in = new Input(limits, 0);
        in.reset(call.array(), call.message(), call.length(), null);
        channel.answer(in, new Output(limits));
    }
}
