package py4j;

/** Wraps what the program's own code threw while it ran for Python. */
public class Py4JJavaException extends Py4JException {
    private static final long serialVersionUID = 1;

    /** Creates one without a message. */
    public Py4JJavaException() {}

    /** Creates one with a message. */
    public Py4JJavaException(String message) {
        super(message);
    }

    /** Creates one with a message and a cause. */
    public Py4JJavaException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates one with a cause. */
    public Py4JJavaException(Throwable cause) {
        super(cause);
    }
}
