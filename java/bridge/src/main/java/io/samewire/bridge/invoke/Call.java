package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.ValueWriter;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Array;

/** A call whose overload is determined by the kinds of its arguments. */
final class Call implements Invocation {
    private final Session session;
    private final Callee callee;
    /** Null if there is no receiver. */
    private final ArgumentReader receiver;
    private final ArgumentReader[] arguments;
    /** The number of parameters; arguments from the last one on are elements of {@code many}. */
    private final int parameters;
    /** The class of the elements of the last parameter; null unless arguments are spread out. */
    private final Class<?> many;
    private final ValueWriter result;
    /** Whether the values that are read need no conversion. */
    private final boolean asIs;
    private int calls;
    /** Generated code for this call; null before it is hot. */
    private volatile Invocation hot;

    Call(Session session, Callee callee, ArgumentReader receiver, ArgumentReader[] arguments, int parameters,
        Class<?> many, ValueWriter result) {
        this.session = session;
        this.callee = callee;
        this.receiver = receiver;
        this.arguments = arguments;
        this.parameters = parameters;
        this.many = many;
        this.result = result;
        boolean all = true;
        for (ArgumentReader argument : arguments) {
            all &= argument.isAsIs();
        }
        this.asIs = all;
    }

    @Override
    public Kind result() {
        return result.kind();
    }

    @Override
    public void invoke(Channel channel, Input in, Output out) throws Throwable {
        Invocation code = hot;
        if (code != null) {
            code.invoke(channel, in, out);
            return;
        }
        // Racy with many threads, which is harmless. Calls that throw count, too.
        if (++calls == HotCode.CALLS) {
            HotCode.make(this);
        }
        Object object = receiver == null ? null : receiver.read(channel, in);
        Object[] values = new Object[arguments.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].read(channel, in);
        }
        in.finish();
        if (!asIs) {
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments[i].convert(session, values[i]);
            }
        }
        if (receiver != null && object == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the receiver of a call is null");
        }
        Object returned = callee.call(object, many == null ? values : spread(values, parameters, many));
        if (channel.batching()) {
            channel.keep(returned);
        }
        result.write(session, out, returned);
    }

    /** Returns the arguments, with those from the last parameter on in an array. */
    static Object[] spread(Object[] values, int parameters, Class<?> element) {
        int fixed = parameters - 1;
        Object rest = Array.newInstance(element, values.length - fixed);
        for (int i = fixed; i < values.length; i++) {
            Array.set(rest, i - fixed, values[i]);
        }
        Object[] spread = new Object[parameters];
        System.arraycopy(values, 0, spread, 0, fixed);
        spread[fixed] = rest;
        return spread;
    }

    Callee callee() {
        return callee;
    }

    ArgumentReader receiver() {
        return receiver;
    }

    ArgumentReader[] arguments() {
        return arguments;
    }

    boolean isSpread() {
        return many != null;
    }

    ValueWriter writer() {
        return result;
    }

    Session session() {
        return session;
    }

    /** Returns whether it has code of its own. */
    boolean isHot() {
        return hot != null;
    }

    /** Switches to generated code. */
    void become(Invocation code) {
        hot = code;
    }
}
