package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Session;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads results as a client does: by their kinds, an object as a {@link Ref}. */
final class Result {
    /** A reference to an object of the gateway's, or ({@code own}) of Python's. */
    record Ref(long number, int type, boolean own) {}

    /** A message of pack. */
    record Packed(String schema, byte[] message) {}

    private final Session session;
    private final Input in;

    Result(Session session, Input in) {
        this.session = session;
        this.in = in;
    }

    Object read(Kind kind) {
        switch (kind.form()) {
            case VOID: return null;
            case BOOL: return in.bool();
            case I8: return in.i8();
            case I16: return in.i16();
            case I32: return in.i32();
            case I64: return in.i64();
            case F32: return in.f32();
            case F64: return in.f64();
            case CHAR: return in.character();
            case STRING: return in.string();
            case BYTES: return in.bytes();
            case STRINGS: return in.strings();
            case OPTION: return in.present() ? read(kind.element()) : null;
            case OBJECT: return reference();
            case ANY: return any();
            case LIST: case TUPLE: return list();
            case SET: return new LinkedHashSet<>(list());
            case MAP: return map();
            case ROW: return row(kind.element().form());
            case PACK: return new Packed(kind.text(), in.bytes());
            default: throw new AssertionError(kind);
        }
    }

    private Object reference() {
        long head = in.varint();
        if (head == 0) {
            return null;
        }
        return (head & 1) == 0 ? new Ref(head >>> 1, 0, true) : new Ref(head >>> 1, (int) in.varint(), false);
    }

    private List<Object> list() {
        List<Object> all = new ArrayList<>();
        for (long n = in.varint(); n > 0; n--) {
            all.add(any());
        }
        return all;
    }

    private Map<Object, Object> map() {
        Map<Object, Object> all = new LinkedHashMap<>();
        for (long n = in.varint(); n > 0; n--) {
            Object key = any();
            all.put(key, any());
        }
        return all;
    }

    private Object row(Kind.Form element) {
        switch (element) {
            case BOOL: return in.booleans();
            case I8: return in.bytes();
            case I16: return in.shorts();
            case I32: return in.ints();
            case I64: return in.longs();
            case F32: return in.floats();
            case F64: return in.doubles();
            default: return in.chars();
        }
    }

    private Object any() {
        int tag = in.u8();
        switch (tag) {
            case Tags.NULL: return null;
            case Tags.TRUE: return true;
            case Tags.FALSE: return false;
            case Tags.I32: return in.i32();
            case Tags.I64: return in.i64();
            case Tags.F64: return in.f64();
            case Tags.F32: return in.f32();
            case Tags.CHAR: return in.character();
            case Tags.STRING: return in.string();
            case Tags.BYTES: return in.bytes();
            case Tags.LIST: return list();
            case Tags.TUPLE: return list();
            case Tags.SET: {
                Set<Object> all = new LinkedHashSet<>(list());
                return all;
            }
            case Tags.MAP: return map();
            case Tags.OBJECT: return reference();
            case Tags.LIST_I32: return boxed(in.ints());
            case Tags.LIST_I64: return boxed(in.longs());
            case Tags.LIST_F64: return boxed(in.doubles());
            case Tags.LIST_BOOL: return boxed(in.booleans());
            case Tags.KIND: return new Packed(in.string(), in.bytes());
            case Tags.ARRAY_I32: return in.ints();
            case Tags.ARRAY_F64: return in.doubles();
            default: throw new AssertionError("tag " + tag + " of " + session);
        }
    }

    private static List<Object> boxed(Object row) {
        return io.samewire.bridge.value.RowLists.of(row);
    }
}
