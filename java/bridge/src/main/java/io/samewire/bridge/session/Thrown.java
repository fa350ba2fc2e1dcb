package io.samewire.bridge.session;

/** Carries an exception of the called program, as opposed to an error of the bridge itself. */
public final class Thrown extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates a carrier. It has no stack of its own. */
    public Thrown(Throwable what) {
        super(null, what, false, false);
    }
}
