package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;

/** What a call and its reply are read from and written to. A channel has one for each level of calls within calls. */
final class Exchange {
    final Input in;
    final Output out;

    Exchange(Limits limits, long blobBytes) {
        in = new Input(limits, blobBytes);
        out = new Output(limits);
    }
}
