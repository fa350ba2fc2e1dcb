package io.samewire.redis.resp;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.RandomAccess;

/** The elements of an aggregate, found when they are asked for. */
final class LazyElements extends AbstractList<Reply> implements RandomAccess {
    private final byte[] reply;
    private final int at;
    private final Utf8 utf8;
    /** Where each element begins. It may be made twice, by two threads, as the same. */
    private volatile int[] starts;

    LazyElements(byte[] reply, int at, Utf8 utf8) {
        this.reply = reply;
        this.at = at;
        this.utf8 = utf8;
    }

    private ReplyReader reader(int start) {
        return new ReplyReader(LazyReply.READ, utf8).reset(reply, start, reply.length);
    }

    @Override
    public int size() {
        return starts != null ? starts.length : reader(at).beginArray();
    }

    @Override
    public Reply get(int index) {
        if (starts == null) {
            ReplyReader reader = reader(at);
            int[] found = new int[reader.beginArray()];
            for (int i = 0; i < found.length; i++) {
                found[i] = reader.position();
                reader.skip();
            }
            starts = found;
        }
        return LazyReply.next(reader(starts[index]), reply, utf8);
    }

    @Override
    public Iterator<Reply> iterator() {
        ReplyReader reader = reader(at);
        int size = reader.beginArray();
        return new Iterator<>() {
            private int passed;

            @Override
            public boolean hasNext() {
                return passed < size;
            }

            @Override
            public Reply next() {
                if (passed == size) {
                    throw new NoSuchElementException();
                }
                passed++;
                return LazyReply.next(reader, reply, utf8);
            }
        };
    }
}
