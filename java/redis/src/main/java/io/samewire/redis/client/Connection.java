package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * One connection of blocking callers: one caller's at a time, who writes and reads the socket itself. After a failure
 * it is closed; it is never made again. Nothing in it knows which server of a cluster it belongs to.
 */
final class Connection implements AutoCloseable {
    /**
     * Bytes of commands that are on their way before their replies are read, and as many again while those of the first
     * half are read. They fit into the buffers of sockets, so that a server that waits until its replies are read, as
     * proxies do, never has the client wait in a write.
     */
    private static final int WINDOW = 65_536;
    private static final Consumer<ReplyReader> DROP = push -> { };
    private static final Object UNREAD = new Object();

    private final Transport transport;
    private final RedisOptions options;
    private final ReplyBuffer in;
    private final RequestWriter out = new RequestWriter();
    private Consumer<ReplyReader> pushes = DROP;
    private int protocol;
    /** Whether the server has taken MULTI. */
    private boolean takesMulti;
    private volatile boolean ended;
    /** Why it was closed here; null if nobody has said so. */
    private volatile String reason;
    /** What is told once that it is closed or lost; null before it is ready, afterwards, and for nobody. */
    private volatile Observers observers;
    /** The time at which it was last lent, or asked by who has it. */
    long usedAt;
    /** The number by which the server knows it; 0 if it was not asked, -1 if it does not tell. */
    long id;

    Connection(Transport transport, RedisOptions options) {
        this.transport = transport;
        this.options = options;
        this.in = new ReplyBuffer(options.limits);
        this.usedAt = Deadlines.now();
    }

    /** Takes what the server sends unasked. Called by the thread that reads; an exception closes the connection. */
    void onPush(Consumer<ReplyReader> taker) {
        pushes = taker;
    }

    /** Notifies the observers of its end. */
    void observe(Observers told) {
        observers = told;
    }

    /** error: null if this client closed it. */
    private void tellEnd(Throwable error) {
        Observers told = null;
        if (observers != null) {
            synchronized (this) {
                told = observers;
                observers = null;
            }
        }
        if (told != null) {
            told.disconnected(options.address, error);
        }
    }

    /** Returns where it leads. */
    Address server() {
        return options.address;
    }

    /** Returns the nanoseconds that a reply may take which belongs to making the connection. */
    long connectTimeout() {
        return options.connectTimeout;
    }

    Transport transport() {
        return transport;
    }

    /** Returns 2 or 3. */
    int protocol() {
        return protocol;
    }

    /** Greets the server. The transport is armed already. */
    void greet(Handshake handshake) {
        long before = transport.written();
        try {
            do {
                out.reset();
                handshake.write(out);
                transport.write(out.array(), 0, out.length());
                boolean more;
                do {
                    await();
                    more = handshake.read(in.reader());
                    in.consume();
                } while (more);
            } while (handshake.isAgain());
            protocol = handshake.protocol();
            if (!transport.disarm()) {
                throw new IOException("the time was over");
            }
        } catch (RedisException refused) {
            throw refused(refused);
        } catch (IOException | RuntimeException | Error failed) {
            if (handshake.refusal() instanceof RedisException refused) {
                // It says why, and closes the connection.
                throw refused(refused);
            } else if (Dialer.isConfiguration(failed)) {
                // A server may refuse the client's certificate after the handshake.
                close();
                throw Dialer.misconfigured(options.address, failed);
            }
            throw lost(failed, before);
        }
    }

    private RuntimeException refused(RedisException why) {
        close();
        boolean loading = Result.isLoading(why);
        return loading || why.text().startsWith("ERR max number of clients")
            ? ConnectionException.closed(false, options.address + (loading ? " is reading its data into memory"
                : " refuses another client"), why) : why.located();
    }

    /** Sends a command and returns what it reads in its reply. nanos: time for both; 0 for no limit. */
    <T> T call(Command<T> command, long nanos) {
        usedAt = Deadlines.now();
        return callAtOnce(command, nanos == 0 ? Deadlines.NEVER : usedAt + nanos);
    }

    /** Sends a command and returns its converted reply. until: the deadline. */
    <T> T callUntil(Command<T> command, long until) {
        usedAt = Deadlines.now();
        return callAtOnce(command, until);
    }

