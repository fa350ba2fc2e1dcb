package io.samewire.pack.bind;

/** A text of a loop in which nobody looks up: the element itself, or a slot of it. */
final class NewText extends TextCode {
    private final boolean element;

    NewText(int site, boolean element) {
        super(site);
        this.element = element;
    }

    @Override
    void write(Body body, Push load) {
        call(body, load, element ? "rowText" : "slotText", void.class);
    }
}
