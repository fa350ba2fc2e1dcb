package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.command.Bytes;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Publishes messages; each subscriber has a {@link Subscriber} of its own. */
final class MessagePublisher implements Flow.Publisher<Message> {
    private final CommandClient client;
    private final SubscriptionKind kind;
    private final CharSequence[] names;

    MessagePublisher(CommandClient client, SubscriptionKind kind, CharSequence... names) {
        if (names.length == 0) {
            throw RedisOptions.misuse("expected at least one name");
        }
        this.client = client;
        this.kind = kind;
        this.names = names.clone();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Message> subscriber) {
        Messages made = new Messages(subscriber);
        made.begin();
        // It waits for the server, and a subscriber is not to wait.
        Thread thread = new Thread(made::connect, "samewire-redis-subscribe");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error noThread) {
            made.end(noThread);
        }
    }

    /** Its listener waits while there is a message that is not requested: so others stay in the mailbox. */
    private final class Messages extends Demand<Message> implements MessageListener {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition free = lock.newCondition();
        // Guarded by `lock`.
        private Message next;
        /** What comes behind that. */
        private Throwable failure;
        private Subscriber source;
        private boolean released;

        Messages(Flow.Subscriber<? super Message> subscriber) {
            super(subscriber);
        }

        void connect() {
            lock.lock();
            try {
                if (released) {
                    return;
                }
            } finally {
                lock.unlock();
            }
            try {
                Subscriber made = client.subscriber(this);
                boolean late;
                lock.lock();
                try {
                    source = made;
                    late = released;
                } finally {
                    lock.unlock();
                }
                if (late) {
                    made.close();
                    return;
                }
                made.closing.thenRun(() -> end(ConnectionException.last(Code.CLOSED, false,
                    "the client was closed: no more messages come", null)));
                made.change(kind, true, 0, names);
            } catch (RuntimeException | Error failed) {
                end(failed);
            }
        }

        private void end(Throwable why) {
            lock.lock();
            try {
                failure = failure == null ? why : failure;
                free.signalAll();
            } finally {
                lock.unlock();
            }
            note();
        }

        @Override
        public void message(Message message) {
            if (put(message)) {
                note();
            }
        }

        /** Waits until the message before it was taken. Returns whether it is not too late. */
        private boolean put(Message message) {
            lock.lock();
            try {
                while (next != null && failure == null && !released) {
                    free.awaitUninterruptibly();
                }
                boolean open = failure == null && !released;
                if (open) {
                    next = message;
                }
                return open;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void lost(RuntimeException why) {
            end(why);
        }

        /** It was lost without a reason that could be told: there was no memory. */
        @Override
        public void restored() {
            end(ConnectionException.closed(false, "the connection was lost and made again", null));
        }

        @Override
        public void ended(Bytes channel) {
            end(ConnectionException.closed(false, "the server has ended the subscription to " + channel, null));
        }

        @Override
        void advance() {
            while (!isOver()) {
                Message message = null;
                Throwable why = null;
                lock.lock();
                try {
                    if (next == null) {
                        why = failure;
                    } else if (isRequested()) {
                        message = next;
                        next = null;
                        free.signal();
                    }
                } finally {
                    lock.unlock();
                }
                if (message != null) {
                    publish(message);
                } else if (why != null) {
                    fail(why);
                } else {
                    return;
                }
            }
        }

        @Override
        void release() {
            Subscriber open;
            lock.lock();
            try {
                released = true;
                next = null;
                free.signalAll();
                open = source;
            } finally {
                lock.unlock();
            }
            if (open != null) {
                open.close();
            }
        }
    }
}
