package io.samewire.bridge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Converts the frames of a Python traceback to those of a Java stack trace, which has the latest call first. */
final class PythonFrames {
    private static final String HEAD = "Traceback (most recent call last):";
    private static final String FILE = "  File \"";

    private PythonFrames() {}

    /**
     * Returns the frames of a traceback: of the exception itself, not of its causes.
     *
     * @param trace the traceback, as Python prints it: {@code   File "app.py", line 12, in name}
     */
    static List<StackTraceElement> of(String trace) {
        List<StackTraceElement> frames = new ArrayList<>();
        int from = Math.max(trace.lastIndexOf('\n' + HEAD), 0);
        for (String line : trace.substring(from).split("\n")) {
            StackTraceElement frame = line.startsWith(FILE) ? frame(line) : null;
            if (frame != null) {
                frames.add(frame);
            }
        }
        Collections.reverse(frames);
        return frames;
    }

    private static StackTraceElement frame(String line) {
        int file = line.indexOf("\", line ", FILE.length());
        int name = line.indexOf(", in ", file + 1);
        if (file < 0 || name < 0) {
            return null;
        }
        String path = line.substring(FILE.length(), file);
        String number = line.substring(file + "\", line ".length(), name);
        try {
            return new StackTraceElement("Python", line.substring(name + ", in ".length()), path,
                Integer.parseInt(number));
        } catch (NumberFormatException other) {
            // The name of a file or function contains the line's own syntax.
            return null;
        }
    }
}
