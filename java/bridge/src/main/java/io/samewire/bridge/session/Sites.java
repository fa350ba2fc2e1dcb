package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/**
 * The sites of the client, by its numbers. Thread-safe; a number is looked up without the lock.
 *
 * <p>A definition may be as long as a frame, and there may be 65,535 of them: those that are kept are bounded together,
 * and one that cannot be resolved is not kept, so that a client whom the policy allows next to nothing cannot fill the
 * heap with them.
 */
final class Sites {
    private static final int MOST = 65_535;
    private static final int FIRST = 64;
    /** The most characters of the definitions of a session: of 65,535 sites 256 for each. */
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

    /** A site's definition cannot be resolved: it keeps no memory, and its next first call defines it again. */
    synchronized void forget(long number, Site site) {
        int index = (int) number;
        if (number != 0 && sites[index] == site && site.invocation == null) {
            sites[index] = null;
            text -= site.definition.length();
        }
    }

    /** A site has been resolved: it stays, though another thread, which could not resolve it, has it forgotten. */
    synchronized void keep(long number, Site site) {
        int index = (int) number;
        if (number != 0 && sites[index] == null) {
            sites[index] = site;
            text += site.definition.length();
        }
    }
}
