package io.samewire.bridge.session;

/** Carries what a program that was called threw, to tell it from what the bridge itself refuses. */
public final class Thrown extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates a carrier. It has no stack of its own. */
    public Thrown(Throwable what) {
        super(null, what, false, false);
    }
}
