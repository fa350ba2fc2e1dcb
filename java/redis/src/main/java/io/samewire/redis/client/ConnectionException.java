package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * A connection was lost, could not be made, or carried what is not a reply. {@link #code()} is {@code closed} or
 * {@code timeout}, or the error of the bytes that came; {@link #mayHaveRun()} tells what is known of the command.
 */
public final class ConnectionException extends SamewireException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveRun;
    private final boolean last;
    /** Nanoseconds before which another attempt is of no use. */
    private final long wait;
    private final String text;

    private ConnectionException(Code code, boolean mayHaveRun, boolean last, long wait, String text, Throwable cause) {
        super(code, -1, null, text, cause);
        this.mayHaveRun = mayHaveRun;
        this.last = last;
        this.wait = wait;
        this.text = text;
    }

    static ConnectionException closed(boolean mayHaveRun, String text, Throwable cause) {
        return new ConnectionException(Code.CLOSED, mayHaveRun, false, 0, text, cause);
    }

    static ConnectionException timeout(boolean mayHaveRun, String text, Throwable cause) {
        return new ConnectionException(Code.TIMEOUT, mayHaveRun, false, 0, text, cause);
    }

    /** An error after which another attempt is of no use. */
    static ConnectionException last(Code code, boolean mayHaveRun, String text, Throwable cause) {
        return new ConnectionException(code, mayHaveRun, true, 0, text, cause);
    }

    /** For an attempt that was not made: the breaker is open for so many nanoseconds. */
    static ConnectionException notYet(long wait, String text) {
        return new ConnectionException(Code.CLOSED, false, false, wait, text, null);
    }

    /** For calls of a client that its program has closed; nothing has run. */
    static ConnectionException clientClosed() {
        return last(Code.CLOSED, false, "the client is closed", null);
    }

    /** An error of the bytes that came, or of what takes them. */
    static ConnectionException unreadable(Throwable failed, boolean mayHaveRun, Address server) {
        Code code = failed instanceof SamewireException wrong ? wrong.code() : Code.CLOSED;
        String advice = code.name().startsWith("LIMIT") ? "; if the server may send such replies, give the client"
            + " larger limits: RedisOptions.withLimits" : "";
        return last(code, mayHaveRun, "a reply of " + server + " cannot be read: " + failed.getMessage() + advice,
            failed);
    }

    /** Returns whether the server may have run the command, or some of the commands, for which no reply came. */
    public boolean mayHaveRun() {
        return mayHaveRun;
    }

    /** Returns whether no attempt follows: the client is closed, or what came is not RESP. */
    boolean isLast() {
        return last;
    }

    /** Returns the nanoseconds to wait before another attempt, where that was to be after a pause. */
    long pause(long usual) {
        return Math.max(usual, wait);
    }

    /** Returns this error with the stack of the caller. */
    ConnectionException located() {
        return new ConnectionException(code(), mayHaveRun, last, wait, text, this);
    }

    /** Returns this error for a command of which something else is known. */
    ConnectionException with(boolean nowMayHaveRun) {
        return nowMayHaveRun == mayHaveRun ? this
            : new ConnectionException(code(), nowMayHaveRun, last, wait, text, this);
    }
}
