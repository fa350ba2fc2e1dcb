package io.samewire.bridge.gateway;

import io.samewire.bridge.process.ProcessLink;
import io.samewire.bridge.ring.RingTransport;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.transport.Frames;
import io.samewire.bridge.transport.SocketTransport;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.util.Map;

/** One connection: its hello, then the channel that it becomes. */
final class Connection implements Runnable {
    /** The time of its arrival. */
    final long since = System.nanoTime();
    /** When reading its hello began: the time until the thread runs does not count as the client's silence. */
    private volatile long reading;
    private volatile boolean begun;

    private final Service service;
    private final Transport transport;
    /** Notified of the first calls of a connection that this process was started with; null for other connections. */
    private final FirstCalls first;
    private final Output out;
    /**
     * The call channel that it has become, and its session. Served directly from {@link #run()}, since an exception
     * records every frame down to the thread's first.
     */
    private Channel calls;
    private Session session;
    /** Memory that the client has offered, until a channel owns it. */
    private Transport ring;

    Connection(Service service, Transport transport) {
        this(service, transport, null);
    }

    /**
     * Creates a connection that this process was started with. It is trusted, so its hello has no time limit.
     *
     * @param first notified when its first calls are answered; null for a connection that was accepted
     */
    Connection(Service service, Transport transport, FirstCalls first) {
        this.service = service;
        this.first = first;
        this.transport = transport;
        this.out = new Output(service.options().limits());
    }

    /** Ends it. Called by any thread. */
    void cut() {
        transport.close();
    }

    /** Returns for how many nanoseconds its hello has been awaited. */
    long awaited() {
        return begun ? System.nanoTime() - reading : 0;
    }

    @Override
    public void run() {
        reading = System.nanoTime();
        begun = true;
        boolean kept = false;
        try {
            kept = open(new Frames(transport, Messages.HELLO_BYTES));
            if (calls != null) {
                session.serve(calls);
            }
        } catch (SamewireException gone) {
            // It ended before the hello was complete, or while it was answered: there is no session to report to.
            service.clients().refused();
        } finally {
            service.clients().leave(this);
            if (!kept) {
                transport.close();
            }
            if (ring != null) {
                ring.free();
            }
        }
    }

    /** Reads the hello, answers it, serves the channel. Returns whether the channel lives on without this thread. */
    private boolean open(Frames frames) {
        Input in = new Input(service.options().limits(), 0);
        Hello hello;
        try {
            if (!frames.receive(in)) {
                return false;
            }
            in.source(null);
            hello = Hello.read(in, service.token());
        } catch (SamewireException refusal) {
            return refuse(frames, refusal);
        }
        if (first == null && !service.clients().leave(this)) {
            return false;
        }
        frames.mostBytes(service.options().limits().frameBytes());
        try {
            if (hello.role == Messages.CONTROL) {
                return control(hello, frames);
            }
            Session session = service.clients().get(hello.session);
            return channel(session, hello, frames);
        } catch (SamewireException refusal) {
            return refuse(frames, refusal);
        }
    }

    private boolean refuse(Frames frames, SamewireException refusal) {
        service.clients().refused();
        out.reset();
        out.begin(Messages.REFUSED);
        out.string(refusal.code().toString());
        out.string(refusal.getMessage());
        out.end();
        frames.send(out);
        return false;
    }

    private boolean control(Hello hello, Frames frames) {
        Session session = new Session(service.options(), frames, hello.records, service.clients());
        session.mayEndUnnoticed(!transport.isOnThisMachine());
        byte[] name = service.clients().add(session);
        welcome(name, 0, hello, false);
        frames.send(out);
        session.serveControl();
        return false;
    }

    private boolean channel(Session session, Hello hello, Frames frames) {
        if (hello.goesOn) {
            return goOn(session, hello, frames);
        }
        boolean inside = hello.role == Messages.CALLS && ProcessLink.isOffered(hello.ring);
        ring = inside ? null : ring(hello);
        Channel channel = inside ? ProcessLink.open(session, hello.ring, transport)
            : session.newChannel(ring == null ? frames : new Frames(ring, frames.mostBytes()));
        boolean mapped = ring != null;
        ring = null;
        try {
            welcome(hello.session, channel.number(), hello, inside || mapped);
            frames.send(out);
        } catch (SamewireException gone) {
            session.dropped(channel);
            throw gone;
        }
        if (hello.role == Messages.CALLBACKS) {
            session.opened(channel);
            return true;
        }
        if (inside) {
            // Its calls run on the client's threads.
            return true;
        }
        if (first != null) {
            channel.mayGoOn();
            channel.tellAnswered(FirstCalls.COUNT, new Runnable() {
                @Override
                public void run() {
                    first.answered();
                }
            });
        }
        calls = channel;
        this.session = session;
        return false;
    }

    /** Moves a channel to this connection, on its own thread. */
    private boolean goOn(Session session, Hello hello, Frames frames) {
        ring = ring(hello);
        session.goOn(hello.channel, ring == null ? frames : new Frames(ring, frames.mostBytes()));
        boolean mapped = ring != null;
        ring = null;
        welcome(hello.session, hello.channel, hello, mapped);
        frames.send(out);
        return true;
    }

    /** Maps the memory that the client offers, if possible. */
    private Transport ring(Hello hello) {
        if (hello.ring == null || !service.isLocal() || !(transport instanceof SocketTransport)) {
            return null;
        }
        try {
            return RingTransport.open(((SocketTransport) transport).channel(), hello.ring, hello.capacity,
                hello.generation, service.waiting());
        } catch (IOException unmapped) {
            // The welcome reports that, and the channel uses the socket.
            return null;
        }
    }

    private void welcome(byte[] session, int channel, Hello hello, boolean ring) {
        out.reset();
        out.begin(Messages.WELCOME);
        out.i16(Messages.VERSION);
        out.bytes(session);
        out.i32(channel);
        out.string("java");
        out.i64(service.process());
        out.varint(0);
        records(hello.records);
        out.i32(service.options().limits().frameBytes());
        out.bool(ring);
        out.end();
    }

    /** Writes the digests of the records that both have. */
    private void records(Map<String, Long> named) {
        Map<String, Long> own = service.digests();
        int count = 0;
        for (String name : named.keySet()) {
            count += own.containsKey(name) ? 1 : 0;
        }
        out.varint(count);
        for (String name : named.keySet()) {
            Long digest = own.get(name);
            if (digest != null) {
                out.string(name);
                out.i64(Long.reverseBytes(digest));
            }
        }
    }
}
