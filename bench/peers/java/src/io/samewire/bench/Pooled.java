package io.samewire.bench;

import java.util.Map;

/** A peer whose library keeps buffers in a pool, and counts. */
public interface Pooled {
    /** Encodes one message with a buffer from the pool, which goes back there. */
    void message(Object value);

    /** What the pool has done so far: {@code allocations} asked of it, {@code misses} that it had to make. */
    Map<String, Long> counts();
}
