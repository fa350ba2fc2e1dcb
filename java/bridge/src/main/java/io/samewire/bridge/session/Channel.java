package io.samewire.bridge.session;

import io.samewire.bridge.transport.Link;
import io.samewire.bridge.transport.PassedOver;
import io.samewire.bridge.wire.Blobs;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.List;

/**
 * A pair of streams of messages, on which one thread works at a time: it runs the client's calls, and calls the client
 * from within them ({@code spec/bridge.md} section 6).
 */
public final class Channel implements Blobs {
    /** The depth of nested calls, as a multiple of that of values. */
    private static final int DEPTH_FACTOR = 16;
    private static final ThreadLocal<Channel> CURRENT = new ThreadLocal<>();

    private final Session session;
    private final int number;
    private Link link;
    /** The link to switch to after the next received message; null if it stays. */
    private volatile Link next;
    private volatile boolean mayGoOn;
    /** The replies to send until {@link #answered} is called; 0 if it has been. */
    private int untold;
    private Runnable answered;
    private final RunState state = new RunState();
    /** The buffers of nested calls; the first {@code level} are in use. */
    private Exchange[] exchanges = new Exchange[4];
    private int level;
    /** The number of calls; other threads see it with a delay. */
    private long calls;
    /** The batch whose call runs, or null. */
    private Batch batch;
    /** What the program of the last invocation threw; else null. */
    private Thrown threw;
    /** Whether the last message was skipped; its large values may follow. */
    private boolean passed;
    /** Whether messages were lost, so that it cannot be used again. */
    private volatile boolean broken;
    /** The channel on which this thread worked before it took this one. */
    private Channel beneath;

    Channel(Session session, int number, Link link) {
        this.session = session;
        this.number = number;
        this.link = link;
    }

    /** Returns the channel on which this thread works, or null if there is none. */
    public static Channel current() {
        return CURRENT.get();
    }

    /** Returns the channel on which this thread works for a session, or null if there is none. */
    static Channel current(Session session) {
        Channel channel = CURRENT.get();
        while (channel != null && channel.session != session) {
            channel = channel.beneath;
        }
        return channel;
    }

    /** Returns the session. */
    public Session session() {
        return session;
    }

    /** Returns the number that both peers use for the channel. */
    public int number() {
        return number;
    }

    /** Returns whether it can be used. */
    boolean usable() {
        return !broken;
    }

    long calls() {
        return calls;
    }

    /** Allows the channel to move to another connection, once. */
    public void mayGoOn() {
        mayGoOn = true;
    }

    /** Registers a callback for when so many calls of {@link #serve()} are answered. */
    public void tellAnswered(int calls, Runnable told) {
        untold = calls;
        answered = told;
    }

    /**
     * Moves the channel to another link when the client has sent one more message over this one. Called by any thread.
     *
     * @throws SamewireException {@code misuse} if the channel cannot move
     */
    void goOn(Link other) {
        synchronized (state) {
            if (!mayGoOn) {
                throw new SamewireException(Code.MISUSE, -1, null, "channel " + number + " stays on its connection");
            }
            mayGoOn = false;
            next = other;
        }
    }

    private void goOn() {
        Link before = link;
        link = next;
        next = null;
        before.close();
    }

    Link link() {
        return link;
    }

    /** Makes this the channel of the current thread. */
    public void enter() {
        beneath = CURRENT.get();
        CURRENT.set(this);
        state.thread(Thread.currentThread());
    }

    /** Undoes {@link #enter()}. */
    public void leave() {
        state.thread(null);
        CURRENT.set(beneath);
        beneath = null;
    }

    /** Interrupts the program that runs for the client on this channel. Called by any thread. */
    void interrupt() {
        state.interrupt();
    }

    /** Makes the next call begin with an interrupt. Called by the thread that runs it. */
    public void interruptNext() {
        state.interruptNext();
    }

    /** Ends the channel: waiting calls end with {@code closed}. Called by any thread. */
    void close() {
        link.close();
        Link other = next;
        if (other != null) {
            other.close();
        }
    }

