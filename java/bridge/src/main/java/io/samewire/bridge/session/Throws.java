package io.samewire.bridge.session;

import io.samewire.bridge.PythonException;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Writes and reads exceptions ({@code spec/bridge.md} section 8). */
final class Throws {
    /** A longer message is cut. */
    private static final int MOST_TEXT = 1 << 16;
    private static final Code[] CODES = Code.values();

    private Throws() {}

    /** Writes the reply of a call that ended with an exception. */
    static void write(Session session, Throwable thrown, Output out) {
        Throwable what = thrown instanceof Thrown ? thrown.getCause() : thrown;
        String code = thrown instanceof SamewireException ? ((SamewireException) thrown).code().toString() : "";
        int frame = out.length();
        try {
            out.begin(Messages.THROW);
            reference(session, what, out);
            out.string(what.getClass().getName());
            out.string(code);
            text(what, code, out);
            out.string(cause(what));
            out.end();
        } catch (SamewireException | OutOfMemoryError | StackOverflowError error) {
            // It does not fit into the message or memory: write only its class.
            out.truncate(frame, 0);
            write(what.getClass().getName(), code, null, out);
        }
    }

    private static void reference(Session session, Throwable what, Output out) {
        try {
            session.references().write(out, what);
        } catch (SamewireException denied) {
            out.varint(0);
        }
    }

    /** Returns a mark if there is a cause: only then the client reads it. */
    private static String cause(Throwable what) {
        try {
            Throwable cause = what.getCause();
            return cause == null ? "" : "Caused by: " + cause.getClass().getName();
        } catch (Throwable error) {
            // A program's own method; the exception it was asked about counts.
            return "";
        }
    }

    private static void text(Throwable what, String code, Output out) {
        String text;
        try {
            text = what.getMessage();
            if (!code.isEmpty() && text.startsWith(code)) {
                text = without(code, text);
            }
        } catch (Throwable error) {
            // A program's own method; the exception it was asked about counts.
            text = null;
        }
        out.bool(text != null);
        if (text != null) {
            out.string(text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text);
        }
    }

    /** Removes the code, which is a field of its own, from the head of a text. */
    static String without(String code, String text) {
        if (text == null || !text.startsWith(code)) {
            return text;
        }
        int from = code.length() + (text.startsWith(": ", code.length()) ? 2 : 1);
        return text.substring(Math.min(from, text.length()));
    }

    private static void write(String type, String code, String text, Output out) {
        out.begin(Messages.THROW);
        out.varint(0);
        out.string(type);
        out.string(code);
        out.bool(text != null);
        if (text != null) {
            out.string(text);
        }
        out.string("");
        out.end();
    }

    /** Writes the error of a reply that does not fit beside the others of its batch. */
    static void writeLimit(Output out, int frameBytes) {
        String text = "the replies of the batch exceed " + frameBytes + " bytes";
        write(SamewireException.class.getName(), Code.LIMIT_SIZE.toString(), text, out);
    }

    /** Reads the exception that ended a call of the client's. */
    static Throwable read(Session session, Input in) {
        int at = in.at();
        Object object = session.references().read(in);
        String type = in.string();
        int codeAt = in.at();
        String code = in.string();
        String text = in.present() ? in.string() : null;
        String trace = in.string();
        in.finish();
        if (object instanceof Throwable) {
            if (object instanceof PythonException) {
                // It was made before it was thrown, perhaps by another thread: the stack must be that of the throw.
                ((Throwable) object).fillInStackTrace();
            }
            return (Throwable) object;
        }
        if (object != null && !(object instanceof PeerObject)) {
            throw new SamewireException(Code.MALFORMED, at, null, "an exception that is none of this JVM's");
        }
        Code known = code.isEmpty() ? null : code(code, codeAt);
        if (object == null && type.isEmpty() && known == Code.MISUSE) {
            return new AbsentMember(text);
        }
        PythonException raised = new PythonException((PeerObject) object, type, text, trace);
        return known == null ? raised
            : new SamewireException(known, -1, null, without(code, text), object == null ? null : raised);
    }

    private static Code code(String text, int at) {
        for (Code code : CODES) {
            if (code.toString().equals(text)) {
                return code;
            }
        }
        throw new SamewireException(Code.MALFORMED, at, null, "'" + text + "' is not a code of an error");
    }
}
