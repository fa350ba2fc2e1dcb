package io.samewire.bridge.gateway;

import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.Dispatcher;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A call without a client, so that what the first call needs has been loaded before there is one: on one processor
 * while the other opens the socket. It calls {@code Math.max}, and leaves nothing behind.
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

    private void call() {
        SessionOptions options =
                new SessionOptions(new Dispatcher(), Policy.local(), Limits.DEFAULT, 0, Map.of(), null);
        Session session = new Session(options, new Nobody(), Map.of(), new Clients());
        Channel channel = session.newChannel(new Nobody());
        Kind number = Kind.parse("i32");
        List<Kind> kinds = new ArrayList<>();
        kinds.add(number);
        kinds.add(number);
        Output out = new Output(options.limits());
        out.begin(Messages.FIRST_CALL);
        out.varint(0);
        new Definition(Definition.STATIC, "java.lang.Math", "max", kinds, "").write(out);
        out.i32(1);
        out.i32(2);
        out.end();
        Input in = new Input(options.limits(), 0);
        in.reset(out.array(), out.message(), out.length(), null);
        channel.enter();
        try {
            channel.answer(in, new Output(options.limits()));
        } finally {
            channel.leave();
        }
    }
}
