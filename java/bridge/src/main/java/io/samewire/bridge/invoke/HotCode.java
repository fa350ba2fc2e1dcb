package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Thrown;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;

/**
 * Makes code for sites that are called often, on a thread of its own: the first such site loads the generator, which
 * takes tens of milliseconds. The thread ends when it has nothing to do.
 */
final class HotCode {
    /** After so many calls a site is worth code of its own. */
    static final int CALLS = 400;
    /** A site that is met with a longer queue goes on without. */
    private static final int MOST_WAITING = 1000;

    private static final ArrayDeque<Call> WAITING = new ArrayDeque<>();
    private static Thread maker;

    private HotCode() {}

    /** Sees to it that a call gets code of its own, if its member allows that. */
    static void make(Call call) {
        if (call.callee().member() == null) {
            return;
        }
        synchronized (WAITING) {
            if (WAITING.size() >= MOST_WAITING) {
                return;
            }
            WAITING.add(call);
            if (maker == null) {
                maker = new Thread(null, new Runnable() {
                    @Override
                    public void run() {
                        work();
                    }
                }, "samewire-bridge-code", 0, false);
                maker.setDaemon(true);
                maker.start();
            }
        }
    }

    private static void work() {
        while (true) {
            Call call;
            synchronized (WAITING) {
                call = WAITING.poll();
                if (call == null) {
                    maker = null;
                    return;
                }
            }
            Invocation code = CallCode.of(call);
            if (code != null) {
                call.become(code);
            }
        }
    }

    /** For generated code: writes a text that may be null. */
    public static void text(Output out, String value) {
        out.bool(value != null);
        if (value != null) {
            out.string(value);
        }
    }

    /** For generated code: wraps what a program threw. */
    public static Thrown thrown(Throwable what) {
        return Callee.thrown(what);
    }

    /** For generated code: refuses a receiver that is null. */
    public static Object receiver(Object object) {
        if (object == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the receiver of a call is null");
        }
        return object;
    }
}
