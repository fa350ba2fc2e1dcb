package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.pack.Output;
import io.samewire.pack.Pack;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is kept from one message to the next, and what is not. */
class WriterPoolTest {
    @Test
    void aLargeTableOfSharedStructsIsNotKept() {
        Writer writer = WriterPool.take();
        for (int i = 0; i < 100_000; i++) {
            writer.share(new Object());
        }
        WriterPool.give(writer);
        assertNull(writer.shared, "it would be emptied after every message");
        Writer again = WriterPool.take();
        again.share(new Object());
        WriterPool.give(again);
        assertTrue(again.shared.isEmpty());
    }

    @Test
    void largeBuffersAreKeptWhileMessagesFillThem() {
        byte[] first = afterMessage(3 << 20);
        assertSame(first, afterMessage(2 << 20), "the collector may take them, but has memory");
        afterMessage(100);
        assertTrue(afterMessage(100).length < 1 << 20, "a message has filled less than a quarter");
    }

    @Test
    void largeBuffersAreOutOfReachBetweenMessages() {
        Writer writer = WriterPool.take();
        writer.begin(Limits.DEFAULT, true, 0);
        writer.raw(new byte[3 << 20], 0, 3 << 20);
        WriterPool.give(writer);
        assertTrue(writer.buf.length < 1 << 20, "a strong reference would keep the collector from them");
    }

    @Test
    void buffersOfHugeMessagesAreNotKept() {
        byte[] huge = afterMessage(40 << 20);
        assertNotSame(huge, afterMessage(1 << 20));
    }

    /** The buffer that a message of so many bytes has been written to. */
    private static byte[] afterMessage(int bytes) {
        Writer writer = WriterPool.take();
        writer.begin(Limits.DEFAULT, true, 0);
        writer.raw(new byte[bytes], 0, bytes);
        byte[] buffer = writer.buf;
        WriterPool.give(writer);
        return buffer;
    }

    @Test
    void aFewAreKeptForThoseWhoFindNoneOfTheirOwn() {
        Set<Writer> before = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Writer> after = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            before.add(WriterPool.take());
        }
        before.forEach(WriterPool::give);
        for (int i = 0; i < 40; i++) {
            after.add(WriterPool.take());
        }
        after.forEach(WriterPool::give);
        after.removeIf(writer -> writer.owner != null);
        after.retainAll(before);
        assertEquals(16, after.size());
    }

    @Test
    void aWriterIsNotHandedOutTwice() {
        Writer outer = WriterPool.take();
        Writer inner = WriterPool.take();
        assertTrue(outer != inner);
        WriterPool.give(inner);
        WriterPool.give(outer);
        Writer next = WriterPool.take();
        assertSame(outer, next, "this thread's own");
        WriterPool.give(next);
    }

    @Test
    void givesPooledArraysBack() {
        Writer kept = WriterPool.take();
        WriterPool.give(kept);
        Writer passing = new Writer(Limits.DEFAULT, true, new byte[0], 0);
        passing.packing();
        assertTrue(kept.busy, "its packing is in use");
        passing.giveBack();
        assertSame(kept, WriterPool.take());
        WriterPool.give(kept);
    }

    @Test
    void whatPackedAnOutputsIntegersIsGivenBack() {
        Writer kept = WriterPool.take();
        WriterPool.give(kept);
        Pack.codec(int[].class).encodeInto(new int[100], new Output());
        assertSame(kept, WriterPool.take());
        WriterPool.give(kept);
    }

    @Test
    void aThreadThatEndedIsNotKept() throws InterruptedException {
        WeakReference<Thread> ended = new WeakReference<>(ended(new ArrayList<>()));
        for (int i = 0; i < 100 && ended.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(ended.get(), "it may hold a class loader");
    }

    @Test
    void theWriterOfAThreadThatEndedIsUsedAgain() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        Map<Long, Writer> places = new HashMap<>();
        int again = 0;
        for (int i = 0; i < 100; i++) {
            List<Writer> used = new ArrayList<>();
            Thread thread = ended(used);
            threads.add(thread);
            if (used.get(0).owner != null) {
                Writer before = places.put(thread.getId() % 32, used.get(0));
                again += before == used.get(0) ? 1 : 0;
            }
        }
        assertEquals(100, threads.size());
        assertTrue(again > 30, () -> "few of 100 threads found one");
    }

    /** A thread that has ended; adds the writer that it used. */
    private static Thread ended(List<Writer> used) throws InterruptedException {
        Thread thread = new Thread(() -> {
            Writer writer = WriterPool.take();
            used.add(writer);
            WriterPool.give(writer);
        });
        thread.start();
        thread.join();
        return thread;
    }
}
