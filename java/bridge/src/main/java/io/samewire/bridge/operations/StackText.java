package io.samewire.bridge.operations;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The stack trace of an exception as Java prints it, without frames that are not the program's: those of the gateway,
 * of its proxies, and the lowest of a thread that serves a client.
 */
public final class StackText {
    /** The most printed frames of one exception: infinite recursion has a thousand. */
    private static final int MOST = 100;
    private static final int LAST = 20;
    private static final String OWN = "io.samewire.bridge.";

    private final StringBuilder out = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackText() {}

    /** Returns the text of an exception, with its causes and suppressed exceptions. */
    public static String of(Throwable exception) {
        StackText text = new StackText();
        text.print(exception, new StackTraceElement[0], "", "");
        return text.out.toString();
    }

    /** Returns the frames of the program, and of the JDK on its behalf. */
    public static List<StackTraceElement> program(List<StackTraceElement> frames) {
        List<StackTraceElement> kept = new ArrayList<>();
        boolean below = false;
        for (int i = frames.size() - 1; i >= 0; i--) {
            StackTraceElement frame = frames.get(i);
            boolean bottom = i > 0 && i == frames.size() - 1 && frame.getClassName().equals("java.lang.Thread")
                && isOwn(frames.get(i - 1));
            below = bottom || isOwn(frame) || below && isReflection(frame.getClassName());
            if (!below) {
                kept.add(frame);
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    /** Whether the JDK's frames of this class are those of reflection. */
    private static boolean isReflection(String name) {
        return name.startsWith("jdk.internal.reflect.") || name.startsWith("java.lang.invoke.")
            || name.equals("java.lang.reflect.Method") || name.equals("java.lang.reflect.Constructor");
    }

    private static boolean isOwn(StackTraceElement frame) {
        String name = frame.getClassName();
        String simple = name.substring(name.lastIndexOf('.') + 1);
        return name.startsWith(OWN) || simple.startsWith("$Proxy") && frame.getLineNumber() < 0;
    }

    private void print(Throwable exception, StackTraceElement[] outer, String caption, String indent) {
        if (!seen.add(exception)) {
            out.append(indent).append(caption).append("[CIRCULAR REFERENCE: ").append(exception).append("]\n");
            return;
        }
        out.append(indent).append(caption).append(exception).append('\n');
        StackTraceElement[] trace = exception.getStackTrace();
        int end = trace.length;
        for (int other = outer.length; end > 0 && other > 0 && trace[end - 1].equals(outer[other - 1]); other--) {
            end--;
        }
        List<StackTraceElement> whole = program(Arrays.asList(trace));
        int common = Math.min(whole.size(), program(Arrays.asList(trace).subList(end, trace.length)).size());
        frames(whole.subList(0, whole.size() - common), indent);
        if (common > 0) {
            out.append(indent).append("\t... ").append(common).append(" more\n");
        }
        for (Throwable suppressed : exception.getSuppressed()) {
            print(suppressed, trace, "Suppressed: ", indent + "\t");
        }
        if (exception.getCause() != null) {
            print(exception.getCause(), trace, "Caused by: ", indent);
        }
    }

    private void frames(List<StackTraceElement> frames, String indent) {
        int from = frames.size() > MOST ? MOST - LAST : frames.size();
        for (StackTraceElement frame : frames.subList(0, from)) {
            out.append(indent).append("\tat ").append(frame).append('\n');
        }
        if (from < frames.size()) {
            int rest = frames.size() - LAST;
            out.append(indent).append("\t... ").append(rest - from).append(" frames left out\n");
            for (StackTraceElement frame : frames.subList(rest, frames.size())) {
                out.append(indent).append("\tat ").append(frame).append('\n');
            }
        }
    }
}
