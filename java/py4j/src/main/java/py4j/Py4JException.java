package py4j;

/** A command that could not be carried out; the base of all exceptions of this package. */
public class Py4JException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates one without a message. */
    public Py4JException() {}

    /** Creates one with a message. */
    public Py4JException(String message) {
        super(message);
    }

    /** Creates one with a message and a cause. */
    public Py4JException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates one with a cause. */
    public Py4JException(Throwable cause) {
        super(cause);
    }
}
