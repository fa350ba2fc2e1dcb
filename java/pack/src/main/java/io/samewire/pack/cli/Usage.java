package io.samewire.pack.cli;

/** The command line is not one that this program takes, or names what cannot be used; the text says why. */
final class Usage extends Exception {
    private static final long serialVersionUID = 1L;

    Usage(String text) {
        super(text);
    }
}
