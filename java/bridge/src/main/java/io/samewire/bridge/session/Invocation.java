package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;

/** What a site calls: resolved once, called by any thread. */
public interface Invocation {
    /** Returns the kind of the result; {@code void} if there is none. */
    Kind result();

    /**
     * Reads the arguments, each of its kind; declares the message read ({@link Input#finish()}) before anything is
     * called; calls; writes the value of the result and nothing else. In a batch ({@link Channel#batching()}) what was
     * returned is given to {@link Channel#keep(Object)} too.
     *
     * @throws Thrown what the called program threw, unless it was passed to {@link Channel#threw(Thrown)}: to throw
     *     it once more would cost a fifth of what a call that throws takes in the JVM
     * @throws io.samewire.core.SamewireException with an offset if the message is wrong, which ends the session;
     *     without one if the value of an argument or of the result is, which is reported to the caller. Unread
     *     arguments are then skipped.
     */
    void invoke(Channel channel, Input in, Output out) throws Throwable;
}
