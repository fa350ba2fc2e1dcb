package io.samewire.bridge;

import io.samewire.bridge.operations.StackText;
import io.samewire.bridge.session.PeerObject;
import java.util.Arrays;
import java.util.List;

/**
 * What Python code raised that Java called. Thrown on into Python, it is raised there as the very same exception. Its
 * stack trace begins with Python's frames, as those of a class {@code Python}; the gateway's are left out.
 */
@SuppressWarnings("exports") // The class that holds the reference is internal.
public final class PythonException extends RuntimeException implements PeerObject.Holder {
    private static final long serialVersionUID = 1L;

    private final transient PeerObject object;
    private final String type;
    private final String trace;

    /**
     * Creates an exception.
     *
     * @param object the exception of Python's, or null
     * @param type the name of its class
     * @param text its text, or null
     * @param trace its traceback, as Python prints it
     */
    public PythonException(PeerObject object, String type, String text, String trace) {
        this(object, type, text, trace, null);
    }

    /**
     * Creates an exception that has a cause.
     *
     * @param object the exception of Python's, or null
     * @param type the name of its class
     * @param text its text, or null
     * @param trace its traceback, as Python prints it
     * @param cause null if there is none
     */
    public PythonException(PeerObject object, String type, String text, String trace, Throwable cause) {
        super(text == null || text.isEmpty() ? type : type + ": " + text, cause);
        this.object = object;
        this.type = type;
        this.trace = trace;
        beginWithPython();
    }

    /** Replaces the stack trace: Python's frames, and below them those of this thread that are not the gateway's. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        super.fillInStackTrace();
        if (trace != null) {
            beginWithPython();
        }
        return this;
    }

    private void beginWithPython() {
        List<StackTraceElement> frames = PythonFrames.of(trace);
        if (!frames.isEmpty()) {
            frames.addAll(StackText.program(Arrays.asList(getStackTrace())));
            setStackTrace(frames.toArray(new StackTraceElement[0]));
        }
    }

    /** Returns the name of the exception's class, like {@code ValueError}. */
    public String type() {
        return type;
    }

    /** Returns the traceback, as Python prints it; may be empty. */
    public String trace() {
        return trace;
    }

    @Override
    public PeerObject peerObject() {
        return object;
    }
}
