package py4j;

/** A client that did not know the token. */
public class Py4JAuthenticationException extends Py4JException {
    private static final long serialVersionUID = 1;

    /** Creates one without a message. */
    public Py4JAuthenticationException() {}

    /** Creates one with a message. */
    public Py4JAuthenticationException(String message) {
        super(message);
    }

    /** Creates one with a message and a cause. */
    public Py4JAuthenticationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates one with a cause. */
    public Py4JAuthenticationException(Throwable cause) {
        super(cause);
    }
}
