package io.samewire.bridge;

import io.samewire.bridge.operations.StackText;
import io.samewire.bridge.session.PeerObject;
import java.util.Arrays;
import java.util.List;

/**
 * An exception of Python code that Java called. If it propagates back into Python, it is raised there as the same
 * exception object. Its stack trace begins with Python's frames, as those of a class {@code Python}, and omits the
 * gateway's.
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

    /** Replaces the stack trace by Python's frames, followed by this thread's without those of the gateway. */
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
