package io.samewire.bridge.value;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Unwraps optional values. */
final class Optionals {
    private Optionals() {}

    /** Returns the value of an optional, or null; other objects unchanged. */
    static Object value(Object optional) {
        if (optional instanceof Optional) {
            return ((Optional<?>) optional).isPresent() ? ((Optional<?>) optional).get() : null;
        } else if (optional instanceof OptionalInt) {
            return ((OptionalInt) optional).isPresent() ? ((OptionalInt) optional).getAsInt() : null;
        } else if (optional instanceof OptionalLong) {
            return ((OptionalLong) optional).isPresent() ? ((OptionalLong) optional).getAsLong() : null;
        } else if (optional instanceof OptionalDouble) {
            return ((OptionalDouble) optional).isPresent() ? ((OptionalDouble) optional).getAsDouble() : null;
        }
        return optional;
    }
}