    /** Frees the memory of its links, after the last thread has left it. */
    void free() {
        link.free();
        Link other = next;
        if (other != null) {
            other.free();
        }
    }

    /**
     * Serves the client's calls until the channel ends, on a thread that does nothing else.
     *
     * @throws SamewireException what ended it, unless the client did so between two messages
     */
    public void serve() {
        enter();
        try {
            Exchange exchange = push();
            while (receiveCall(exchange)) {
                if (answer(exchange.in, exchange.out)) {
                    send(exchange.out);
                    if (untold > 0 && --untold == 0) {
                        answered.run();
                    }
                } else if (next != null) {
                    goOn();
                }
            }
        } finally {
            leave();
        }
    }

    /**
     * Serves the client's calls that have arrived, on the thread that brought them.
     *
     * @throws SamewireException what ended the channel
     */
    void run() {
        enter();
        try {
            Exchange exchange = push();
            while (receiveCall(exchange)) {
                if (answer(exchange.in, exchange.out)) {
                    link.send(exchange.out);
                }
            }
        } finally {
            level = 0;
            leave();
        }
    }

    private Exchange push() {
        if (level == exchanges.length) {
            if (level >= DEPTH_FACTOR * session.limits().depth()) {
                throw new SamewireException(Code.LIMIT_DEPTH, -1, null,
                    "calls within calls are deeper than " + level + ": raise limits.depth");
            }
            exchanges = Arrays.copyOf(exchanges, 2 * level);
        }
        Exchange exchange = exchanges[level];
        if (exchange == null) {
            exchange = new Exchange(session.limits(), session.blobBytes());
            exchanges[level] = exchange;
        }
        level++;
        return exchange;
    }

    /** Receives a message. The arrays of messages that are still being read must not be reused for it. */
    private boolean receive(Input into) {
        for (int i = level - 2; i >= 0; i--) {
            exchanges[i].in.detach();
        }
        boolean more = link.receive(into);
        into.source(this);
        return more;
    }

    /** Receives a message; replies with an error to calls for which there is no memory. */
    private boolean receiveCall(Exchange exchange) {
        while (true) {
            try {
                if (!receive(exchange.in)) {
                    return false;
                } else if (!passed || !isLarge(exchange.in)) {
                    passed = false;
                    return true;
                }
            } catch (PassedOver call) {
                passed = true;
                String what = switch (call.message()) {
                    case Messages.CALL, Messages.FIRST_CALL -> "call";
                    case Messages.BATCH -> "batch";
                    default -> throw call;
                };
                exchange.out.reset();
                Throws.write(session, call.error("The " + what + " has not run"), exchange.out);
                send(exchange.out);
            }
        }
    }

    /** Whether a message is a piece of a large value of the previous message. */
    private static boolean isLarge(Input in) {
        int message = in.u8();
        in.at(0);
        return message == Messages.BLOB;
    }

    private void send(Output out) {
        link.send(out);
        out.dropBlobs();
    }

    /** Reads a piece of a large argument. Interrupts are held off meanwhile. */
    @Override
    public void read(byte[] into, int from, int length) {
        state.leave();
        try {
            link.read(into, from, length);
        } finally {
            state.resume();
        }
    }

    /**
     * Handles a message. Returns whether there is a reply, in {@code out}.
     *
     * @throws SamewireException an error in the message: the session ends
     */
    public boolean answer(Input in, Output out) {
        int message = in.u8();
        out.reset();
        switch (message) {
            case Messages.CALL: case Messages.FIRST_CALL:
                session.references().imports().release(out);
                // Not in a method of its own: every frame makes the program's stack traces more expensive.
                state.begin();
                try {
                    perform(message, in, out);
                } finally {
                    state.end();
                }
                return true;
            case Messages.BATCH:
                session.references().imports().release(out);
                batch(in, out);
                return true;
            case Messages.RELEASE:
                session.released(in);
                return false;
            default:
                throw new SamewireException(Code.MALFORMED, 0, null,
                    "the message " + message + " where a call is awaited");
        }
    }

