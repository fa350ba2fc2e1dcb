package io.samewire.bridge.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.Dispatcher;
import io.samewire.bridge.session.HostileMessages;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random and mutated frames are handed over by a client within the process: each has a reply, or ends its channel. With
 * {@code -Dsamewire.hostile=5} they are 100,000. The JVM has no native methods of the client's here, so what calls the
 * client, or reads a large value of it, ends as with one that fails.
 */
@Timeout(180)
class HostileLinkTest {
    private static final int FRAMES = 20_000 * Integer.getInteger("samewire.hostile", 1);
    private static final int BLOB = 1 << 16;

    private final SplittableRandom random = new SplittableRandom(20_261_127);
    private int frames;
    private int replies;
    private int ends;

    /** A control channel on which nothing comes. */
    private static final class Silent implements Link {
        @Override
        public boolean receive(Input into) {
            return false;
        }

        @Override
        public void send(Output out) {
            // Discarded.
        }

        @Override
        public void read(byte[] into, int from, int length) {
            throw new AssertionError("nothing large is read");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** The connection that a channel is opened by. */
    private static final class Open implements Transport {
        @Override
        public int read(byte[] into, int from, int length) {
            return -1;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            throw new AssertionError("nothing is written to it");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** Hands over frames, the lengths of some of which are wrong. Returns what is said of the replies. */
    private long handOver(ProcessLink link, HostileMessages messages) {
        int length = 0;
        for (int count = random.nextInt(4) == 0 ? random.nextInt(1, 5) : 1; count > 0; count--) {
            byte[] message = messages.next();
            if (length + Output.HEAD + message.length > ProcessLink.in(link).capacity()) {
                break;
            }
            frames++;
            ByteBuffer in = ProcessLink.in(link);
            in.putInt(length, random.nextInt(50) == 0 ? random.nextInt() : message.length);
            in.put(length + Output.HEAD, message);
            length += Output.HEAD + message.length;
        }
        if (random.nextInt(100) == 0) {
            length = random.nextInt(length + 1);
        }
        return ProcessLink.exchange(link, random.nextInt(50) == 0 ? ~length : length);
    }

    private void judge(ProcessLink link, long said) {
        ByteBuffer out = ProcessLink.out(link);
        int length = (int) said;
        for (int at = 0; at < length;) {
            int message = out.getInt(at);
            assertTrue(message > 0 && message <= length - at - Output.HEAD, "a frame of " + message + " bytes");
            byte first = out.get(at + Output.HEAD);
            assertTrue(first >= Messages.NOTHING || first == Messages.RELEASE, "the message " + first);
            replies++;
            at += Output.HEAD + message;
        }
    }

    @Test
    void eachHasAReplyOrEndsItsChannel() throws IOException {
        HostileMessages messages = new HostileMessages(random);
        // Nothing that is called here may end, or change, the JVM of the tests.
        Policy policy = Policy.builder().deny("*").allow("java.lang.Math", "java.lang.String", "java.util.ArrayList")
            .build();
        int channel = 0;
        while (frames < FRAMES) {
            Session session = new Session(new SessionOptions(new Dispatcher(), policy, Limits.DEFAULT, BLOB, Map.of(),
                null), new Silent(), Map.of(), over -> { });
            String offer = "process:hostile " + channel++;
            ProcessLink.open(session, offer, new Open());
            ProcessLink link = ProcessLink.take(offer, 0);
            assertNotNull(link);
            for (int left = random.nextInt(1, 30); left > 0; left--) {
                long said = handOver(link, messages);
                if (said < 0) {
                    ends++;
                    assertEquals(-1, ProcessLink.exchange(link, 0));
                    break;
                }
                judge(link, said);
            }
            ProcessLink.drop(link);
            assertEquals(0, session.channelCount());
        }
        System.out.println(frames + " hostile frames from within the process over " + channel + " channels: " + replies
            + " replies, " + ends + " ends");
        assertTrue(replies > FRAMES / 50 && ends > channel / 2, replies + " replies, " + ends + " ends");
    }
}
