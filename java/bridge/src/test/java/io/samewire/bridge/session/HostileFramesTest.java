package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Policy;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 100,000 random and mutated frames come on call and control channels: each has a reply, or ends its session. */
@Timeout(180)
class HostileFramesTest {
    private static final int FRAMES = 100_000;
    /** The longest blob: what a channel reads is made up as it is asked for. */
    private static final int BLOB = 1 << 16;

    private final SplittableRandom random = new SplittableRandom(20_261_123);
    private HostileMessages messages;
    private int frames;
    private int replies;
    private int sessions;

    /** Reads arguments as the bridge passes over them, and returns an object. */
    private record Taking(Definition definition) implements Invocation {
        @Override
        public Kind result() {
            return Kind.parse("object");
        }

        @Override
        public void invoke(Channel channel, Input in, Output out) {
            Leftovers.pass(channel, in, in.at(), definition.arguments());
            channel.session().references().write(out, new Object());
        }
    }

    /** A peer of which each message is hostile, and which has large values without end. */
    private final class HostileLink extends ScriptedLink {
        private int left = random.nextInt(1, 30);

        @Override
        public boolean receive(Input into) {
            if (left-- == 0 || frames == FRAMES) {
                return false;
            }
            frames++;
            byte[] message = messages.next();
            into.reset(message, 0, message.length, this);
            return true;
        }

        @Override
        public void read(byte[] into, int from, int length) {
            assertTrue(from >= 0 && length >= 0 && length <= into.length - from);
        }

        @Override
        public void send(Output out) {
            replies++;
        }
    }

    @Test
    void eachHasAReplyOrEndsItsSession() throws IOException {
        messages = new HostileMessages(random);
        int ended = 0;
        while (frames < FRAMES) {
            sessions++;
            boolean control = random.nextInt(8) == 0;
            HostileLink link = new HostileLink();
            Session session = new Session(new SessionOptions((any, definition) -> new Taking(definition),
                Policy.everything(), Limits.DEFAULT, BLOB, Map.of(), null), control ? link : new ScriptedLink(),
                Map.of(),
                over -> { });
            try {
                if (control) {
                    session.control().serve();
                } else {
                    session.newChannel(link).serve();
                }
            } catch (SamewireException refused) {
                ended++;
            }
        }
        System.out.println(frames + " hostile frames to the JVM in " + sessions + " sessions: " + replies + " replies, "
            + ended + " ends");
        assertEquals(FRAMES, frames);
        assertTrue(replies > FRAMES / 50 && ended > sessions / 2,
            replies + " replies, " + ended + " ends");
    }
}
