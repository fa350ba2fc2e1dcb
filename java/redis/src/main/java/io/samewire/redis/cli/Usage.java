package io.samewire.redis.cli;

/** The command line is not one that this program takes; the text says why. */
final class Usage extends Exception {
    private static final long serialVersionUID = 1L;

    Usage(String text) {
        super(text);
    }
}
