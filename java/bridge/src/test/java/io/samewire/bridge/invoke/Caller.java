package io.samewire.bridge.invoke;

import io.samewire.bridge.Policy;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A client in the same thread: it resolves definitions, calls them with bytes, and reads the bytes of results. */
final class Caller implements Link {
    final Session session;
    final Channel channel;
    /** What Python does when Java calls it: the member and the bytes of the arguments to those of a whole reply. */
    Python python;
    /** Whether that call is the first of its site. */
    boolean first;
    private final Output pending = new Output(Limits.DEFAULT);

    /** Answers a call of Python's. */
    interface Python {
        /** Writes a reply, from its first byte on. */
        void called(Definition definition, Input arguments, Output reply);
    }

    /** An argument: its kind, and its bytes. */
    record Argument(String kind, Consumer<Output> bytes) {}

    private final Map<Long, Definition> sites = new HashMap<>();

    Caller() {
        this(Policy.builder(Policy.everything()).allow("io.samewire.bridge.*").build(), Map.of());
    }

    Caller(Policy policy, Map<String, Class<?>> records) {
        this(new Dispatcher(), policy, records);
    }

    Caller(Dispatcher dispatcher, Policy policy, Map<String, Class<?>> records) {
        session = new Session(new SessionOptions(dispatcher, policy, Limits.DEFAULT, 1 << 30, records, "entry"),
            this, Map.of(), ended -> {});
        channel = session.newChannel(this);
    }

    static Argument of(String kind, Consumer<Output> bytes) {
        return new Argument(kind, bytes);
    }

    static Argument i32(int value) {
        return of("i32", out -> out.i32(value));
    }

    static Argument i64(long value) {
        return of("i64", out -> out.i64(value));
    }

    static Argument f64(double value) {
        return of("f64", out -> out.f64(value));
    }

    static Argument text(String value) {
        return of("string", out -> out.string(value));
    }

    static Argument bool(boolean value) {
        return of("bool", out -> out.bool(value));
    }

    static Argument none() {
        return of("null", out -> {});
    }

    static Argument ints(String kind, int... values) {
        return of(kind, out -> out.row(values));
    }

    /** An object of this JVM that the client has. */
    Argument object(Object object) {
        int type = session.classes().number(object.getClass());
        return of("object " + type, out -> out.varint(number(object) << 1));
    }

    /** An object of Python's. */
    static Argument peer(long number, String interfaces) {
        return of(interfaces.isEmpty() ? "peer" : "peer " + interfaces, out -> {
            out.varint(number << 1 | 1);
            out.varint(0);
        });
    }

    private long number(Object object) {
        Output out = new Output(Limits.DEFAULT);
        session.references().write(out, object);
        return input(out).varint() >>> 1;
    }

    static Input input(Output out) {
        Input in = new Input(Limits.DEFAULT, 1 << 30);
        in.reset(Arrays.copyOf(out.array(), out.length()), 0, out.length(), null);
        return in;
    }

    Invocation resolve(int action, String type, String member, String result, Argument... arguments) {
        List<Kind> kinds = new ArrayList<>();
        for (Argument argument : arguments) {
            kinds.add(Kind.parse(argument.kind));
        }
        return session.resolver().resolve(session, new Definition(action, type, member, kinds, result));
    }

    static byte[] bytes(Argument... arguments) {
        Output out = new Output(Limits.DEFAULT);
        out.inline(true);
        for (Argument argument : arguments) {
            argument.bytes.accept(out);
        }
        return Arrays.copyOf(out.array(), out.length());
    }

    /** Calls, and returns the value as {@link Result} has it. */
    Object call(int action, String type, String member, String result, Argument... arguments) throws Throwable {
        Invocation invocation = resolve(action, type, member, result, arguments);
        return call(invocation, bytes(arguments));
    }

    Object call(Invocation invocation, byte[] arguments) throws Throwable {
        Input in = new Input(Limits.DEFAULT, 1 << 30);
        in.reset(arguments, 0, arguments.length, null);
        Output out = new Output(Limits.DEFAULT);
        out.inline(true);
        channel.enter();
        try {
            invocation.invoke(channel, in, out);
            Thrown thrown = channel.takeThrown();
            if (thrown != null) {
                throw thrown;
            }
        } catch (Thrown thrown) {
            throw thrown.getCause();
        } finally {
            channel.leave();
        }
        Input result = input(out);
        Object value = new Result(session, result).read(invocation.result());
        result.finish();
        return value;
    }

    Object invokeStatic(Class<?> type, String member, Argument... arguments) throws Throwable {
        return call(Definition.STATIC, type.getName(), member, "", arguments);
    }

    Object invoke(Object receiver, String member, Argument... arguments) throws Throwable {
        Argument[] all = new Argument[arguments.length + 1];
        all[0] = object(receiver);
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return call(Definition.METHOD, "", member, "", all);
    }

    @Override
    public void send(Output frames) {
        Input in = input(frames);
        in.i32();
        int message = in.u8();
        if (message == Messages.RELEASE) {
            throw new AssertionError("releases are not awaited");
        }
        long site = in.varint();
        first = message == Messages.FIRST_CALL;
        Definition definition = message == Messages.FIRST_CALL ? Definition.read(in) : sites.get(site);
        sites.put(site, definition);
        pending.reset();
        python.called(definition, in, pending);
    }

    @Override
    public boolean receive(Input into) {
        into.reset(Arrays.copyOf(pending.array(), pending.length()), 0, pending.length(), null);
        return true;
    }

    @Override
    public void read(byte[] into, int from, int length) {
        throw new AssertionError("no large value");
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
