package io.samewire.redis.client;

import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import java.util.concurrent.locks.ReentrantLock;

/** The master of a service. Callers that ask at the same time share one question. */
final class MasterLocator implements Locator {
    private final RedisSentinel sentinels;
    private final String service;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Address master;
    private volatile Runnable told = () -> { };
    /** Guarded by `asking`. */
    private long foundAt;

    MasterLocator(RedisSentinel sentinels, String service) {
        this.sentinels = sentinels;
        this.service = service;
    }

    @Override
    public String name() {
        return "the master of \"" + service + "\" (sentinels " + sentinels + ")";
    }

    @Override
    public Address find() {
        long now = Deadlines.now();
        sentinels.watch(this);
        Address before = master;
        Address found;
        asking.lock();
        try {
            if (master == null || foundAt <= now) {
                master = sentinels.masterAddress(service);
                foundAt = Deadlines.now();
            }
            found = master;
        } finally {
            asking.unlock();
        }
        if (before != null && !before.equals(found)) {
            told.run();
        }
        return found;
    }

    String service() {
        return service;
    }

    /** Asks again, since the sentinels have said, or may have said, that there is another master. */
    void check() {
        if (master != null) {
            try {
                find();
            } catch (ConnectionException nobody) {
                // Whoever connects next asks again.
                return;
            }
        }
    }

    @Override
    public void onChange(Runnable listener) {
        told = listener;
    }

    @Override
    public void forget() {
        sentinels.unwatch(this);
    }

    /** Sentinels may not know yet that the master has changed. */
    @Override
    public void verify(Connection made) {
        try {
            Reply role = made.call(Commands.of("ROLE"), made.connectTimeout());
            if (role instanceof Reply.Array array && array.elements().get(0) instanceof Reply.Text name
                && !name.string().equals("master")) {
                throw ConnectionException.closed(false, "the sentinels' master of \"" + service + "\" at "
                    + made.server() + " says that it is a " + name.string(), null);
            }
        } catch (RedisException secret) {
            // It may not tell.
            return;
        }
    }

    @Override
    public boolean isCurrent(Address server) {
        return server.equals(master);
    }

    @Override
    public boolean isElsewhere(RedisException error) {
        return error.word().equals("READONLY");
    }
}
