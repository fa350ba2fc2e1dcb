package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.value.Conversion;
import io.samewire.bridge.value.PeerProxy;
import io.samewire.bridge.value.Records;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.value.ValueReader;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * Reads one argument of a site. This is in two steps, so that a value which does not fit leaves the message read to its
 * end: {@link #read} takes the bytes, {@link #convert} makes what the parameter declares.
 */
public final class ArgumentReader {
    private final Kind kind;
    private final Target target;
    private final boolean rows;
    /** The class of {@code object C}. */
    private final Class<?> type;
    private final Class<?>[] interfaces;
    /** Reads messages of pack as the declared type; null if that is their natural one. */
    private final Records.Reader packed;
    private final boolean asIs;

    private ArgumentReader(Kind kind, Target target, Class<?> type, Class<?>[] interfaces, Records.Reader packed,
        boolean asIs) {
        this.kind = kind;
        this.target = target;
        this.rows = target.raw().isArray();
        this.type = type;
        this.interfaces = interfaces;
        this.packed = packed;
        this.asIs = asIs;
    }

    /** Returns a reader of values of a kind for a parameter or field of a type. */
    static ArgumentReader of(Session session, Kind kind, Target target) {
        Class<?> type = null;
        Class<?>[] interfaces = null;
        Records.Reader packed = null;
        boolean asIs = false;
        switch (kind.form()) {
            case OBJECT:
                type = kind.number() == 0 ? null : session.classes().get(kind.number());
                asIs = type != null;
                break;
            case PEER:
                interfaces = ArgumentTypes.interfaces(session, kind);
                break;
            case PACK:
                packed = ArgumentTypes.packedReader(session, kind.text(), target);
                break;
            case NULL:
                asIs = true;
                break;
            default:
                Class<?> natural = ArgumentTypes.plain(kind);
                asIs = natural != null && (natural == target.raw() || target.isOpen());
        }
        return new ArgumentReader(kind, target, type, interfaces, packed, asIs);
    }

    /** Returns the kind. */
    Kind kind() {
        return kind;
    }

    /** Returns what the parameter declares. */
    Target target() {
        return target;
    }

    /**
     * Reads the bytes of a value.
     *
     * @throws Thrown what the call threw whose result this is
     */
    public Object read(Channel channel, Input in) throws Thrown {
        if (kind.form() == Kind.Form.PACK) {
            return in.bytes();
        } else if (type == null) {
            return ValueReader.read(channel, kind, in, rows);
        }
        int at = in.at();
        Object object = channel.session().references().read(in);
        if (object != null && !type.isInstance(object)) {
            throw new SamewireException(Code.MALFORMED, at, null, "an object of the class "
                + object.getClass().getName() + " where the site says " + type.getName());
        }
        return object;
    }

    /**
     * Returns the value as the parameter's class takes it, boxed if that is primitive.
     *
     * @throws SamewireException {@code type_mismatch} without an offset if it does not fit
     */
    public Object convert(Session session, Object value) {
        if (asIs) {
            return value;
        } else if (interfaces != null) {
            PeerObject peer = (PeerObject) value;
            return interfaces.length == 0 ? PeerProxy.of(peer, target.raw()) : PeerProxy.of(peer, interfaces, false);
        } else if (kind.form() == Kind.Form.PACK) {
            return packed != null ? packed.read((byte[]) value)
                : Conversion.convert(ArgumentTypes.records(session).natural(kind.text(), (byte[]) value), target);
        }
        return Conversion.convert(value, target);
    }
}
