package io.samewire.redis.spring;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.CommandClient;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Commands;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.ClusterInfo;
import org.springframework.data.redis.connection.RedisClusterCommands;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisClusterNode.SlotRange;
import org.springframework.data.redis.connection.convert.Converters;

/** A connection's commands of a cluster itself. */
abstract class ClusterCommands extends SamewireConnection implements RedisClusterCommands {
    ClusterCommands(SamewireConnectionFactory factory, CommandClient client) {
        super(factory, client);
    }

    /** Returns the calls of one node. */
    final Calls callsOf(RedisClusterNode node) {
        RedisClusterNode known = node.getHost() == null ? known(node) : node;
        return new Calls(factory.node(Address.tcp(known.getHost(), known.getPort())));
    }

    /** Asked for at once, in pipelines and transactions, too: other commands need it. */
    @Override
    public Set<RedisClusterNode> clusterGetNodes() {
        calls.expectOpen();
        Set<RedisClusterNode> present = new Calls(calls.client()).call(
            in -> Converters.toSetOfRedisClusterNodes(in.readLenientString()), "CLUSTER NODES");
        factory.retainNodes(present);
        return present;
    }

    /** Returns the nodes that are up, replicas too: those that a node of the cluster is connected to. */
    final List<RedisClusterNode> active() {
        return clusterGetNodes().stream().filter(one -> one.isConnected() && !one.isMarkedAsFail()).toList();
    }

    /** Returns the calls of the node that serves a slot. */
    private Calls callsOf(int slot) {
        RedisClusterNode serving = clusterGetNodeForSlot(slot);
        if (serving == null) {
            throw new InvalidDataAccessApiUsageException("expected a slot that a node serves, found " + slot
                + ": clusterAddSlots(node, slots) gives it to one");
        }
        return callsOf(serving);
    }

    private RedisClusterNode first(Predicate<RedisClusterNode> which) {
        return clusterGetNodes().stream().filter(which).findFirst().orElse(null);
    }

    /** Returns the node as the cluster knows it, with its id. */
    private RedisClusterNode known(RedisClusterNode node) {
        RedisClusterNode found = first(one -> node.getId() != null ? node.getId().equals(one.getId())
            : one.getPort().equals(node.getPort()) && one.getHost().equals(node.getHost()));
        if (found == null) {
            throw new IllegalArgumentException("expected a node of the cluster, found " + node);
        }
        return found;
    }

    @Override
    public Collection<RedisClusterNode> clusterGetReplicas(RedisClusterNode primary) {
        String id = known(primary).getId();
        return clusterGetNodes().stream().filter(one -> id.equals(one.getMasterId())).toList();
    }

    @Override
    public Map<RedisClusterNode, Collection<RedisClusterNode>> clusterGetMasterReplicaMap() {
        Set<RedisClusterNode> nodes = clusterGetNodes();
        Map<RedisClusterNode, Collection<RedisClusterNode>> found = new LinkedHashMap<>();
        nodes.stream().filter(RedisClusterNode::isMaster).forEach(primary -> found.put(primary,
            nodes.stream().filter(one -> primary.getId().equals(one.getMasterId())).toList()));
        return found;
    }

    /** Computed here: it depends on the key alone. */
    @Override
    public Integer clusterGetSlotForKey(byte[] key) {
        return Commands.of("GET", Bytes.of(key)).slot();
    }

    @Override
    public RedisClusterNode clusterGetNodeForSlot(int slot) {
        return first(one -> one.isMaster() && one.servesSlot(slot));
    }

    @Override
    public RedisClusterNode clusterGetNodeForKey(byte[] key) {
        return clusterGetNodeForSlot(clusterGetSlotForKey(key));
    }

    @Override
    public ClusterInfo clusterGetClusterInfo() {
        return calls.call(in -> new ClusterInfo(Converters.toProperties(in.readLenientString())), "CLUSTER INFO");
    }

    @Override
    public void clusterAddSlots(RedisClusterNode node, int... slots) {
        callsOf(node).run("CLUSTER ADDSLOTS", boxed(slots));
    }

    @Override
    public void clusterAddSlots(RedisClusterNode node, SlotRange range) {
        clusterAddSlots(node, range.getSlotsArray());
    }

    private static List<Integer> boxed(int... slots) {
        List<Integer> found = new ArrayList<>(slots.length);
        for (int slot : slots) {
            found.add(slot);
        }
        return found;
    }

    @Override
    public Long clusterCountKeysInSlot(int slot) {
        return callsOf(slot).call(Readings.LONG, "CLUSTER COUNTKEYSINSLOT", slot);
    }

    @Override
    public void clusterDeleteSlots(RedisClusterNode node, int... slots) {
        callsOf(node).run("CLUSTER DELSLOTS", boxed(slots));
    }

    @Override
    public void clusterDeleteSlotsInRange(RedisClusterNode node, SlotRange range) {
        clusterDeleteSlots(node, range.getSlotsArray());
    }

    /** Sends CLUSTER FORGET to all other nodes that are up: one that knows it would announce it again. */
    @Override
    public void clusterForget(RedisClusterNode node) {
        String id = known(node).getId();
        active().stream().filter(one -> !one.getId().equals(id)).forEach(one ->
            callsOf(one).run("CLUSTER FORGET", id));
    }

    @Override
    public void clusterMeet(RedisClusterNode node) {
        active().forEach(one -> callsOf(one).run("CLUSTER MEET", node.getHost(), node.getPort()));
    }

    @Override
    public void clusterSetSlot(RedisClusterNode node, int slot, AddSlots mode) {
        RedisClusterNode known = known(node);
        callsOf(known).run("CLUSTER SETSLOT", slot, mode,
            mode == AddSlots.STABLE ? List.of() : known.getId());
    }

    @Override
    public List<byte[]> clusterGetKeysInSlot(int slot, Integer most) {
        return callsOf(slot).call(Readings.BYTES_LIST, "CLUSTER GETKEYSINSLOT",
            slot, most == null ? Integer.MAX_VALUE : most);
    }

    @Override
    public void clusterReplicate(RedisClusterNode primary, RedisClusterNode replica) {
        callsOf(replica).run("CLUSTER REPLICATE", known(primary).getId());
    }
}
