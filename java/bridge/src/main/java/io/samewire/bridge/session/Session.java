package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Input;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The session of a gateway with one client. Thread-safe. */
public final class Session {
    /** Called when a session has ended. */
    public interface Ends {
        /** The session has ended. */
        void ended(Session session);
    }

    /** The most sites with code of their own, each a class of 4 KB outside of the heap: a client has 65,535 sites. */
    static final int MOST_CODE = 4_096;

    private final SessionOptions options;
    private final Map<String, Long> peerRecords;
    private final Ends ends;
    private final References references = new References(this);
    private final Classes classes;
    private final Sites sites = new Sites();
    private final PeerSites peerSites = new PeerSites(this);
    private final Callbacks callbacks = new Callbacks(this);
    private final Control control;
    private final AtomicInteger code = new AtomicInteger();
    /** The call and callback channels by number. Guarded by itself, as are the next number and the end. */
    private final Map<Integer, Channel> channels = new HashMap<>();
    private int nextChannel = 1;
    private SamewireException ended;
    private volatile boolean mayEndUnnoticed;

    /**
     * Creates a session.
     *
     * @param link the control channel
     * @param peerRecords the digests of the client's records, by name, as {@code Long}s of their 8 bytes, the first the
     *     highest
     */
    public Session(SessionOptions options, Link link, Map<String, Long> peerRecords, Ends ends) {
        this.options = options;
        this.peerRecords = peerRecords;
        this.ends = ends;
        this.classes = new Classes(options.policy());
        // The program's threads write to it when they call the client; interrupts of these must not close it.
        link.steady();
        this.control = new Control(this, link);
    }

    /** Returns the resolver of sites. */
    public Resolver resolver() {
        return options.resolver();
    }

    /** Returns the policy for the client. */
    public Policy policy() {
        return options.policy();
    }

    /** Returns the limits of messages. */
    public Limits limits() {
        return options.limits();
    }

    /** Returns the most bytes of a large value. */
    public long blobBytes() {
        return options.blobBytes();
    }

    /** Returns the gateway's records by name. */
    public Map<String, Class<?>> records() {
        return options.records();
    }

    /** Returns the gateway's entry point, or null. */
    public Object entryPoint() {
        return options.entryPoint();
    }

    /** Returns the exception for a call of a Python object that the bridge could not make. */
    public RuntimeException failure(SamewireException failed) {
        return options.failure().apply(failed);
    }

    /** Returns the digests of the client's records by name. */
    public Map<String, Long> peerRecords() {
        return peerRecords;
    }

    /** Returns the references. */
    public References references() {
        return references;
    }

    /** Returns the numbers of classes. */
    public Classes classes() {
        return classes;
    }

    /** Returns whether one more site may have code of its own, and counts it. Further sites stay interpreted. */
    public boolean takeCode() {
        return code.get() < MOST_CODE && code.incrementAndGet() <= MOST_CODE;
    }

    Sites sites() {
        return sites;
    }

    PeerSites peerSites() {
        return peerSites;
    }

    Control control() {
        return control;
    }

    /**
     * Calls a method of a client's object: on this thread's channel if it serves this client, else on a callback
     * channel.
     *
     * @throws io.samewire.bridge.PythonException if Python raised an exception
     * @throws SamewireException {@code closed} if the client is gone; or an error of the client's bridge
     * @throws Throwable a Java exception that Python raised
     */
    public Object callPeer(PeerMethod method, PeerObject receiver, Object[] arguments) throws Throwable {
        Channel channel = Channel.current(this);
        if (channel != null) {
            return channel.callPeer(method, receiver, arguments);
        }
        channel = callbacks.take();
        channel.enter();
        try {
            return channel.callPeer(method, receiver, arguments);
        } finally {
            channel.leave();
            if (channel.usable()) {
                callbacks.give(channel);
            } else {
                removed(channel);
            }
        }
    }

    /** Reads the control channel until the session ends. */
    public void serveControl() {
        SamewireException why;
        try {
            control.serve();
            why = new SamewireException(Code.CLOSED, -1, null, "the client has ended the session");
        } catch (SamewireException error) {
            why = error;
        } catch (Throwable error) {
            why = new SamewireException(Code.CLOSED, -1, null, "the gateway failed", error);
        }
        end(why);
    }

    /**
     * Adds a call or callback channel.
     *
     * @throws SamewireException {@code closed} if the session has ended
     */
    public Channel newChannel(Link link) {
        synchronized (channels) {
            if (ended != null) {
                throw closed();
            }
            Channel channel = new Channel(this, nextChannel++, link);
            channels.put(channel.number(), channel);
            return channel;
        }
    }

    /**
     * Moves a call channel to another link.
     *
     * @throws SamewireException {@code misuse} if there is no such channel, or it cannot move
     */
    public void goOn(int number, Link link) {
        Channel channel;
        synchronized (channels) {
            channel = channels.get(number);
        }
        if (channel == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the session has no channel " + number);
        }
        channel.goOn(link);
    }

