package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.samewire.core.Limits;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scanner and reader agree on every stream, whole, cut at every byte, and damaged. */
class AgreementTest {
    private static final int STREAMS = 200;

    private static void agreed(byte[] stream, int cut, Limits limits) {
        assertNull(Judge.fault(stream, cut, limits), () -> HexFormat.of().formatHex(stream) + " cut at " + cut);
    }

    @Test
    void agreeWhereverAStreamIsCut() {
        RandomReplies random = new RandomReplies(1);
        for (int i = 0; i < STREAMS; i++) {
            byte[] stream = random.replies(3);
            for (int cut = 0; cut < stream.length; cut++) {
                Replies whole = Replies.scanned(stream, new int[0], Limits.DEFAULT);
                assertEquals(whole, Replies.scanned(stream, new int[] {cut}, Limits.DEFAULT));
                assertNull(whole.fault());
            }
            agreed(stream, 0, i % 2 == 0 ? Judge.TIGHT : Limits.DEFAULT);
        }
    }

    @Test
    void agreeOnDamagedStreams() {
        RandomReplies random = new RandomReplies(2);
        for (int i = 0; i < 10 * STREAMS; i++) {
            byte[] stream = random.damaged(random.replies(2));
            agreed(stream, random.below(stream.length + 1), i % 2 == 0 ? Judge.TIGHT : Limits.DEFAULT);
        }
    }

    @Test
    void agreeOnAnything() {
        RandomReplies random = new RandomReplies(3);
        for (int i = 0; i < 20 * STREAMS; i++) {
            byte[] stream = random.anything(40);
            agreed(stream, random.below(stream.length + 1), Limits.DEFAULT);
        }
    }

    @Test
    void aReplyIsReadInAnyPlaceOfAnArray() {
        RandomReplies random = new RandomReplies(4);
        ReplyReader reader = new ReplyReader();
        for (int i = 0; i < STREAMS; i++) {
            byte[] one = random.reply();
            byte[] stream = new byte[one.length + 7];
            System.arraycopy(one, 0, stream, 3, one.length);
            reader.reset(stream, 3, stream.length).skip();
            assertEquals(List.of(3 + one.length), List.of(reader.position()));
        }
    }
}