    private void batch(Input in, Output out) {
        Batch outer = batch;
        state.begin();
        try {
            batch = new Batch(this, in);
            batch.run(out);
        } finally {
            batch = outer;
            state.end();
        }
    }

    /** Runs a call whose first byte has been read, and appends its reply. */
    void perform(int message, Input in, Output out) {
        int at = in.at();
        long siteNumber = in.varint();
        boolean first = message == Messages.FIRST_CALL;
        Site site = first ? session.sites().define(siteNumber, Definition.read(in), at)
            : session.sites().get(siteNumber, at);
        int arguments = in.at();
        int frame = out.length();
        int exported = out.exportedCount();
        calls++;
        Throwable thrown;
        try {
            Invocation invocation = first ? resolve(siteNumber, site) : site.known(siteNumber, at);
            Kind result = invocation.result();
            out.begin(first ? Messages.FIRST_RETURN
                : result.form() == Kind.Form.VOID ? Messages.NOTHING : Messages.RETURN);
            if (first) {
                out.string(result.text());
            }
            invocation.invoke(this, in, out);
            out.end();
            thrown = takeThrown();
        } catch (Throwable error) {
            thrown = error;
        }
        if (thrown == null) {
            in.finish();
        } else {
            SamewireException limit = Leftovers.beyondLimits(thrown);
            if (limit == null && thrown instanceof SamewireException && ((SamewireException) thrown).at() >= 0) {
                throw (SamewireException) thrown;
            }
            takeBack(out, exported);
            out.truncate(frame, 0);
            refuse(limit == null ? thrown : limit, in, arguments, site.definition, out);
        }
    }

    private Invocation resolve(long number, Site site) {
        Invocation found = null;
        try {
            found = site.resolve(session);
            return found;
        } finally {
            if (found == null) {
                session.sites().forget(number, site);
            } else {
                session.sites().keep(number, site);
            }
        }
    }

    private void refuse(Throwable thrown, Input in, int arguments, Definition definition, Output out) {
        Leftovers.pass(this, in, arguments, definition.arguments());
        if (batch != null) {
            batch.threw(thrown);
        }
        Throws.write(session, thrown, out);
    }

    /** Takes back the objects that a message exported, except for the first so many: they are not sent. */
    void takeBack(Output out, int exported) {
        while (out.exportedCount() > exported) {
            session.references().takeBack(out.takeExported());
        }
    }

    /** Stores what the called program threw: the invocation then returns without writing a result. */
    public void threw(Thrown what) {
        threw = what;
    }

    /** Returns and clears what {@link #threw(Thrown)} stored, or null. */
    public Thrown takeThrown() {
        Thrown what = threw;
        if (what != null) {
            threw = null;
        }
        return what;
    }

    /** Returns whether the call that runs is one of a batch. */
    public boolean batching() {
        return batch != null;
    }

    /** Stores the result of a batch's call for its later calls. */
    public void keep(Object result) {
        batch.keep(result);
    }

    /**
     * Returns the result of an earlier call of the batch.
     *
     * @throws Thrown what that call threw
     * @throws SamewireException {@code malformed} if there is no such call
     */
    public Object result(long index) throws Thrown {
        if (batch == null) {
            throw new SamewireException(Code.MALFORMED, 0, null, "the result of another call, outside of a batch");
        }
        return batch.result(index);
    }

