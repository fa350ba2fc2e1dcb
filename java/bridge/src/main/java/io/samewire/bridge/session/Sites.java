package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/**
 * The sites of the client, by its numbers. Thread-safe; a number is looked up without the lock.
 *
 * <p>A definition may be as long as a frame, and there may be 65,535 of them. So the total length of the kept ones is
 * limited, and definitions that cannot be resolved are not kept: a client without any rights cannot fill the heap with
 * them.
 */
final class Sites {
    private static final int MOST = 65_535;
    private static final int FIRST = 64;
    /** The most characters of the definitions of a session: 256 for each of 65,535 sites. */
    static final int MOST_TEXT = 16 << 20;

    private volatile Site[] sites = new Site[FIRST];
    /** The characters of the definitions that are kept. Guarded by the lock. */
    private long text;

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
     * @throws SamewireException {@code malformed} if the number is too large, or has another definition; {@code
     *     limit_size} if the definitions of the session are too long
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
                long length = text + definition.length();
                if (length > MOST_TEXT) {
                    throw new SamewireException(Code.LIMIT_SIZE, at, null, "the definitions of a session's sites have"
                        + " more than " + MOST_TEXT + " characters: call fewer different members, or connect anew");
                }
                text = length;
                site = new Site(definition);
                known[index] = site;
                sites = known;
            } else if (!site.definition.equals(definition)) {
                throw new SamewireException(Code.MALFORMED, at, null, "site " + number + " has another definition");
            }
            return site;
        }
    }

    /** Drops a site whose definition cannot be resolved; its next first call defines it again. */
    synchronized void forget(long number, Site site) {
        int index = (int) number;
        if (number != 0 && sites[index] == site && site.invocation == null) {
            sites[index] = null;
            text -= site.definition.length();
        }
    }

    /** Keeps a resolved site, even if another thread, which could not resolve it, has dropped it. */
    synchronized void keep(long number, Site site) {
        int index = (int) number;
        if (number != 0 && sites[index] == null) {
            sites[index] = site;
            text += site.definition.length();
        }
    }
}
