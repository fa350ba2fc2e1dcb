package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.resp.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Which node of a cluster serves which slot. Immutable: a change makes another map, so readers need no lock. */
final class SlotMap {
    /** Nothing is known. */
    static final SlotMap EMPTY = new SlotMap(new Object[KeySlot.COUNT], Map.of());

    /** The nodes of each slot, a {@code List<ClusterNode>} with the primary first, or null. */
    private final Object[] shards;
    private final Map<ClusterNode, NodeRole> nodes;

    private SlotMap(Object[] shards, Map<ClusterNode, NodeRole> nodes) {
        this.shards = shards;
        this.nodes = nodes;
    }

    /**
     * Reads the reply of {@code CLUSTER SLOTS}. asked: the host that replied; servers that do not know their own
     * address leave it out. node: gives the node at an address.
     *
     * @throws SamewireException {@code malformed} if the reply has another shape
     */
    static SlotMap of(List<Reply> rows, String asked, Function<Address, ClusterNode> node) {
        Object[] shards = new Object[KeySlot.COUNT];
        Map<ClusterNode, NodeRole> nodes = new LinkedHashMap<>();
        Map<List<ClusterNode>, List<ClusterNode>> known = new LinkedHashMap<>();
        int claimed = 0;
        for (Reply row : rows) {
            try {
                List<Reply> parts = ((Reply.Array) row).elements();
                long first = ((Reply.Integer) parts.get(0)).value();
                long last = ((Reply.Integer) parts.get(1)).value();
                // Each slot once: a short reply cannot make anybody go through millions of them.
                claimed += check(first, last);
                if (claimed > KeySlot.COUNT) {
                    throw odd("more than " + KeySlot.COUNT + " slots");
                }
                LinkedHashSet<ClusterNode> found = new LinkedHashSet<>();
                for (Reply one : parts.subList(2, parts.size())) {
                    List<Reply> fields = ((Reply.Array) one).elements();
                    String host = fields.get(0) instanceof Reply.Text text ? text.string() : "";
                    found.add(node.apply(Address.tcp(host.isEmpty() || host.equals("?") ? asked : host,
                        (int) ((Reply.Integer) fields.get(1)).value())));
                }
                List<ClusterNode> shard = List.copyOf(found);
                shard = known.computeIfAbsent(shard, own -> own);
                nodes.put(shard.get(0), NodeRole.PRIMARY);
                shard.forEach(replica -> nodes.putIfAbsent(replica, NodeRole.REPLICA));
                java.util.Arrays.fill(shards, (int) first, (int) last + 1, shard);
            } catch (ClassCastException | IndexOutOfBoundsException shape) {
                throw odd("the row " + row);
            }
        }
        return new SlotMap(shards, nodes);
    }

    private static int check(long first, long last) {
        if (first < 0 || last < first || last >= KeySlot.COUNT) {
            throw odd("slots " + first + " to " + last);
        }
        return (int) (last - first + 1);
    }

    private static SamewireException odd(String found) {
        return new SamewireException(Code.MALFORMED, -1, null, "CLUSTER SLOTS: expected rows of first slot, last slot,"
            + " and a host and port for each node, slots of 0 to 16383; found " + found);
    }

    /** Returns the primary and the replicas of a slot; null if no node serves it. */
    @SuppressWarnings("unchecked")
    List<ClusterNode> shard(int slot) {
        return (List<ClusterNode>) shards[slot];
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Returns whether each slot is served. */
    boolean isCovered() {
        for (Object shard : shards) {
            if (shard == null) {
                return false;
            }
        }
        return true;
    }

    Collection<ClusterNode> nodes() {
        return nodes.keySet();
    }

    List<ClusterNode> of(NodeRole role) {
        List<ClusterNode> found = new ArrayList<>();
        nodes.forEach((node, own) -> {
            if (own == role) {
                found.add(node);
            }
        });
        return found;
    }

    /** Returns the nodes, of both maps, of the slots that are served otherwise in a newer map. */
    Set<ClusterNode> changed(SlotMap newer) {
        Set<ClusterNode> found = new HashSet<>();
        for (int slot = 0; slot < shards.length; slot++) {
            List<ClusterNode> before = shard(slot);
            List<ClusterNode> after = newer.shard(slot);
            if (before != after && !Objects.equals(before, after)) {
                found.addAll(before == null ? List.of() : before);
                found.addAll(after == null ? List.of() : after);
            }
        }
        return found;
    }

    /**
     * Returns the map in which a node serves a slot. A replica that serves a slot of its shard has become the shard's
     * primary: that holds for all its slots.
     */
    SlotMap moved(int slot, ClusterNode to) {
        List<ClusterNode> shard = shard(slot);
        if (shard != null && shard.get(0) == to) {
            return this;
        }
        Object[] changed = shards.clone();
        Map<ClusterNode, NodeRole> roles = new LinkedHashMap<>(nodes);
        roles.put(to, NodeRole.PRIMARY);
        if (shard != null && shard.contains(to)) {
            List<ClusterNode> turned = new ArrayList<>(shard);
            turned.remove(to);
            roles.put(turned.get(0), NodeRole.REPLICA);
            turned.add(0, to);
            List<ClusterNode> kept = List.copyOf(turned);
            for (int i = 0; i < changed.length; i++) {
                changed[i] = changed[i] == shard ? kept : changed[i];
            }
        } else {
            Object theirs = List.of(to);
            for (Object other : shards) {
                if (other instanceof List<?> list && list.get(0) == to) {
                    theirs = other;
                    break;
                }
            }
            changed[slot] = theirs;
        }
        return new SlotMap(changed, roles);
    }
}
