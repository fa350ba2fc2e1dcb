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
 * Reads one argument of a site, in two steps: {@link #read} reads the bytes, {@link #convert} converts the value to the
 * parameter's type. So the message is read completely even if a value does not fit.
 *
 * <p>The usual kinds have a class each, although {@link ValueReader} has them all: the JIT would inline its switch into
 * the loop over a call's arguments, and compile that for half a second of CPU. It does not inline megamorphic calls.
 */
public abstract class ArgumentReader {
    private final Kind kind;
    private final Target target;
    private final Class<?>[] interfaces;
    /** Reads pack messages as the declared type; null if that is their natural one. */
    private final Records.Reader packed;
    private final boolean asIs;

    private ArgumentReader(Kind kind, Target target, Class<?>[] interfaces, Records.Reader packed, boolean asIs) {
        this.kind = kind;
        this.target = target;
        this.interfaces = interfaces;
        this.packed = packed;
        this.asIs = asIs;
    }

    /** Returns a reader of values of a kind for a parameter or field of a type. */
    static ArgumentReader of(Session session, Kind kind, Target target) {
        switch (kind.form()) {
            case OBJECT:
                return kind.number() == 0 ? new OfKind(kind, target, null, false)
                    : new OfReference(kind, target, session.classes().get(kind.number()));
            case PEER:
                return new OfKind(kind, target, ArgumentTypes.interfaces(session, kind), false);
            case PACK:
                return new OfMessage(kind, target, ArgumentTypes.packedReader(session, kind.text(), target));
            case NULL:
                return new OfKind(kind, target, null, true);
            default:
                Class<?> natural = ArgumentTypes.plain(kind);
                return plain(kind, target, natural != null && (natural == target.raw() || target.isOpen()));
        }
    }

    private static ArgumentReader plain(Kind kind, Target target, boolean asIs) {
        switch (kind.form()) {
            case STRING:
                return new OfString(kind, target, asIs);
            case I32:
                return new OfInt(kind, target, asIs);
            case I64:
                return new OfLong(kind, target, asIs);
            case F64:
                return new OfDouble(kind, target, asIs);
            case BOOL:
                return new OfBoolean(kind, target, asIs);
            default:
                return new OfKind(kind, target, null, asIs);
        }
    }

    /** Returns the kind. */
    Kind kind() {
        return kind;
    }

    /** Returns the parameter's type. */
    Target target() {
        return target;
    }

    /** Returns whether {@link #convert} returns each value unchanged. */
    boolean isAsIs() {
        return asIs;
    }

    /**
     * Reads the bytes of a value.
     *
     * @throws Thrown the exception of the call whose result this is
     */
    public abstract Object read(Channel channel, Input in) throws Thrown;

    /**
     * Converts the value to the parameter's class, boxed if that is primitive.
     *
     * @throws SamewireException {@code type_mismatch} without an offset if it does not fit
     */
    public Object convert(Session session, Object value) {
        if (asIs) {
            return value;
        } else if (interfaces != null) {
            PeerObject peer = (PeerObject) value;
            return interfaces.length == 0 ? PeerProxy.of(peer, target) : PeerProxy.of(peer, interfaces, false, target);
        } else if (kind.form() == Kind.Form.PACK) {
            return packed != null ? packed.read((byte[]) value)
                : Conversion.convert(ArgumentTypes.records(session).natural(kind.text(), (byte[]) value), target);
        }
        return Conversion.convert(value, target);
    }

    /** Reads {@code object C}. */
    private static final class OfReference extends ArgumentReader {
        private final Class<?> type;

        OfReference(Kind kind, Target target, Class<?> type) {
            super(kind, target, null, null, true);
            this.type = type;
        }

        @Override
        public Object read(Channel channel, Input in) {
            int at = in.at();
            Object object = channel.session().references().read(in);
            if (object != null && !type.isInstance(object)) {
                throw new SamewireException(Code.MALFORMED, at, null, "an object of the class "
                    + object.getClass().getName() + " where the site says " + type.getName());
            }
            return object;
        }
    }

    /** Reads a pack message. */
    private static final class OfMessage extends ArgumentReader {
        OfMessage(Kind kind, Target target, Records.Reader packed) {
            super(kind, target, null, packed, false);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.bytes();
        }
    }

    private static final class OfString extends ArgumentReader {
        OfString(Kind kind, Target target, boolean asIs) {
            super(kind, target, null, null, asIs);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.string();
        }
    }

    private static final class OfInt extends ArgumentReader {
        OfInt(Kind kind, Target target, boolean asIs) {
            super(kind, target, null, null, asIs);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.i32();
        }
    }

    private static final class OfLong extends ArgumentReader {
        OfLong(Kind kind, Target target, boolean asIs) {
            super(kind, target, null, null, asIs);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.i64();
        }
    }

    private static final class OfDouble extends ArgumentReader {
        OfDouble(Kind kind, Target target, boolean asIs) {
            super(kind, target, null, null, asIs);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.f64();
        }
    }

    private static final class OfBoolean extends ArgumentReader {
        OfBoolean(Kind kind, Target target, boolean asIs) {
            super(kind, target, null, null, asIs);
        }

        @Override
        public Object read(Channel channel, Input in) {
            return in.bool();
        }
    }

    /** Reads values of any other kind. */
    private static final class OfKind extends ArgumentReader {
        private final boolean rows;

        OfKind(Kind kind, Target target, Class<?>[] interfaces, boolean asIs) {
            super(kind, target, interfaces, null, asIs);
            this.rows = target.raw().isArray();
        }

        @Override
        public Object read(Channel channel, Input in) throws Thrown {
            return ValueReader.read(channel, kind(), in, rows);
        }
    }
}
