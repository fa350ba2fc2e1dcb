package io.samewire.spark.types;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;

/** A type or value that the other side has no place for. Each level that it passes puts its step before the path. */
final class Misfit extends RuntimeException {
    private final Code code;
    private String steps = "";

    Misfit(Code code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    static Misfit value(String text) {
        return new Misfit(Code.TYPE_MISMATCH, text);
    }

    static Misfit type(String text) {
        return new Misfit(Code.UNSUPPORTED, text);
    }

    Misfit under(String step) {
        steps = step + steps;
        return this;
    }

    SamewireException error() {
        return new SamewireException(code, -1, Path.ROOT + steps, getMessage());
    }
}
