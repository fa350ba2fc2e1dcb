package py4j;

/** A connection that could not be made, or broke. */
public class Py4JNetworkException extends Py4JException {
    private static final long serialVersionUID = 1;

    /** When a connection broke: a command that was not sent may be sent again. */
    public enum ErrorTime {
        /** Before the command was sent. */
        ERROR_ON_SEND,
        /** After the command was sent: the other side may have carried it out. */
        ERROR_ON_RECEIVE,
        /** Outside a command. */
        OTHER
    }

    private final ErrorTime when;

    /** Creates one without a message. */
    public Py4JNetworkException() {
        this(null, null, ErrorTime.OTHER);
    }

    /** Creates one without a message, of a time. */
    public Py4JNetworkException(ErrorTime when) {
        this(null, null, when);
    }

    /** Creates one with a message. */
    public Py4JNetworkException(String message) {
        this(message, null, ErrorTime.OTHER);
    }

    /** Creates one with a message, of a time. */
    public Py4JNetworkException(String message, ErrorTime when) {
        this(message, null, when);
    }

    /** Creates one with a message and a cause. */
    public Py4JNetworkException(String message, Throwable cause) {
        this(message, cause, ErrorTime.OTHER);
    }

    /** Creates one with a message and a cause, of a time. */
    public Py4JNetworkException(String message, Throwable cause, ErrorTime when) {
        super(message, cause);
        this.when = when;
    }

    /** Creates one with a cause. */
    public Py4JNetworkException(Throwable cause) {
        this(null, cause, ErrorTime.OTHER);
    }

    /** Returns when the connection broke. */
    public ErrorTime getWhen() {
        return when;
    }
}
