package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.Conversion;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.value.ValueReader;
import io.samewire.bridge.value.ValueWriter;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A call with arguments whose types are known only at run time: results of a batch, and tagged values. The overload is
 * chosen by the classes of each call's values, and cached for them.
 */
final class DynamicCall implements Invocation {
    private static final int MOST_REMEMBERED = 64;

    private final Session session;
    private final Dispatcher dispatcher;
    private final Definition definition;
    /** The class in the definition; null if the receiver's class decides. */
    private final Class<?> type;
    private final boolean receives;
    private final ValueWriter result;
    private final Map<List<Class<?>>, Choice> remembered = new ConcurrentHashMap<>();

    /** An overload with the types of its parameters. */
    private static final class Choice {
        final Callee callee;
        final Target[] targets;
        final int parameters;
        final Class<?> many;

        Choice(Overloads.Choice choice, List<Kind> kinds, int from) {
            Overload overload = choice.overload();
            callee = Callee.of(overload.member());
            parameters = overload.count();
            many = choice.spread() ? overload.parameter(parameters - 1).getComponentType() : null;
            targets = Targets.of(overload, choice.spread(), kinds, from);
        }
    }

    DynamicCall(Session session, Dispatcher dispatcher, Definition definition, Class<?> type, boolean receives) {
        this.session = session;
        this.dispatcher = dispatcher;
        this.definition = definition;
        this.type = type;
        this.receives = receives;
        this.result = definition.result().isEmpty() ? ValueWriter.ANY
            : ValueWriter.of(session, Target.OBJECT, definition.result());
    }

    @Override
    public Kind result() {
        return result.kind();
    }

    @Override
    public void invoke(Channel channel, Input in, Output out) throws Throwable {
        List<Kind> kinds = definition.arguments();
        Object[] read = new Object[kinds.size()];
        for (int i = 0; i < read.length; i++) {
            read[i] = ValueReader.read(channel, kinds.get(i), in, false);
        }
        in.finish();
        Object object = receives ? read[0] : null;
        Object[] values = receives ? Arrays.copyOfRange(read, 1, read.length) : read;
        if (receives && object == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the receiver of " + definition.member()
                + " is null");
        }
        Object returned = call(receives ? object.getClass() : type, object, values);
        if (channel.batching()) {
            channel.keep(returned);
        }
        result.write(session, out, returned);
    }

    /** Whether values are the client's lists, whose elements may be inspected. */
    private static boolean isList(Kind kind) {
        return kind.form() == Kind.Form.LIST || kind.form() == Kind.Form.TUPLE;
    }

    private Object call(Class<?> owner, Object object, Object[] values) throws Throwable {
        if (object != null) {
            // The result of an earlier call of a batch was not passed to the client, so it has not been checked yet.
            session.policy().check(owner);
        }
        if (definition.action() == Definition.GET || definition.action() == Definition.SET) {
            return Fields.callee(session, owner, definition, values).call(object, values);
        } else if (owner.isArray() && definition.member().equals("clone") && values.length == 0) {
            return new Callee.Clone().call(object, values);
        }
        List<Class<?>> key = new ArrayList<>(values.length + 1);
        key.add(owner);
        List<Kind> kinds = definition.arguments();
        int from = receives ? 1 : 0;
        for (int i = 0; i < values.length; i++) {
            key.add(values[i] == null ? null : values[i].getClass());
            if (isList(kinds.get(from + i))) {
                key.add(ArgumentTypes.element((List<?>) values[i]));
            }
        }
        Choice choice = remembered.get(key);
        if (choice == null) {
            List<ArgumentType> types = new ArrayList<>();
            for (int i = 0; i < values.length; i++) {
                Kind kind = kinds.get(from + i);
                ArgumentType known = ArgumentTypes.of(session, kind);
                types.add(known == null ? ArgumentTypes.of(values[i])
                    : isList(kind) ? known.of(ArgumentTypes.element((List<?>) values[i])) : known);
            }
            choice = new Choice(dispatcher.chosen(session, owner, definition, types), kinds, from);
            if (remembered.size() < MOST_REMEMBERED) {
                remembered.put(key, choice);
            }
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = Conversion.convert(values[i], choice.targets[i]);
        }
        return choice.callee.call(object, choice.many == null ? values
            : Call.spread(values, choice.parameters, choice.many));
    }
}
