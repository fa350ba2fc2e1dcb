package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import java.util.HashMap;
import java.util.Map;

/** The sites of calls to the client, by their definitions. Thread-safe. */
final class PeerSites {
    private static final int MOST = 65_535;

    private final Session session;
    private final Map<Definition, PeerSite> sites = new HashMap<>();

    PeerSites(Session session) {
        this.session = session;
    }

    /** Returns the site of a definition. If no number is left, the site is used once and not kept. */
    synchronized PeerSite of(Definition definition) {
        PeerSite site = sites.get(definition);
        if (site == null) {
            if (sites.size() == MOST) {
                return new PeerSite(session, 0);
            }
            site = new PeerSite(session, sites.size() + 1);
            sites.put(definition, site);
        }
        return site;
    }
}