    /**
     * Sends a command on a connection that was lent just now. A round trip reads the clock once, not when the
     * connection is lent, when it is used and when it comes back: all that is not the system's took 160 ns with them,
     * and takes 107. until: the deadline.
     */
    <T> T callAtOnce(Command<T> command, long until) {
        out.reset();
        command.write(out);
        long before = transport.written();
        try {
            transport.armUntil(until);
            transport.write(out.array(), 0, out.length());
            fill();
            Object reply = readDirectly(command);
            if (reply != UNREAD) {
                finish();
                @SuppressWarnings("unchecked")
                T read = (T) reply;
                return read;
            }
            await();
        } catch (IOException | RuntimeException | Error failed) {
            throw lost(failed, before, command.name() + ": ");
        }
        try {
            return read(command);
        } finally {
            finish();
        }
    }

    /** Reads the reply straight from what has come. Returns UNREAD if it is not all there, or not a plain one. */
    private Object readDirectly(Command<?> command) {
        ReplyReader direct = in.direct();
        if (direct == null) {
            return UNREAD;
        }
        try {
            Object reply = command.read(direct);
            return in.passed() ? reply : UNREAD;
        } catch (RuntimeException | Error unread) {
            // It is read once more when its end is found, which also tells whether the bytes are a reply at all.
            return UNREAD;
        }
    }

    private <T> T read(Command<T> command) {
        if (in.isError()) {
            throw in.reader().readError().to(command.name()).located();
        }
        return command.read(in.reader());
    }

    private void finish() {
        in.consume();
        settle();
    }

    /**
     * Called when all replies are there. What is left can only be pushes: a reply that nobody asked for would be taken
     * for the next command's, and each later one for that of the command before it.
     */
    private void settle() {
        try {
            if (!transport.disarm() || !in.isEmpty() && (takePushes() || !in.isEmpty() && !in.beginsPush())) {
                ended = true;
            }
        } catch (RuntimeException malformed) {
            // It is the next reply that cannot be read.
            ended = true;
        }
    }

    /**
     * Finds out, once on each connection, whether the server takes MULTI: behind a refused one the commands of a
     * transaction would run by themselves. Throws the refusal; nothing has run then.
     */
    void tryMulti(long until) {
        if (!takesMulti) {
            callUntil(Commands.of("MULTI"), until);
            callUntil(Commands.of("DISCARD"), until);
            takesMulti = true;
        }
    }

    /**
     * Sends encoded commands and hands each reply to its taker: commands are written while replies are read.
     *
     * @param start when the time for the first reply begins
     * @param nanos time for a reply, from the one before it on; 0 for no limit
     * @param until when the time for all of them is over
     */
    void run(Batch batch, long start, long nanos, long until) {
        byte[] bytes = batch.bytes();
        int length = batch.length();
        int replies = batch.replies();
        int written = 0;
        int replied = 0;
        int read = 0;
        long before = transport.written();
        try {
            arm(start, nanos, until);
            while (read < replies) {
                if (written < length) {
                    int piece = Math.min(length, written + WINDOW);
                    transport.write(bytes, written, piece);
                    written = piece;
                }
                while (read < replies && (written == length || written - replied > WINDOW)
                    && batch.end(read) <= written) {
                    replied = batch.end(read);
                    ReplyReader direct = in.direct();
                    if (direct != null && batch.takeDirectly(read, direct) && in.passed()) {
                        read++;
                        continue;
                    }
                    if (!takePushes()) {
                        if (read > 0) {
                            arm(Deadlines.now(), nanos, until);
                        }
                        await();
                    }
                    take(batch, read++);
                }
            }
        } catch (IOException | RuntimeException | Error failed) {
            batch.lost(read, transport.written() - before);
            throw lost(failed, before, batch.name() + ": ");
        }
        settle();
    }

    private void arm(long now, long nanos, long until) {
        transport.armUntil(nanos == 0 ? until : Math.min(now + nanos, until));
    }

    private void take(Batch batch, int index) {
        try {
            batch.take(index, in);
        } finally {
            in.consume();
        }
    }

    /** Takes pushes that came while no caller waited. Returns false if the connection is lost. Does not wait. */
    boolean poll() {
        try {
            int room = in.room();
            int came = transport.poll(in.array(), in.to(), room);
            in.received(Math.max(came, 0));
            takePushes();
            // A reply that nobody asked for would be taken for the next command's.
            if (came >= 0 && in.isEmpty()) {
                return true;
            }
            tellLost(came < 0 ? " closed the connection" : " sent a reply that nobody asked for");
            return false;
        } catch (IOException | SamewireException lost) {
            tellEnd(lost);
            return false;
        }
    }

