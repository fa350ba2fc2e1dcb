package io.samewire.bridge.describe;

import io.samewire.bridge.invoke.ClassNames;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Describes a class by its number or name. */
public final class DescribeCall implements Invocation {
    private static final Kind CLASS = Kind.parse("class");

    private final Session session;
    private final boolean byName;

    private DescribeCall(Session session, boolean byName) {
        this.session = session;
        this.byName = byName;
    }

    /**
     * Returns the call that describes classes.
     *
     * @throws SamewireException {@code misuse} if the argument is neither a number nor a name
     */
    public static DescribeCall of(Session session, Definition definition) {
        Kind.Form form = definition.arguments().size() == 1 ? definition.arguments().get(0).form() : Kind.Form.VOID;
        if (form != Kind.Form.I64 && form != Kind.Form.STRING) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "a class is described by its number, an i64, or its name, a string");
        }
        return new DescribeCall(session, form == Kind.Form.STRING);
    }

    @Override
    public Kind result() {
        return CLASS;
    }

    @Override
    public void invoke(Channel channel, Input in, Output out) {
        Class<?> type;
        if (byName) {
            String name = in.string();
            in.finish();
            type = ClassNames.named(session, name);
        } else {
            long number = in.i64();
            in.finish();
            type = session.classes().get(number);
        }
        if (channel.batching()) {
            channel.keep(type);
        }
        out.bool(type != null);
        if (type != null) {
            new Description(session, type).write(out);
        }
    }
}
