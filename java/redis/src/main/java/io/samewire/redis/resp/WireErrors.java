package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** The texts of errors of the wire. */
final class WireErrors {
    private WireErrors() {}

    static SamewireException error(Code code, long at, String path) {
        return new SamewireException(code, at, path, switch (code) {
            case LIMIT_DEPTH -> "aggregates are nested deeper than limits.depth: raise it for data that you trust";
            case LIMIT_ITEMS -> "more elements than limits.items or limits.cells allow:"
                + " raise them for data that you trust";
            case LIMIT_SIZE -> "the reply is longer than limits.frameBytes (raise it for data that you trust),"
                + " or a number has too many digits";
            case BAD_NUMBER -> "expected a number in decimal digits, within its range and without leading zeros";
            case TRUNCATED -> "the reply ends too early";
            case TRAILING -> "bytes are left after the reply";
            default -> "this is not RESP: expected a type byte, what belongs to it, and CR LF";
        });
    }
}