    /** Offers an open callback channel to threads that call the client. */
    public void opened(Channel channel) {
        channel.link().steady();
        callbacks.opened(channel);
    }

    /** The client cannot open a requested callback channel. */
    void refusedCallback() {
        callbacks.refused();
    }

    /** Serves calls on a channel until it ends. */
    public void serve(Channel channel) {
        try {
            channel.serve();
        } catch (SamewireException error) {
            ended(error);
        } catch (InternalError cut) {
            // The client has truncated the file of its ring: the channel ends, as if its socket had ended.
            ended(new SamewireException(Code.CLOSED, -1, null, "the ring's file was cut off", cut));
        } finally {
            removed(channel);
        }
    }

    /**
     * Runs the messages of a link within this process, on the client's thread. Returns false if the channel has ended.
     */
    public boolean run(Channel channel) {
        try {
            channel.run();
            return true;
        } catch (SamewireException error) {
            ended(error);
        } catch (Throwable error) {
            ended(new SamewireException(Code.CLOSED, -1, null, "the gateway failed", error));
        }
        removed(channel);
        return false;
    }

    /** Removes a channel whose welcome has not reached the client. */
    public void dropped(Channel channel) {
        removed(channel);
    }

    /** Called by the thread that works on the channel, or when none does. */
    private void removed(Channel channel) {
        channel.close();
        channel.free();
        synchronized (channels) {
            channels.remove(channel.number());
        }
    }

    /** Returns how many call and callback channels are open. */
    public int channelCount() {
        synchronized (channels) {
            return channels.size();
        }
    }

    /** Returns how many calls have been run on the channels that are open. */
    public long callCount() {
        long count = 0;
        synchronized (channels) {
            for (Channel channel : channels.values()) {
                count += channel.calls();
            }
        }
        return count;
    }

    /** Subtracts what the client has released. */
    void released(Input in) {
        int at = in.at();
        int count = in.count();
        if (count > limits().items()) {
            throw new SamewireException(Code.LIMIT_ITEMS, at, null, "a release of " + count
                + " objects exceeds limits.items, " + limits().items() + ": release fewer at once, or raise the limit");
        }
        for (int i = 0; i < count; i++) {
            at = in.at();
            long number = in.varint();
            long times = in.varint();
            if (!references.release(number, times)) {
                throw new SamewireException(Code.MALFORMED, at, null,
                    "object " + number + " is given back " + times + " times, more than it was given");
            }
        }
        in.finish();
    }

    void interrupt(long number) {
        Channel channel;
        synchronized (channels) {
            channel = number == (int) number ? channels.get((int) number) : null;
        }
        // A channel that has ended meanwhile is not an error of the client.
        if (channel != null) {
            channel.interrupt();
        }
    }

    /**
     * Handles an error of a channel. An error in a message ends the session; the end of a channel ends only that.
     * Returns the exception for the program.
     */
    SamewireException ended(SamewireException error) {
        if (error.at() < 0) {
            return error;
        }
        end(error);
        return closed();
    }

    /** Returns the error for operations on a session that has ended. */
    SamewireException closed() {
        SamewireException why;
        synchronized (channels) {
            why = ended;
        }
        return new SamewireException(Code.CLOSED, -1, null, why == null ? "the session has ended"
            : "the session has ended: " + why.getMessage(), why);
    }

    /** Ends the session: sends the reason, ends all waits, and drops all references. Idempotent. */
    public void end(SamewireException why) {
        List<Channel> open;
        synchronized (channels) {
            if (ended != null) {
                return;
            }
            ended = why;
            open = new ArrayList<>(channels.values());
            channels.clear();
        }
        for (Channel channel : open) {
            // Closed before the program is interrupted: the client gets `closed`, not what the program then throws.
            channel.close();
            channel.interrupt();
        }
        callbacks.end();
        try {
            String code = why.code().toString();
            control.bye(code, Throws.without(code, String.valueOf(why.getMessage())));
        } catch (SamewireException gone) {
            // The client is gone.
            control.close();
        }
        references.clear();
        // When a client sees the end of the control channel, the gateway must already have removed the session.
        ends.ended(this);
        control.close();
    }

    /**
     * Sends pings and queued releases, and ends the session if the client has been silent for too long. Not for a
     * client on this machine: its socket reports its end, and a silent one may just be stopped, by Ctrl-Z or in a
     * debugger.
     */
    public void upkeep(long now) {
        try {
            if (!control.upkeep(now) && mayEndUnnoticed) {
                control.close();
                end(new SamewireException(Code.CLOSED, -1, null, "the client has not answered for 15 s"));
            }
        } catch (SamewireException error) {
            end(error);
        }
    }

    /** Sets whether the client's end may go unnoticed, as that of a client on another machine. */
    public void mayEndUnnoticed(boolean elsewhere) {
        mayEndUnnoticed = elsewhere;
    }

    /** Cuts the control channel if a write to it waits for too long. Never waits. */
    public void cutIfStuck(long now) {
        if (control.stuck(now)) {
            control.close();
        }
    }
}
