package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/** The sites of the client, by its numbers. Thread-safe; a number is looked up without the lock. */
final class Sites {
    private static final int MOST = 65_535;
    private static final int FIRST = 64;

    private volatile Site[] sites = new Site[FIRST];

    /**
     * Returns the site of a call.
     *
     * @throws SamewireException {@code malformed} if the number has no definition
     */
    Site get(long number, int at) {
        Site[] known = sites;
        Site site = number > 0 && number < known.length ? known[(int) number] : null;
        if (site == null) {
            throw new SamewireException(Code.MALFORMED, at, null,
                "site " + Long.toUnsignedString(number) + " has no definition");
        }
        return site;
    }

    /**
     * Returns the site of a first call.
     *
     * @throws SamewireException {@code malformed} if the number is too large, or has another definition
     */
    Site define(long number, Definition definition, int at) {
        if (number == 0) {
            return new Site(definition);
        }
        if (number < 0 || number > MOST) {
            throw new SamewireException(Code.MALFORMED, at, null,
                "the number of a site is at most " + MOST + ", not " + Long.toUnsignedString(number));
        }
        synchronized (this) {
            Site[] known = sites;
            int index = (int) number;
            if (index >= known.length) {
                known = Arrays.copyOf(known, Math.min(MOST + 1, Math.max(index + 1, 2 * known.length)));
            }
            Site site = known[index];
            if (site == null) {
                site = new Site(definition);
                known[index] = site;
                sites = known;
            } else if (!site.definition.equals(definition)) {
                throw new SamewireException(Code.MALFORMED, at, null, "site " + number + " has another definition");
            }
            return site;
        }
    }
}
