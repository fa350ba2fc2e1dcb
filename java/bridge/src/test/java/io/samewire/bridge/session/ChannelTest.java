package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Policy;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls within calls, and what a channel keeps of each. */
class ChannelTest {
    /** So many calls within calls a channel takes, with the least depth that limits can have. */
    private static final int MOST_CALLS = 16;
    /** Runs of the collector until it has found an unreachable object: most often the first one does. */
    private static final int ATTEMPTS = 1_000;
    private static final Definition MEMBER = new Definition(Definition.STATIC, "T", "member", List.of(), "");

    private final ScriptedLink link = new ScriptedLink();
    private final List<Boolean> batching = new ArrayList<>();
    private Session session;

    /** Calls the peer, and says whether it is one of a batch as before. */
    private final class CallingBack extends PeerMethod implements Invocation {
        CallingBack() {
            super(new Definition(Definition.METHOD, "", "back", List.of(Kind.parse("object")), "void"));
        }

        @Override
        public Kind result() {
            return Kind.parse("void");
        }

        @Override
        public void invoke(Channel channel, Input in, Output out) throws Throwable {
            in.finish();
            boolean before = channel.batching();
            SamewireException error = assertThrows(SamewireException.class,
                () -> session.callPeer(this, new PeerObject(session, 1), new Object[0]));
            assertTrue(error.code() == Code.LIMIT_DEPTH || error.code() == Code.CLOSED, error::getMessage);
            assertEquals(before, channel.batching());
            batching.add(before);
        }

        @Override
        protected void write(Channel channel, PeerObject receiver, Object[] arguments, Output out) {
            session.references().write(out, receiver);
        }

        @Override
        protected Object read(Channel channel, Kind kind, Input in) {
            return null;
        }
    }

    private static void firstCall(Output out) {
        out.u8(Messages.FIRST_CALL);
        out.varint(1);
        MEMBER.write(out);
    }

    @Test
    void aCallThatWouldGoTooDeepLeavesItsBatchAsItWas() {
        CallingBack member = new CallingBack();
        session = new Session(new SessionOptions((any, definition) -> member, Policy.everything(),
            Limits.DEFAULT.withDepth(1), 0, Map.of(), null), new ScriptedLink(), Map.of(), ended -> { });
        for (int i = 1; i < MOST_CALLS; i++) {
            link.sends(ChannelTest::firstCall);
        }
        link.sends(out -> {
            Output call = new Output(Limits.DEFAULT);
            firstCall(call);
            out.u8(Messages.BATCH);
            out.varint(1);
            out.varint(call.length());
            out.raw(call.array(), 0, call.length());
        });
        session.newChannel(link).serve();
        assertEquals(MOST_CALLS, batching.size());
        assertTrue(batching.get(0));
        assertFalse(batching.get(1));
    }

    /**
     * Two threads call a site first, and the reply to one comes while the other writes: that one sends a first call as
     * well, and is sent its reply. (The writer is held up where it takes the lock of objects that have been collected.)
     */
    @Test
    void aFirstCallIsWrittenAsItsReplyIsRead() throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            session = new Session(new SessionOptions((any, definition) -> null, Policy.everything(), Limits.DEFAULT, 0,
                Map.of(), null), new ScriptedLink(), Map.of(), ended -> { });
            ScriptedLink answering = new ScriptedLink();
            answering.sends(out -> {
                out.u8(Messages.FIRST_RETURN);
                out.string("void");
            });
            CallingBack method = new CallingBack();
            Imports imports = session.references().imports();
            imports.arrived(1);
            System.gc();
            Channel channel = session.newChannel(answering);
            List<Throwable> thrown = new ArrayList<>();
            Thread caller = new Thread(() -> {
                channel.enter();
                try {
                    channel.callPeer(method, new PeerObject(session, 1), new Object[0]);
                } catch (Throwable error) {
                    thrown.add(error);
                } finally {
                    channel.leave();
                }
            });
            boolean held = false;
            synchronized (imports) {
                caller.start();
                while (!held && caller.getState() != Thread.State.TERMINATED) {
                    held = caller.getState() == Thread.State.BLOCKED;
                    Thread.onSpinWait();
                }
                if (held) {
                    method.site(session).result = Kind.parse("void");
                }
            }
            caller.join();
            assertEquals(List.of(), thrown);
            assertEquals(List.of(Messages.FIRST_CALL), answering.sent);
            if (held) {
                return;
            }
        }
        throw new AssertionError("no object has been collected");
    }
}
