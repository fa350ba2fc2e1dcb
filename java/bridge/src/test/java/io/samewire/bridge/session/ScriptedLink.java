package io.samewire.bridge.session;

import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A link whose peer sends what a test has written, regardless of what it receives, and keeps what it receives. */
class ScriptedLink implements Link {
    final Deque<byte[]> coming = new ArrayDeque<>();
    /** The first bytes of the messages that were sent. */
    final List<Integer> sent = new ArrayList<>();

    /** Adds a message that the peer sends. */
    void sends(Consumer<Output> message) {
        Output out = new Output(Limits.DEFAULT);
        message.accept(out);
        coming.add(Arrays.copyOf(out.array(), out.length()));
    }

    @Override
    public void send(Output frames) {
        sent.add((int) frames.array()[frames.message()]);
    }

    @Override
    public boolean receive(Input into) {
        byte[] message = coming.poll();
        if (message != null) {
            into.reset(message, 0, message.length, this);
        }
        return message != null;
    }

    @Override
    public void read(byte[] into, int from, int length) {
        throw new AssertionError("nothing large is read");
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
