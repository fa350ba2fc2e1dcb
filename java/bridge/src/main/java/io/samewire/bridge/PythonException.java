package io.samewire.bridge;

import io.samewire.bridge.session.PeerObject;
import java.util.Arrays;
import java.util.List;

/**
 * What Python code raised that Java called. Thrown on into Python, it is raised there as the very same exception. Its
 * stack trace begins with Python's frames, as those of a class {@code Python}.
 */
@SuppressWarnings("exports") // What holds the reference is nobody's business.
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
        super(text == null || text.isEmpty() ? type : type + ": " + text);
        this.object = object;
        this.type = type;
        this.trace = trace;
        List<StackTraceElement> frames = PythonFrames.of(trace);
        if (!frames.isEmpty()) {
            frames.addAll(Arrays.asList(getStackTrace()));
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
