package io.samewire.bridge.session;

import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.concurrent.locks.ReentrantLock;

/** The control channel of a session: one thread reads it, all threads may write. */
final class Control {
    private static final long SILENCE_NANOS = 15_000_000_000L;
    private static final long STUCK_NANOS = 5_000_000_000L;

    private final Session session;
    private final Link link;
    private final Input in;
    private final Output out;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long heard = System.nanoTime();
    private volatile boolean asked;
    /** The start time of the current write; 0 if there is none. */
    private volatile long writing;

    Control(Session session, Link link) {
        this.session = session;
        this.link = link;
        this.in = new Input(session.limits(), 0);
        this.out = new Output(session.limits());
    }

    /**
     * Reads until the channel ends.
     *
     * @throws SamewireException what ended it, unless the client did so between two messages
     */
    void serve() {
        while (link.receive(in)) {
            in.source(null);
            heard = System.nanoTime();
            asked = false;
            int message = in.u8();
            switch (message) {
                case Messages.RELEASE:
                    session.released(in);
                    break;
                case Messages.INTERRUPT:
                    session.interrupt(in.varint());
                    in.finish();
                    break;
                case Messages.PING:
                    long question = in.i64();
                    in.finish();
                    number(Messages.PONG, question);
                    break;
                case Messages.PONG:
                    in.i64();
                    in.finish();
                    break;
                case Messages.MORE:
                    in.finish();
                    session.refusedCallback();
                    break;
                case Messages.BYE:
                    String code = in.string();
                    String text = in.string();
                    in.finish();
                    throw new SamewireException(Code.CLOSED, -1, null, "the client has ended the session ("
                        + code + ": " + text + ")");
                default:
                    throw new SamewireException(Code.MALFORMED, 0, null,
                        "the message " + message + " on a control channel");
            }
        }
    }

    /** Requests one more callback channel. */
    void more() {
        lock.lock();
        try {
            out.reset();
            out.begin(Messages.MORE);
            send();
        } finally {
            lock.unlock();
        }
    }

    private void number(int message, long value) {
        lock.lock();
        try {
            out.reset();
            out.begin(message);
            out.i64(value);
            send();
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        out.end();
        writing = System.nanoTime() | 1;
        try {
            link.send(out);
        } finally {
            writing = 0;
        }
    }

    /** Sends the reason for which the session ends. */
    void bye(String code, String text) {
        lock.lock();
        try {
            out.reset();
            out.begin(Messages.BYE);
            out.string(code);
            out.string(text);
            send();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends queued releases, and pings a silent client. Returns false if the client has been silent for too long.
     */
    boolean upkeep(long now) {
        lock.lock();
        try {
            out.reset();
            while (session.references().imports().release(out)) {
                send();
                out.reset();
            }
        } finally {
            lock.unlock();
        }
        long silent = now - heard;
        if (silent > 2 * SILENCE_NANOS) {
            return false;
        }
        if (silent > SILENCE_NANOS && !asked) {
            asked = true;
            number(Messages.PING, now);
        }
        return true;
    }

    /** Returns whether a write has been blocked for too long. Takes no lock. */
    boolean stuck(long now) {
        long since = writing;
        return since != 0 && now - since > STUCK_NANOS;
    }

    void close() {
        link.close();
    }
}
