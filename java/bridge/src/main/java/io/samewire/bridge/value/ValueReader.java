package io.samewire.bridge.value;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Tags;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads values as their natural types ({@code spec/bridge.md} section 4), primitives boxed. An object of the peer is a
 * {@link PeerObject}, and within a container a {@link io.samewire.bridge.PythonObject}.
 */
public final class ValueReader {

    private ValueReader() {}

    /**
     * Reads a value of a kind.
     *
     * @param rows whether a {@code list<N>} and {@code list<string>} may stay an array
     * @throws Thrown for a {@code result} what that call threw
     */
    public static Object read(Channel channel, Kind kind, Input in, boolean rows)
        throws Thrown {
        switch (kind.form()) {
            case NULL:
            case VOID:
                return null;
            case BOOL:
                return in.bool();
            case I8:
                return in.i8();
            case I16:
                return in.i16();
            case I32:
                return in.i32();
            case I64:
                return in.i64();
            case F32:
                return in.f32();
            case F64:
                return in.f64();
            case CHAR:
                return in.character();
            case STRING:
                return in.string();
            case BYTES:
                return in.bytes();
            case ROW:
                Object row = row(kind.element(), in);
                return rows || kind.text().charAt(0) == 'a' ? row : RowLists.of(row);
            case STRINGS:
                String[] texts = in.strings();
                return rows ? texts : new ArrayList<>(Arrays.asList(texts));
            case OPTION:
                return in.present() ? read(channel, kind.element(), in, rows) : null;
            case OBJECT:
                return channel.session().references().read(in);
            case PEER:
                return peer(channel, in);
            case RESULT:
                return channel.result(in.varint());
            case PACK:
                return Records.of(channel.session()).natural(kind.text(), in.bytes());
            default:
                return composite(channel, kind, in);
        }
    }

    private static Object peer(Channel channel, Input in) {
        int at = in.at();
        Object object = channel.session().references().read(in);
        if (!(object instanceof PeerObject)) {
            throw new SamewireException(Code.MALFORMED, at, null, "a peer is an object of the sender's");
        }
        return object;
    }

    private static Object composite(Channel channel, Kind kind, Input in) {
        switch (kind.form()) {
            case ANY:
                return any(channel, in);
            case LIST:
                return list(channel, in, in.at());
            case TUPLE:
                return Collections.unmodifiableList(list(channel, in, in.at()));
            case SET:
                return set(channel, in, in.at());
            case MAP:
                return map(channel, in, in.at());
            default:
                throw new SamewireException(Code.MALFORMED, in.at(), null, "a value has no kind " + kind);
        }
    }

    private static Object row(Kind element, Input in) {
        switch (element.form()) {
            case BOOL:
                return in.booleans();
            case I8:
                return in.bytes();
            case I16:
                return in.shorts();
            case I32:
                return in.ints();
            case I64:
                return in.longs();
            case F32:
                return in.floats();
            case F64:
                return in.doubles();
            default:
                return in.chars();
        }
    }

