package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;

/** The resolved call of a site, used by any thread. */
public interface Invocation {
    /** Returns the kind of the result; {@code void} if there is none. */
    Kind result();

    /**
     * Reads the arguments, each of its kind; ends the message ({@link Input#finish()}) before anything is called; makes
     * the call; writes only the value of the result. In a batch ({@link Channel#batching()}) it also passes the result
     * to {@link Channel#keep(Object)}.
     *
     * @throws Thrown what the called program threw, unless it was passed to {@link Channel#threw(Thrown)}: to throw
     *     it once more would cost a fifth of what a call that throws takes in the JVM
     * @throws io.samewire.core.SamewireException with an offset if the message is wrong, which ends the session;
     *     without one if the value of an argument or of the result is, which is reported to the caller. Unread
     *     arguments are then skipped.
     */
    void invoke(Channel channel, Input in, Output out) throws Throwable;
}
