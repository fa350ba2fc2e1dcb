package io.samewire.pack.bind;

import io.samewire.pack.wire.Writer;

/** How a loop writes the texts of one place. */
abstract class TextCode {
    final int dedupSlot;

    TextCode(int dedupSlot) {
        this.dedupSlot = dedupSlot;
    }

    /** Writes the string that {@code load} pushes. */
    abstract void write(Body body, Push load);

    /** Calls a method of the writer that takes a string and its dedup slot. */
    final void call(Body body, Push load, String name, Class<?> result) {
        body.aload(0);
        load.push(body);
        body.push(dedupSlot);
        body.call(Writer.class, name, result, String.class, int.class);
    }
}
