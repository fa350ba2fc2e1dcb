package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The pages of a scan one after the other, each asked for when the one before it is used up. */
final class Scan<T> implements Iterator<T> {
    private final RedisClient client;
    /** The time of each page; null for the usual one. */
    private final Duration timeout;
    private final Function<String, ? extends Command<ScanPage<T>>> command;
    private Iterator<T> page = java.util.Collections.emptyIterator();
    private String cursor = ScanPage.START;
    private boolean last;

    Scan(RedisClient client, Function<String, ? extends Command<ScanPage<T>>> command, Duration timeout) {
        this.client = client;
        this.timeout = timeout;
        this.command = command;
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext()) {
            if (last) {
                return false;
            }
            ScanPage<T> found = timeout == null ? client.execute(command.apply(cursor))
                : client.execute(command.apply(cursor), timeout);
            cursor = found.cursor();
            last = found.isLast();
            page = found.items().iterator();
        }
        return true;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the scan is complete");
        }
        return page.next();
    }
}