    /** Calls a method of a client's object, on this channel. */
    Object callPeer(PeerMethod method, PeerObject receiver, Object[] arguments) throws Throwable {
        if (!link.hasRoom()) {
            throw new SamewireException(Code.LIMIT_DEPTH, -1, null,
                "calls within calls have used up this thread's stack: nest fewer, or give it more (-Xss)");
        }
        Exchange exchange = push();
        Batch outer = batch;
        batch = null;
        Throwable thrown;
        try {
            PeerSite site = method.site(session);
            Kind known = site.result;
            Output out = exchange.out;
            writeCall(method, site, known == null, receiver, arguments, out);
            exchange(exchange);
            Input in = exchange.in;
            int message = in.u8();
            if (message != Messages.THROW) {
                return reply(message, in, method, site, known);
            }
            thrown = Throws.read(session, in);
        } catch (Thrown limit) {
            thrown = limit.getCause();
        } catch (SamewireException error) {
            throw session.ended(error);
        } finally {
            // The next call at this level may come much later: do not keep the objects until then.
            exchange.out.letGo();
            level--;
            batch = outer;
        }
        throw thrown;
    }

    /**
     * Writes a call. Whether it is a first one is a parameter, and not looked up: another thread's first call of the
     * site may be answered at any time, and the reply has to be read as the call was written.
     */
    private void writeCall(PeerMethod method, PeerSite site, boolean first, PeerObject receiver, Object[] arguments,
        Output out) {
        out.reset();
        session.references().imports().release(out);
        out.begin(first ? Messages.FIRST_CALL : Messages.CALL);
        out.varint(site.number);
        if (first) {
            method.definition().write(out);
        }
        boolean written = false;
        try {
            method.write(this, receiver, arguments, out);
            out.end();
            written = true;
        } finally {
            if (!written) {
                takeBack(out, 0);
            }
        }
    }

    /** Sends a call, and runs the calls that arrive before its reply. The reply's first byte is not read yet. */
    private void exchange(Exchange exchange) throws Thrown {
        boolean replied = false;
        state.leave();
        try {
            send(exchange.out);
            while (!replied) {
                if (!receiveCall(exchange)) {
                    throw new SamewireException(Code.CLOSED, -1, null, "the client has ended the channel");
                }
                replied = isReply(exchange.in);
                if (!replied && answer(exchange.in, exchange.out)) {
                    send(exchange.out);
                }
            }
        } catch (PassedOver reply) {
            if (!isReply(reply.message())) {
                throw reply;
            }
            replied = true;
            throw new Thrown(reply.error("It was the reply of a call into Python, which has run"));
        } finally {
            state.resume();
            if (!replied) {
                broken = true;
                link.close();
            }
        }
    }

    private static boolean isReply(Input in) {
        int message = in.u8();
        in.at(0);
        return isReply(message);
    }

    private static boolean isReply(int message) {
        return message >= Messages.NOTHING && message <= Messages.THROW;
    }

    private Object reply(int message, Input in, PeerMethod method, PeerSite site, Kind known) throws Thrown {
        switch (message) {
            case Messages.FIRST_RETURN:
                if (known != null) {
                    break;
                }
                int at = in.at();
                Kind kind = Kind.parse(in.string(), at);
                if (site.number != 0) {
                    site.result = kind;
                }
                return value(in, method, kind);
            case Messages.NOTHING:
                if (known == null || known.form() != Kind.Form.VOID) {
                    break;
                }
                in.finish();
                return null;
            default:
                if (known == null || known.form() == Kind.Form.VOID) {
                    break;
                }
                return value(in, method, known);
        }
        throw new SamewireException(Code.MALFORMED, 0, null, "the message " + message + " is not a reply to this call");
    }

    private Object value(Input in, PeerMethod method, Kind kind) throws Thrown {
        int at = in.at();
        Object value;
        try {
            value = kind.form() == Kind.Form.VOID ? null : method.read(this, kind, in);
        } catch (SamewireException error) {
            SamewireException limit = Leftovers.beyondLimits(error);
            if (limit == null) {
                throw error;
            }
            Leftovers.pass(this, in, at, List.of(kind));
            throw new Thrown(limit);
        } catch (OutOfMemoryError full) {
            Leftovers.pass(this, in, at, List.of(kind));
            throw new Thrown(new OutOfMemoryError(full.getMessage() + ": there is no room in this JVM for what a call"
                + " into Python returned, which has run; return less at once, or give the JVM more memory"
                + " (launch(options='-Xmx...'))"));
        }
        in.finish();
        return value;
    }
}
