package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;

/**
 * Generates code for hot sites, on a thread of its own, since loading the generator takes tens of milliseconds. The
 * thread ends when the queue is empty.
 */
final class HotCode {
    /** After so many calls a site is hot. */
    static final int CALLS = 400;
    /** The longest queue: further sites stay on reflection. */
    private static final int MOST_WAITING = 1000;

    private static final ArrayDeque<Call> WAITING = new ArrayDeque<>();
    private static boolean working;

    private HotCode() {}

    /** Queues a call for code of its own, if its member and its session allow that. */
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

    /** Starts the thread. Returns false if that failed; the next hot site tries again. */
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

    /** For generated code: passes a program's exception to the channel. */
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
