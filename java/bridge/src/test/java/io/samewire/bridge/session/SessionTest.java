package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a session, and what it lets go of before. */
@Timeout(180)
class SessionTest {
    private final List<String> steps = new ArrayList<>();

    private Session session() {
        ScriptedLink control = new ScriptedLink() {
            @Override
            public void send(Output frames) {
                super.send(frames);
                steps.add("sent " + sent.get(sent.size() - 1));
            }

            @Override
            public void close() {
                steps.add("closed");
            }
        };
        return new Session(new SessionOptions(null, Policy.everything(), Limits.DEFAULT, 0, Map.of(), null), control,
            Map.of(), ended -> steps.add("forgotten"));
    }

    @Test
    void theGatewayForgetsASessionBeforeTheClientSeesItsEnd() {
        session().end(new SamewireException(Code.CLOSED, -1, null, "over"));
        assertEquals(List.of("sent " + Messages.BYE, "forgotten", "closed"), steps);
    }

    @Test
    void aRingWhoseFileIsCutOffEndsItsChannelAlone() {
        Session session = session();
        Channel channel = session.newChannel(new ScriptedLink() {
            @Override
            public boolean receive(Input into) {
                throw new InternalError("a fault occurred in an unsafe memory access operation");
            }
        });
        session.serve(channel);
        assertEquals(0, session.channelCount());
        assertEquals(List.of(), steps);
    }

    @Test
    void theChannelOfAProgramIsClosedBeforeItIsInterrupted() {
        Session[] session = new Session[1];
        Invocation ending = new Invocation() {
            @Override
            public Kind result() {
                return Kind.parse("void");
            }

            @Override
            public void invoke(Channel channel, Input in, Output out) {
                in.finish();
                session[0].end(new SamewireException(Code.CLOSED, -1, null, "over"));
                steps.add("interrupted " + Thread.interrupted());
            }
        };
        session[0] = new Session(new SessionOptions((any, definition) -> ending, Policy.everything(), Limits.DEFAULT, 0,
            Map.of(), null), new ScriptedLink(), Map.of(), ended -> { });
        ScriptedLink link = new ScriptedLink() {
            @Override
            public void close() {
                steps.add("closed, interrupted " + Thread.currentThread().isInterrupted());
            }
        };
        link.sends(out -> {
            out.u8(Messages.FIRST_CALL);
            out.varint(1);
            new Definition(Definition.STATIC, "T", "member", List.of(), "").write(out);
        });
        session[0].serve(session[0].newChannel(link));
        assertEquals(List.of("closed, interrupted false", "interrupted true"), steps.subList(0, 2));
    }

    @Test
    void releasesAreDividedIntoMessagesThatEveryReceiverTakes() throws InterruptedException {
        int count = 3000;
        Imports imports = session().references().imports();
        for (int i = 1; i <= count; i++) {
            imports.arrived(i);
        }
        Output out = new Output(Limits.DEFAULT);
        int released = 0;
        while (released < count) {
            System.gc();
            Thread.sleep(1);
            out.reset();
            while (released < count && imports.release(out)) {
                Input in = new Input(Limits.DEFAULT, 0);
                in.reset(Arrays.copyOfRange(out.array(), out.message(), out.length()), 0,
                    out.length() - out.message(), null);
                assertEquals(Messages.RELEASE, in.u8());
                int pairs = in.count();
                assertEquals(pairs, Math.min(pairs, 1024));
                released += pairs;
                out.reset();
            }
        }
        assertEquals(0, imports.size());
    }
}
