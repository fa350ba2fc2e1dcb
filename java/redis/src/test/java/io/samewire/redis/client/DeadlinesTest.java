package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DeadlinesTest {
    private static final long SOON = 20_000_000L;

    /** After a stop of the process the thread of the deadlines may be the first that runs. */
    @Test
    void whatCameWhileTheProcessWasHeldIsReadBeforeItIsLate() throws InterruptedException {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (Deadlines deadlines = new Deadlines(nanos -> events.add("others read"))) {
            deadlines.watch((now, most) -> {
                events.add("look");
                return SOON;
            });
            deadlines.after(0, () -> {
                hold();
                events.add("held");
            });
            String event = events.poll(60, TimeUnit.SECONDS);
            while (!"held".equals(event)) {
                event = events.poll(60, TimeUnit.SECONDS);
            }
            assertEquals("others read", events.poll(60, TimeUnit.SECONDS));
            assertEquals("look", events.poll(60, TimeUnit.SECONDS));
        }
    }

    /** Until the next look should long have been. */
    private static void hold() {
        long until = Deadlines.now() + 10 * SOON;
        while (Deadlines.now() < until) {
            Thread.onSpinWait();
        }
    }
}
