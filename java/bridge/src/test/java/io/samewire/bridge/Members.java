package io.samewire.bridge;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.PeerMethod;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Resolver;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A few members of no class, by name: what sessions are tested with. */
final class Members implements Resolver {
    /** What a program does with arguments that have been read. */
    interface Program {
        Object run(Session session, Object[] arguments) throws Throwable;
    }

    static final CountDownLatch NEVER = new CountDownLatch(1);

    @Override
    public Invocation resolve(Session session, Definition definition) {
        switch (definition.member()) {
            case "zero": return member(definition, "i32", (s, a) -> 0);
            case "add": return member(definition, "i32", (s, a) -> (int) a[0] + (int) a[1]);
            case "nothing": return member(definition, "void", (s, a) -> null);
            case "new": return member(definition, "object", (s, a) -> new StringBuilder((String) a[0]));
            case "same": return member(definition, "object", (s, a) -> a[0]);
            case "text": return member(definition, "string", (s, a) -> a[0].toString());
            case "bytes": return member(definition, "bytes", (s, a) -> a[0]);
            case "thread": return member(definition, "string", (s, a) -> Thread.currentThread().toString());
            case "refuse": return member(definition, "i32", (s, a) -> {
                throw new IllegalStateException("refused");
            });
            case "overflow": return member(definition, "i32", Members::overflow);
            case "exhaust": return member(definition, "i32", (s, a) -> new long[Integer.MAX_VALUE].length);
            case "sleep": return member(definition, "string", Members::sleep);
            case "back": return member(definition, "i32", (s, a) -> back(s, (PeerObject) a[0], (int) a[1]));
            case "elsewhere": return member(definition, "i32", (s, a) -> elsewhere(s, (PeerObject) a[0], (int) a[1]));
            default:
                throw new SamewireException(Code.MISUSE, -1, null, "there is no member " + definition.member());
        }
    }

    private static Object overflow(Session session, Object[] arguments) {
        return 1 + (int) overflow(session, arguments);
    }

    private static Object sleep(Session session, Object[] arguments) {
        try {
            NEVER.await();
            return "woken";
        } catch (InterruptedException error) {
            return "interrupted";
        }
    }

    private static final PeerMethod TWICE = new PeerMethod(new Definition(Definition.METHOD, "", "twice",
        List.of(Kind.parse("object"), Kind.parse("i32")), "i32")) {
        @Override
        protected void write(Channel channel, PeerObject receiver, Object[] arguments, Output out) {
            channel.session().references().write(out, receiver);
            out.i32((int) arguments[0]);
        }

        @Override
        protected Object read(Channel channel, Kind kind, Input in) {
            return in.i32();
        }
    };

    private static Object back(Session session, PeerObject peer, int value) throws Throwable {
        return session.callPeer(TWICE, peer, new Object[] {value});
    }

    private static Object elsewhere(Session session, PeerObject peer, int value) throws Throwable {
        Object[] result = new Object[1];
        Thread thread = new Thread(() -> {
            try {
                result[0] = back(session, peer, value);
            } catch (Throwable error) {
                result[0] = error;
            }
        });
        thread.start();
        thread.join();
        if (result[0] instanceof Throwable) {
            throw (Throwable) result[0];
        }
        return result[0];
    }

    private static Invocation member(Definition definition, String result, Program program) {
        Kind kind = Kind.parse(result);
        return new Invocation() {
            @Override
            public Kind result() {
                return kind;
            }

            @Override
            public void invoke(Channel channel, Input in, Output out) throws Throwable {
                Object[] arguments = new Object[definition.arguments().size()];
                for (int i = 0; i < arguments.length; i++) {
                    arguments[i] = read(channel, definition.arguments().get(i), in);
                }
                in.finish();
                Object value;
                try {
                    value = program.run(channel.session(), arguments);
                } catch (Throwable error) {
                    throw new Thrown(error);
                }
                if (channel.batching()) {
                    channel.keep(value);
                }
                write(channel, kind, value, out);
            }
        };
    }

    private static Object read(Channel channel, Kind kind, Input in) throws Throwable {
        switch (kind.form()) {
            case I32: return in.i32();
            case STRING: return in.string();
            case BYTES: return in.bytes();
            case RESULT: return channel.result(in.varint());
            default: return channel.session().references().read(in);
        }
    }

    private static void write(Channel channel, Kind kind, Object value, Output out) {
        switch (kind.form()) {
            case I32:
                out.i32((int) value);
                break;
            case STRING:
                out.string((String) value);
                break;
            case BYTES:
                out.bytes((byte[]) value);
                break;
            case VOID: break;
            default: channel.session().references().write(out, value);
        }
    }
}
