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
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A call without a client, so that what the first call needs has been loaded before there is one, on other processors
 * than the one that starts the gateway. It describes a class and calls a method that does nothing, and leaves nothing
 * behind.
 */
public final class Rehearsal implements Runnable {
    private Rehearsal() {}

    /** Nobody at the other end. */
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
                // To open the class path takes as long as all else.
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
            // By a policy, for one. The first call then loads what it needs.
            return;
        }
    }

    /**
     * Connects to a gateway as a client would, calls, and leaves: what is loaded then is what an archive of classes has
     * to contain.
     */
    public static void meet(String socket, byte[] token) throws IOException {
        Limits limits = Limits.DEFAULT;
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        try (Frames control = new Frames(new SocketTransport(SocketChannel.open(address)), limits.frameBytes());
            Frames calls = new Frames(new SocketTransport(SocketChannel.open(address)), limits.frameBytes())) {
            Input in = new Input(limits, 0);
            hello(control, Messages.CONTROL, token, new byte[0], in);
            in.u16();
            hello(calls, Messages.CALLS, token, in.bytes(), in);
            Output out = new Output(limits);
            write(out);
            calls.send(out);
            calls.receive(in);
        }
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

    private static void write(Output out) {
        Kind number = Kind.parse("i32");
        List<Kind> kinds = new ArrayList<>();
        kinds.add(number);
        kinds.add(number);
        out.begin(Messages.FIRST_CALL);
        out.varint(0);
        new Definition(Definition.STATIC, "java.lang.Integer", "sum", kinds, "").write(out);
        out.i32(1);
        out.i32(2);
        out.end();
    }

    /** A small class, whose description takes the way of all. */
    private static void writeDescribe(Output out) {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(Kind.parse("string"));
        out.begin(Messages.FIRST_CALL);
        out.varint(0);
        new Definition(Definition.DESCRIBE, "", "", kinds, "").write(out);
        out.string("java.lang.Boolean");
        out.end();
    }

    private void call() {
        SessionOptions options =
                new SessionOptions(new Dispatcher(), Policy.local(), Limits.DEFAULT, 0, Map.of(), null);
        Session session = new Session(options, new Nobody(), Map.of(), new Clients());
        Channel channel = session.newChannel(new Nobody());
        channel.enter();
        try {
            Output description = new Output(options.limits());
            writeDescribe(description);
            answer(channel, description, options.limits());
            Output out = new Output(options.limits());
            write(out);
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
