package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import io.samewire.redis.resp.RequestWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A subscriber of one server, with one connection. */
final class ServerSubscriber extends Subscriber {
    /** What was asked for and is not confirmed: each name is by itself. */
    private static final class Pending {
        final SubscriptionKind kind;
        final boolean subscribes;
        final Set<Bytes> names;
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Pending(SubscriptionKind kind, boolean subscribes, Set<Bytes> names) {
            this.kind = kind;
            this.subscribes = subscribes;
            this.names = names;
        }
    }

    private static final long LEAST_PAUSE = 5_000_000L;

    private final Dialer dialer;
    private final MessageListener listener;
    private final Runnable onClose;
    private final Mailbox mailbox = new Mailbox();
    private final Thread reader;
    private final Thread listening;
    /** Is done once the listener is not called any more; fails if messages were dropped. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by `lock`.
    private final Map<SubscriptionKind, Set<Bytes>> names = new EnumMap<>(SubscriptionKind.class);
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final RequestWriter out = new RequestWriter();
    private Connection connection;
    private volatile boolean closed;
    /** Whether the next connection is not the first. Used by the reader alone. */
    private boolean wasLost;

    /** channels: are subscribed to once there is a connection, of which {@code restored} tells also the first time. */
    ServerSubscriber(Dialer dialer, Connection first, MessageListener listener, Consumer<ServerSubscriber> onClose,
            String... channels) {
        this.dialer = dialer;
        this.connection = first;
        this.wasLost = first != null || channels.length > 0;
        this.listener = listener;
        this.onClose = () -> onClose.accept(this);
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            names.put(kind, new LinkedHashSet<>());
        }
        for (String channel : channels) {
            names.get(SubscriptionKind.CHANNEL).add(Bytes.of(channel));
        }
        reader = thread(this::read, "samewire-redis-subscriber");
        listening = thread(this::listen, "samewire-redis-listener");
    }

    private static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    void change(SubscriptionKind kind, boolean subscribes, long nanos, CharSequence... given) {
        Pending asked;
        lock.lock();
        try {
            if (closed) {
                throw closedHere();
            } else if (Thread.currentThread().isInterrupted()) {
                // Its write would close the connection, and messages would be missed.
                throw ConnectionException.last(Code.CLOSED, false,
                    "the thread was interrupted before it asked for the change", null);
            }
            Set<Bytes> wanted = new LinkedHashSet<>();
            for (CharSequence name : given) {
                wanted.add(name instanceof Bytes bytes ? bytes : Bytes.of(name.toString()));
            }
            if (subscribes && wanted.isEmpty()) {
                throw RedisOptions.misuse("expected at least one name");
            } else if (!subscribes && wanted.isEmpty()) {
                wanted.addAll(names.get(kind));
            }
            if (wanted.isEmpty()) {
                return;
            } else if (subscribes) {
                names.get(kind).addAll(wanted);
            } else {
                names.get(kind).removeAll(wanted);
            }
            asked = new Pending(kind, subscribes, wanted);
            send(asked);
        } finally {
            lock.unlock();
        }
        await(asked, nanos);
    }

    private static ConnectionException closedHere() {
        return ConnectionException.last(Code.CLOSED, false, "the subscriber is closed", null);
    }

    /** Sends a command, if there is a connection: else it goes out when there is one. */
    private void send(Pending asked) {
        pending.add(asked);
        if (connection == null) {
            return;
        }
        out.reset();
        out.begin(1 + asked.names.size());
        out.word(asked.subscribes ? asked.kind.subscribe : asked.kind.unsubscribe);
        asked.names.forEach(name -> out.word(name.toByteArray()));
        try {
            connection.transport().arm(dialer.options.commandTimeout);
            connection.send(out);
            connection.transport().disarm();
        } catch (ConnectionException lost) {
            // The reader finds out, and subscribes again.
            connection.close();
        }
    }

    private void await(Pending asked, long own) {
        long nanos = own == 0 ? dialer.options.commandTimeout : own;
        try {
            asked.done.get(nanos, TimeUnit.NANOSECONDS);
            return;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                forget(asked);
                throw known;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException late) {
            forget(asked);
            throw ConnectionException.timeout(true, "" + dialer.name() + " did not confirm " + (asked.subscribes
                ? asked.kind.subscribe : asked.kind.unsubscribe) + " within "
                + nanos / 1_000_000 + " ms" + (own == 0 ? " (RedisOptions.withCommandTimeout)" : ""), late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            forget(asked);
            throw ConnectionException.last(Code.CLOSED, true,
                "the thread was interrupted before the server confirmed it", stopped);
        }
    }

    /** What was not confirmed is not subscribed to again after the connection is lost. */
    private void forget(Pending asked) {
        lock.lock();
        try {
            if (asked.subscribes) {
                names.get(asked.kind).removeAll(asked.names);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Leaves a connection that leads to another server than the right one. */
    void leave() {
        lock.lock();
        try {
            if (connection != null && !dialer.isCurrent(connection)) {
                connection.close("another server is meant now");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it is subscribed to anything. */
    boolean isSubscribed() {
        lock.lock();
        try {
            return names.values().stream().anyMatch(own -> !own.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    // --- the reading thread

    private void read() {
        int failures = 0;
        Connection from = connection;
        while (!closed) {
            // An interrupt of this thread is nobody's wish to close, and would keep it from waiting.
            Thread.interrupted();
            try {
                if (from == null) {
                    from = dialer.dial(List.of());
                    restore(from);
                    failures = 0;
                }
                while (true) {
                    take(from.receive());
                    from.consume();
                }
            } catch (RuntimeException failed) {
                boolean was = from != null;
                if (was) {
                    dialer.lost(from);
                }
                lost(from);
                from = null;
                if (closed) {
                    break;
                } else if (was) {
                    mailbox.put(() -> listener.lost(failed), 0);
                }
                // A policy of no attempts has no pauses, and a subscriber comes back all the same.
                long pause = Math.max(LEAST_PAUSE, dialer.options.retry.pause(++failures));
                LockSupport.parkNanos(this, failed instanceof ConnectionException lost ? lost.pause(pause) : pause);
            } catch (Error broken) {
                // Out of memory, say: it comes back once there is some, and the listener hears that it was restored.
                lost(from);
                from = null;
                LockSupport.parkNanos(this, LEAST_PAUSE);
            }
        }
        mailbox.finish();
    }

    private void lost(Connection from) {
        if (from != null) {
            from.close();
        }
        lock.lock();
        try {
            connection = null;
        } finally {
            lock.unlock();
        }
    }

    /** Subscribes to everything again. What waited for a confirmation waits for this one. */
    private void restore(Connection made) {
        lock.lock();
        try {
            connection = made;
            if (closed) {
                made.close();
                return;
            }
            List<Pending> waiting = new ArrayList<>(pending);
            pending.clear();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            names.forEach((kind, wanted) -> {
                if (!wanted.isEmpty()) {
                    Pending restored = new Pending(kind, true, new LinkedHashSet<>(wanted));
                    all.add(restored.done);
                    send(restored);
                }
            });
            boolean again = wasLost;
            wasLost = true;
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((none, failure) -> {
                waiting.forEach(one -> complete(one, failure));
                if (!again && failure == null) {
                    return;
                }
                mailbox.put(failure == null ? listener::restored
                    : () -> listener.lost((RuntimeException) cause(failure)), 0);
            });
        } finally {
            lock.unlock();
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }

    private static void complete(Pending one, Throwable failure) {
        if (failure == null) {
            one.done.complete(null);
        } else {
            one.done.completeExceptionally(cause(failure));
        }
    }

    private void take(ReplyReader reply) {
        ReplyType type = reply.type();
        if (type == ReplyType.ERROR) {
            refused(reply.readError());
        } else if (type == ReplyType.PUSH || type == ReplyType.ARRAY) {
            event(reply);
        }
    }

    private void event(ReplyReader reply) {
        int elements = reply.beginArray();
        byte[] word = elements > 0 ? reply.readBytes() : null;
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            if (kind.isMessage(word)) {
                expect(elements == kind.names + 2, "a message");
                message(reply, kind);
                return;
            } else if (kind.isSubscribed(word) || kind.isUnsubscribed(word)) {
                expect(elements == 3, "a confirmation");
                byte[] name = reply.readBytes();
                confirmed(kind, kind.isSubscribed(word), name == null ? null : Bytes.wrap(name));
                return;
            }
        }
    }

    private static void expect(boolean right, String what) {
        if (!right) {
            throw new SamewireException(Code.MALFORMED, -1, null, "the server sent " + what + " of another length");
        }
    }

    private void message(ReplyReader reply, SubscriptionKind kind) {
        byte[] first = reply.readBytes();
        byte[] second = kind == SubscriptionKind.PATTERN ? reply.readBytes() : first;
        byte[] payload = reply.readBytes();
        if (first == null || second == null || payload == null) {
            throw new SamewireException(Code.MALFORMED, -1, null, "the server sent a message with a null");
        }
        Message message = new Message(Bytes.wrap(second), kind == SubscriptionKind.PATTERN
            ? Optional.of(Bytes.wrap(first)) : Optional.empty(), Bytes.wrap(payload));
        mailbox.put(() -> listener.message(message), payload.length + second.length);
    }

    private void confirmed(SubscriptionKind kind, boolean subscribed, Bytes name) {
        Pending done = null;
        lock.lock();
        try {
            Pending first = pending.peek();
            if (first != null && first.kind == kind && first.subscribes == subscribed && first.names.remove(name)) {
                if (first.names.isEmpty()) {
                    done = pending.poll();
                }
            } else if (!subscribed && dialer.isMoving() && names.get(kind).contains(name)) {
                // Its slot has moved: it is subscribed to again where that is now.
                connection.close();
            } else if (!subscribed && name != null && names.get(kind).remove(name)) {
                mailbox.put(() -> listener.ended(name), 0);
            }
        } finally {
            lock.unlock();
        }
        if (done != null) {
            done.done.complete(null);
        }
    }

    private void refused(RedisException error) {
        Pending first;
        lock.lock();
        try {
            if (dialer.isElsewhere(error)) {
                // It waits, and is asked for again on the next connection.
                connection.close();
                return;
            }
            first = pending.poll();
        } finally {
            lock.unlock();
        }
        if (first != null) {
            first.done.completeExceptionally(error.located());
        }
    }

    // --- the listener's thread

    private void listen() {
        for (Runnable event = mailbox.take(); event != null; event = mailbox.take()) {
            try {
                event.run();
            } catch (RuntimeException | Error thrown) {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
            }
        }
        if (mailbox.untaken() == 0) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(closedHere());
        }
    }

    @Override
    void drain(CallTime time) {
        checkNotListening();
        try {
            for (SubscriptionKind kind : SubscriptionKind.values()) {
                change(kind, false, Math.max(1, time.left()));
            }
            if (!retire()) {
                throw closedHere();
            }
            awaitTaken(time);
        } finally {
            close();
        }
    }

    /** Throws {@code misuse} on the listener's thread, which cannot wait for itself. */
    void checkNotListening() {
        if (Thread.currentThread() == listening) {
            throw RedisOptions.misuse("the listener's own thread would wait for itself: drain the subscriber on another"
                + " thread, or unsubscribe, and close it when the last message has come");
        }
    }

    /** Waits until the listener has taken all that had come, of a subscriber that is retired. */
    void awaitTaken(CallTime time) {
        try {
            ended.get(Math.max(1, time.left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw ConnectionException.timeout(false, "the listener has not taken all messages within "
                + (time.until() - time.start()) / 1_000_000 + " ms: " + mailbox.untaken() + " that wait are dropped",
                late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ConnectionException.last(Code.CLOSED, false, "the thread was interrupted before the listener had"
                + " taken all messages: " + mailbox.untaken() + " that wait are dropped", stopped);
        } catch (ExecutionException dropped) {
            throw ConnectionException.last(Code.CLOSED, false, "the subscriber was closed before the listener had taken"
                + " all messages: " + mailbox.untaken() + " are dropped", dropped.getCause());
        }
    }

    /** Is done once the listener is not called any more; fails if messages were dropped. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /**
     * Closes the connection, and lets the listener take what has come. Returns false, and does nothing, if it is
     * subscribed to something, is about to be, or is closed.
     */
    boolean retire() {
        lock.lock();
        try {
            if (closed || !pending.isEmpty() || isSubscribed()) {
                return false;
            }
            closed = true;
            if (connection != null) {
                connection.close("the subscriber has no subscriptions any more");
            }
        } finally {
            lock.unlock();
        }
        mailbox.finish();
        LockSupport.unpark(reader);
        onClose.run();
        return true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends both threads, too. */
    @Override
    public void close() {
        List<Pending> waiting;
        lock.lock();
        try {
            closed = true;
            if (connection != null) {
                connection.close("the subscriber was closed");
            }
            waiting = List.copyOf(pending);
            pending.clear();
        } finally {
            lock.unlock();
        }
        mailbox.close();
        LockSupport.unpark(reader);
        waiting.forEach(one -> one.done.completeExceptionally(closedHere()));
        onClose.run();
        closing.complete(null);
    }
}
