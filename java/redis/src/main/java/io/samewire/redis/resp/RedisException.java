package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;

/**
 * An error that the server replied. Its {@link #code()} is {@code unsupported}; the server's own is {@link #word()}.
 *
 * <p>It is made without a stack trace: errors inside arrays are values, and those of other callers have no stack that
 * tells anything. {@link #located()} adds one where a caller is there.
 */
public class RedisException extends SamewireException {
    private static final long serialVersionUID = 1L;

    private final String reply;
    /** The name of the command, or null if none is known. */
    private String command;
    /** Whether a stack trace may be filled in: not while the constructor of {@code Throwable} asks for it. */
    private boolean traced;

    /** Creates an error from the text of the reply, without its type byte and line end. */
    public RedisException(String reply) {
        super(Code.UNSUPPORTED, -1, null, reply);
        this.reply = reply;
    }

    /** Creates an error from the bytes of the reply; malformed parts become U+FFFD. */
    static RedisException of(byte[] buffer, int from, int length) {
        return new RedisException(new String(buffer, from, length, StandardCharsets.UTF_8));
    }

    /** Says which command was refused, and returns this exception. The message names it; {@link #text} does not. */
    public RedisException to(String name) {
        command = name;
        return this;
    }

    /**
     * Returns the reply, shortened and with control characters escaped; if a client got it, the command and in some
     * cases what to do.
     */
    @Override
    public String getMessage() {
        // The code says nothing here: all replies have the same.
        String message = super.getMessage().substring(code().toString().length() + 2);
        return command == null ? message : message + " (" + command + ")" + advice();
    }

    /** Returns what to do about errors that say that a client is set up for another kind of server. */
    private String advice() {
        return switch (word()) {
            case "NOAUTH" -> "; the server wants a password: redis://:PASSWORD@HOST, or RedisOptions.withCredentials";
            case "MOVED", "ASK" -> "; the key is on another node of a cluster: RedisCluster finds it, RedisClient does"
                + " not";
            case "READONLY" -> "; the server is a replica: write to its master, which RedisSentinel and RedisCluster"
                + " find";
            case "ERR" -> reply.contains("without any password configured") ? "; the server has no password: connect"
                + " without one" : "";
            default -> "";
        };
    }

    /** Returns the first word of the reply, the server's code: {@code ERR}, {@code WRONGTYPE}, {@code MOVED}. */
    public String word() {
        int end = reply.indexOf(' ');
        return end < 0 ? reply : reply.substring(0, end);
    }

    /** Returns the reply, its {@link #word()} included. */
    public String text() {
        return reply;
    }

    /** Fills in the stack trace of the caller and returns this exception, for a {@code throw}. */
    public RedisException located() {
        traced = true;
        fillInStackTrace();
        return this;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Throwable fillInStackTrace() {
        return traced ? super.fillInStackTrace() : this;
    }
}
