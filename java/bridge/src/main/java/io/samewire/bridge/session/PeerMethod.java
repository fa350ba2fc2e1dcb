package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;

/**
 * How a method of an interface is called at a peer: one object for each method and kinds of arguments, used by any
 * thread.
 */
public interface PeerMethod {
    /** Returns the definition of its site; the receiver is the first argument. */
    Definition definition();

    /** Writes the receiver and the arguments, each of its kind. */
    void write(Channel channel, PeerObject receiver, Object[] arguments, Output out);

    /** Reads the result, of the kind that the peer gave it when it was called first. */
    Object read(Channel channel, Kind kind, Input in);
}