    private void tellLost(String why) {
        if (observers != null) {
            tellEnd(ConnectionException.closed(false, options.address + why, null));
        }
    }

    /** Sends bytes, for connections on which replies are not waited for. */
    void send(RequestWriter commands) {
        long before = transport.written();
        try {
            transport.write(commands.array(), 0, commands.length());
        } catch (IOException failed) {
            throw lost(failed, before);
        }
    }

    /** Waits for the next reply or push, of any kind; {@link #consume} must follow. */
    ReplyReader receive() {
        long before = transport.written();
        try {
            while (!in.next()) {
                fill();
            }
            return in.reader();
        } catch (IOException | RuntimeException | Error failed) {
            throw lost(failed, before);
        }
    }

    void consume() {
        in.consume();
    }

    /** Waits for bytes, and returns the buffer of what has come. */
    ReplyBuffer awaitAny() {
        try {
            fill();
            return in;
        } catch (IOException | RuntimeException | Error failed) {
            throw lost(failed, 0);
        }
    }

    /** Waits until a complete reply is there that is not a push. */
    private void await() throws IOException {
        while (!takePushes()) {
            fill();
        }
    }

    /** Hands pushes over. Returns whether a reply is there. */
    private boolean takePushes() {
        while (in.next()) {
            if (!in.isPush()) {
                return true;
            }
            pushes.accept(in.reader());
            in.consume();
        }
        return false;
    }

    private void fill() throws IOException {
        int room = in.room();
        if (room == 0) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, null, "the reply does not fit in an array");
        }
        int came = transport.read(in.array(), in.to(), room);
        if (came < 0) {
            throw new EndOfStream();
        }
        in.received(came);
    }

    /** The server closed the connection. */
    private static final class EndOfStream extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private RuntimeException lost(Throwable failed, long before) {
        return lost(failed, before, protocol == 0 ? "the greeting: " : "");
    }

    /** Closes the connection, and returns what is to be thrown for a failure. doing: what begins the text. */
    private RuntimeException lost(Throwable failed, long before, String doing) {
        boolean expired = transport.isExpired();
        boolean byUser = transport.isClosed() && !expired;
        end();
        RuntimeException why = failed instanceof Error ? null : why(failed, before, doing, expired, byUser);
        tellEnd(why == null ? failed : why);
        if (failed instanceof Error error) {
            throw error;
        }
        return why;
    }

    private RuntimeException why(Throwable failed, long before, String doing, boolean expired, boolean byUser) {
        boolean sent = transport.written() > before;
        Address server = options.address;
        if (failed instanceof SamewireException wrong) {
            return in.beginsTlsAlert() ? ConnectionException.last(Code.CLOSED, sent, server + " speaks TLS: use"
                + " rediss:// or RedisOptions.withTls", wrong) : ConnectionException.unreadable(wrong, sent, server);
        } else if (failed instanceof RuntimeException bug) {
            return bug;
        } else if (expired) {
            String after = " after " + (Deadlines.now() - usedAt) / 1_000_000 + " ms";
            return ConnectionException.timeout(sent, sent ? doing + "no reply of " + server + after
                : doing + "could not be written to " + server + after, failed);
        } else if (failed instanceof java.nio.channels.ClosedByInterruptException) {
            return ConnectionException.last(Code.CLOSED, sent, doing + "the thread was interrupted while it"
                + " waited for " + server, failed);
        } else if (byUser) {
            return ConnectionException.closed(sent, doing + "the connection to " + server + " was closed here"
                + (reason == null ? "" : ": " + reason), failed);
        }
        String text = doing + (failed instanceof EndOfStream ? server + " closed the connection"
            : "the connection to " + server + " is lost: " + failed);
        return ConnectionException.closed(sent, protocol == 0 && !options.tls ? text
            + "; if this port wants TLS, use rediss://" : text, failed);
    }

    /** Returns whether it can carry another command. */
    boolean isUsable() {
        return !ended && !transport.isClosed();
    }

    /** Closes it for a reason that whoever waits for it is told. */
    void close(String why) {
        reason = reason == null ? why : reason;
        close();
    }

    /** Closes it since it is of no more use: observers are told that it is lost. */
    void abandon(String why) {
        reason = reason == null ? why : reason;
        end();
        tellLost(": " + why);
    }

    private void end() {
        ended = true;
        transport.close();
    }

    @Override
    public void close() {
        end();
        tellEnd(null);
    }
}
