package io.samewire.pack.bind;

import io.samewire.pack.wire.Writer;

/** A text of a loop whose texts are not deduplicated: the element itself, or a slot of it. */
final class NewText extends TextCode {
    private final boolean element;
    private final boolean numbered;

    /** {@code numbered} says whether its number has been given before the loop. */
    NewText(int dedupSlot, boolean element, boolean numbered) {
        super(dedupSlot);
        this.element = element;
        this.numbered = numbered;
    }

    @Override
    void write(Body body, Push load) {
        if (!numbered) {
            body.aload(0);
            body.push(1);
            body.push(1);
            body.call(Writer.class, "number", void.class, int.class, int.class);
        }
        call(body, load, element ? "rowText" : "slotText", void.class);
    }
}
