package io.samewire.bridge.value;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.PeerMethod;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls a method of an interface on a Python object ({@code spec/bridge.md} section 5.4). Arguments are written by
 * their declared types; the result is requested in the kind for its declared type.
 */
final class PeerCall extends PeerMethod {
    private static final Kind RECEIVER = Kind.parse("object");

    private final ValueWriter[] writers;
    private final Target result;

    private PeerCall(Definition definition, ValueWriter[] writers, Target result) {
        super(definition);
        this.writers = writers;
        this.result = result;
    }

    static PeerCall of(String member, Class<?>[] parameters, Target result) {
        ValueWriter[] writers = new ValueWriter[parameters.length];
        List<Kind> kinds = new ArrayList<>(writers.length + 1);
        kinds.add(RECEIVER);
        for (int i = 0; i < writers.length; i++) {
            writers[i] = ValueWriter.ofArgument(parameters[i]);
            kinds.add(writers[i].kind());
        }
        Definition definition = new Definition(Definition.METHOD, "", member, kinds, kind(result.raw()));
        return new PeerCall(definition, writers, result);
    }

    static PeerCall of(Method method) {
        return of(method, Target.of(method.getGenericReturnType()));
    }

    static PeerCall of(Method method, Target result) {
        return of(method.getName(), method.getParameterTypes(), result);
    }

    /** The kind that is requested from Python for a declared type. */
    private static String kind(Class<?> type) {
        if (type == void.class || type == Void.class) {
            return "void";
        }
        String primitive = ValueWriter.primitive(type);
        if (primitive != null) {
            return primitive;
        }
        Class<?> unboxed = Primitives.unboxed(type);
        return unboxed != null ? "option<" + ValueWriter.primitive(unboxed) + ">"
            : type == String.class ? "option<string>" : type == byte[].class ? "option<bytes>" : "any";
    }

    @Override
    protected void write(Channel channel, PeerObject receiver, Object[] arguments, Output out) {
        Session session = channel.session();
        session.references().write(out, receiver);
        for (int i = 0; i < writers.length; i++) {
            writers[i].write(session, out, arguments[i]);
        }
    }

    @Override
    protected Object read(Channel channel, Kind kind, Input in) {
        Object value;
        try {
            value = ValueReader.read(channel, kind, in, result.raw().isArray());
        } catch (Thrown impossible) {
            throw in.malformed("a result that refers to a batch");
        }
        in.finish();
        return kind.form() == Kind.Form.VOID || result.raw() == void.class ? null : Conversion.convert(value, result);
    }
}
