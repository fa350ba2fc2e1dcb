package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
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
    private static boolean working;

    private HotCode() {}

    /** Sees to it that a call gets code of its own, if its member and its session allow that. */
    static void make(Call call) {
        if (call.callee().member() == null || !call.session().takeCode()) {
            return;
        }
        synchronized (WAITING) {
            if (WAITING.size() >= MOST_WAITING) {
                return;
            }
            WAITING.add(call);
            if (!working) {
                working = start();
            }
        }
    }

    /** Returns whether there was room for a thread; if not, the next site that is worth code tries again. */
    private static boolean start() {
        try {
            Thread maker = new Thread(null, new Runnable() {
                @Override
                public void run() {
                    work();
                }
            }, "samewire-bridge-code", 0, false);
            maker.setDaemon(true);
            maker.start();
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    private static void work() {
        while (true) {
            Call call;
            synchronized (WAITING) {
                call = WAITING.poll();
                if (call == null) {
                    working = false;
                    return;
                }
            }
            Invocation code = code(call);
            if (code != null) {
                call.become(code);
            }
        }
    }

    /** Returns the code, or null if it cannot be made: the site then stays interpreted, and the thread goes on. */
    private static Invocation code(Call call) {
        try {
            return CallCode.of(call);
        } catch (RuntimeException | LinkageError | VirtualMachineError refused) {
            return null;
        }
    }

    /** For generated code: writes a text that may be null. */
    public static void text(Output out, String value) {
        out.bool(value != null);
        if (value != null) {
            out.string(value);
        }
    }

    /** For generated code: hands what a program threw to the channel. */
    public static void threw(Throwable what, Channel channel) {
        channel.threw(Callee.thrown(what));
    }

    /** For generated code: refuses a receiver that is null. */
    public static Object receiver(Object object) {
        if (object == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the receiver of a call is null");
        }
        return object;
    }
}
