package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;

/** The buffers of a call and its reply. A channel has one for each level of nested calls. */
final class Exchange {
    final Input in;
    final Output out;

    Exchange(Limits limits, long blobBytes) {
        in = new Input(limits, blobBytes);
        out = new Output(limits);
    }
}
