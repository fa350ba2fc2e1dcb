package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.SearchCursor;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which node made each cursor of a search: no other node knows it. Thread-safe. */
final class SearchCursors {
    /** Servers drop cursors that nobody reads, and do not tell: the oldest are forgotten. */
    static final int MOST = 10_000;

    private final Map<SearchCursor, Address> nodes = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SearchCursor, Address> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Returns the node that a command must go to since it reads or deletes a cursor; null for other commands, and for a
     * cursor of which no reply told.
     *
     * @throws SamewireException {@code closed} if the node has left the cluster
     */
    ClusterNode node(Command<?> command, Collection<ClusterNode> known) {
        SearchCursor cursor = SearchCursor.of(command);
        Address made = cursor == null ? null : made(cursor);
        if (made == null) {
            return null;
        }
        return known.stream().filter(node -> node.address.equals(made)).findAny().orElseThrow(() ->
            new SamewireException(Code.CLOSED, -1, null, "cursor " + cursor.number() + " of the index \""
                + cursor.index() + "\" was made by " + made + ", which is not in the cluster any more: run the query"
                + " again"));
    }

    private synchronized Address made(SearchCursor cursor) {
        return nodes.get(cursor);
    }

    /** Returns the command as a node runs it: a cursor in its reply is remembered to be that node's. */
    <T> Command<T> watched(Command<T> command, ClusterNode node) {
        return SearchCursor.watched(command, cursor -> replied(SearchCursor.of(command), cursor, node.address));
    }

    void remember(String index, long number, Address node) {
        replied(null, new SearchCursor(index, number), node);
    }

    private synchronized void replied(SearchCursor read, SearchCursor next, Address node) {
        if (read != null) {
            nodes.remove(read);
        }
        if (next != null) {
            nodes.put(next, node);
        }
    }

    synchronized int size() {
        return nodes.size();
    }
}
