package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * The references of a session ({@code spec/bridge.md} section 9): objects of this JVM that the client refers to, and
 * the client's objects that this JVM refers to. Thread-safe.
 */
public final class References {
    private final Session session;
    private final Exports exports = new Exports();
    private final Imports imports;

    References(Session session) {
        this.session = session;
        this.imports = new Imports(session);
    }

    /**
     * Writes a reference to an object or null. A client's object crosses as the client's own.
     *
     * @throws SamewireException {@code unsupported} if the policy denies its class
     */
    public void write(Output out, Object object) {
        if (object == null) {
            out.varint(0);
            return;
        }
        if (object instanceof ByReference) {
            export(out, ((ByReference) object).object());
            return;
        }
        PeerObject own = peerObject(object);
        if (own != null) {
            // Its release, on another channel, must not overtake this message. The next message on this channel is
            // written only after the client has read this one.
            out.hold(own);
            out.varint(own.number() << 1);
            return;
        }
        export(out, object);
    }

    private void export(Output out, Object object) {
        int type = session.classes().number(object.getClass());
        long number = exports.export(object);
        out.exported(number);
        out.varint(number << 1 | 1);
        out.varint(type);
    }

    /** Returns the object of this session's client that an object wraps, or null. */
    public PeerObject peerObject(Object object) {
        Object holder = object;
        if (object instanceof Proxy) {
            InvocationHandler handler = Proxy.getInvocationHandler(object);
            holder = handler;
        }
        if (holder instanceof PeerObject.Holder) {
            PeerObject found = ((PeerObject.Holder) holder).peerObject();
            return found != null && found.session() == session ? found : null;
        }
        return object instanceof PeerObject && ((PeerObject) object).session() == session ? (PeerObject) object : null;
    }

    /**
     * Reads a reference: an object of this JVM, a {@link PeerObject}, or null.
     *
     * @throws SamewireException {@code malformed} if its number is unknown
     */
    public Object read(Input in) {
        int at = in.at();
        long head = in.varint();
        if (head == 0) {
            return null;
        }
        long number = head >>> 1;
        if ((head & 1) == 0) {
            return get(number, at);
        }
        int typeAt = in.at();
        if (in.varint() != 0) {
            throw new SamewireException(Code.MALFORMED, typeAt, null, "an object of Python has no class number");
        }
        if (number == 0 || number >>> 60 != 0) {
            throw new SamewireException(Code.MALFORMED, at, null, "a number of an object is of 1 to 60 bits");
        }
        return imports.arrived(number);
    }

    private Object get(long number, int at) {
        Object object = exports.get(number);
        if (object == null) {
            throw new SamewireException(Code.MALFORMED, at, null, "no object is alive with the number " + number);
        }
        return object;
    }

    /** Takes back a number that was written and will not be sent. */
    void takeBack(long number) {
        exports.release(number, 1);
    }

    /** Subtracts what the client has released. Returns false if that is more than it was sent. */
    boolean release(long number, long count) {
        return exports.release(number, count);
    }

    /** Adds the objects of this JVM that the client refers to to a map, under a prefix and their numbers. */
    public void copyExported(Map<String, Object> map, String prefix) {
        exports.copyTo(map, prefix);
    }

    /** Returns how many objects of this JVM the client refers to. */
    public int exported() {
        return exports.size();
    }

    /** Returns how many of the client's objects this JVM refers to. */
    public int imported() {
        return imports.size();
    }

    Imports imports() {
        return imports;
    }

    /** Drops all references. */
    void clear() {
        exports.clear();
        imports.clear();
    }
}