    private static List<Object> list(Channel channel, Input in, int at) {
        in.enterAt(at);
        int count = in.elements();
        List<Object> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            made.add(element(channel, in));
        }
        in.leave();
        return made;
    }

    private static Set<Object> set(Channel channel, Input in, int at) {
        in.enterAt(at);
        int count = in.elements();
        int objects = in.objects();
        Set<Object> made = new LinkedHashSet<>();
        List<Object> late = null;
        for (int i = 0; i < count; i++) {
            Object element = element(channel, in);
            if (late == null && in.objects() != objects) {
                late = new ArrayList<>(count - i);
            }
            (late == null ? made : late).add(element);
        }
        in.leave();
        if (late != null) {
            List<Object> rest = late;
            in.fillLater(() -> made.addAll(rest));
        }
        return made;
    }

    private static Map<Object, Object> map(Channel channel, Input in, int at) {
        in.enterAt(at);
        int count = in.entries();
        Map<Object, Object> made = new LinkedHashMap<>();
        List<Object> late = null;
        for (int i = 0; i < count; i++) {
            int objects = in.objects();
            Object key = element(channel, in);
            if (late == null && in.objects() != objects) {
                late = new ArrayList<>(2 * (count - i));
            }
            Object value = element(channel, in);
            if (late == null) {
                made.put(key, value);
            } else {
                late.add(key);
                late.add(value);
            }
        }
        in.leave();
        if (late != null) {
            List<Object> rest = late;
            in.fillLater(() -> {
                for (int i = 0; i < rest.size(); i += 2) {
                    made.put(rest.get(i), rest.get(i + 1));
                }
            });
        }
        return made;
    }

    /** Reads an element of a container: a peer's object must be a proxy, since the container may live on. */
    private static Object element(Channel channel, Input in) {
        Object value = any(channel, in);
        return value instanceof PeerObject ? PeerProxy.of((PeerObject) value, Target.OBJECT) : value;
    }

    /** Reads a tagged value. */
    static Object any(Channel channel, Input in) {
        int at = in.at();
        int tag = in.u8();
        switch (tag) {
            case Tags.NULL:
                return null;
            case Tags.FALSE:
                return Boolean.FALSE;
            case Tags.TRUE:
                return Boolean.TRUE;
            case Tags.I32:
                return in.i32();
            case Tags.I64:
                return in.i64();
            case Tags.F64:
                return in.f64();
            case Tags.F32:
                return in.f32();
            case Tags.CHAR:
                return in.character();
            case Tags.STRING:
                return in.string();
            case Tags.OBJECT:
                in.object();
                return channel.session().references().read(in);
            case Tags.LIST:
                return list(channel, in, at);
            case Tags.TUPLE:
                return Collections.unmodifiableList(list(channel, in, at));
            case Tags.SET:
                return set(channel, in, at);
            case Tags.MAP:
                return map(channel, in, at);
            case Tags.KIND:
                return record(channel, in);
            case Tags.PEER:
                return implementation(channel, in);
            default:
                return row(tag, in, at);
        }
    }

    private static Object record(Channel channel, Input in) {
        int at = in.at();
        in.object();
        Kind kind = Kind.parse(in.name(), at);
        if (kind.form() != Kind.Form.PACK) {
            throw new SamewireException(Code.MALFORMED, at, null, "the kind '" + kind + "' is not a schema of pack");
        }
        return Records.of(channel.session()).natural(kind.text(), small(in).bytes());
    }

    /** Reads a peer's object that declares its interfaces. */
    private static Object implementation(Channel channel, Input in) {
        int at = in.at();
        in.object();
        Kind kind = Kind.parse(in.name(), at);
        if (kind.interfaces().isEmpty()) {
            throw new SamewireException(Code.MALFORMED, at, null, "the kind '" + kind + "' names no interface");
        }
        PeerObject peer = (PeerObject) peer(channel, in);
        Session session = channel.session();
        return PeerProxy.of(peer, ((PeerProxy.Interfaces) session.resolver()).interfaces(session, kind), false,
            Target.OBJECT);
    }

    private static Object row(int tag, Input in, int at) {
        switch (tag) {
            case Tags.BYTES:
            case Tags.ARRAY_I8:
                return small(in).bytes();
            case Tags.LIST_BOOL:
                return RowLists.of(small(in).booleans());
            case Tags.LIST_I8:
                return RowLists.of(small(in).bytes());
            case Tags.LIST_I16:
                return RowLists.of(small(in).shorts());
            case Tags.LIST_I32:
                return RowLists.of(small(in).ints());
            case Tags.LIST_I64:
                return RowLists.of(small(in).longs());
            case Tags.LIST_F32:
                return RowLists.of(small(in).floats());
            case Tags.LIST_F64:
                return RowLists.of(small(in).doubles());
            case Tags.ARRAY_BOOL:
                return small(in).booleans();
            case Tags.ARRAY_I16:
                return small(in).shorts();
            case Tags.ARRAY_I32:
                return small(in).ints();
            case Tags.ARRAY_I64:
                return small(in).longs();
            case Tags.ARRAY_F32:
                return small(in).floats();
            case Tags.ARRAY_F64:
                return small(in).doubles();
            case Tags.ARRAY_CHAR:
                return small(in).chars();
            default:
                throw new SamewireException(Code.MALFORMED, at, null, "no value has the tag " + tag);
        }
    }

    /** Refuses a large value inside of another value. */
    private static Input small(Input in) {
        int at = in.at();
        if ((in.varint() & 1) != 0) {
            in.at(at);
            throw in.malformed("a large value within another value");
        }
        in.at(at);
        return in;
    }
}
