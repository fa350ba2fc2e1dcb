package io.samewire.redis.spring;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.PoolStatistics;
import io.samewire.redis.client.RedisClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The clients of single nodes of a cluster, by address. Nodes that get other addresses, as containers do when they
 * start again, would leave a client each: the client of a node that has left is closed. An address that the cluster
 * never listed is a name that the program gave, and its client stays. Not thread-safe.
 */
final class NodeClients {
    private final Map<Address, RedisClient> clients = new HashMap<>();
    /** The cluster's addresses, as last listed. */
    private Set<Address> listed = Set.of();
    /** Addresses with a client that the cluster has listed. */
    private final Set<Address> members = new HashSet<>();

    /** Returns the client of a node, made now if there is none. */
    RedisClient at(Address address, Function<Address, RedisClient> make) {
        if (listed.contains(address)) {
            members.add(address);
        }
        return clients.computeIfAbsent(address, make);
    }

    /**
     * Takes the cluster's present addresses, and closes the clients of members that are not among them. One that a
     * blocking caller uses is left to the next list.
     */
    void retain(Set<Address> present) {
        listed = Set.copyOf(present);
        clients.entrySet().removeIf(one -> {
            if (present.contains(one.getKey())) {
                members.add(one.getKey());
                return false;
            }
            boolean left = members.contains(one.getKey()) && isIdle(one.getValue());
            if (left) {
                members.remove(one.getKey());
                one.getValue().close();
            }
            return left;
        });
    }

    /** A node that joins is not listed by all others at once: a call on its way is not cut for that. */
    private static boolean isIdle(RedisClient client) {
        PoolStatistics pool = client.poolStatistics();
        return pool.connections() == pool.idle() && pool.waiting() == 0;
    }

    void close() {
        clients.values().forEach(RedisClient::close);
    }
}
