"""Methods on clusters that are written by hand.

`target_nodes` says which nodes run a command: a client of a cluster takes it, one of a single server has no use for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive
from samewire.redis.exceptions import RedisError
from samewire.redis.typing import EncodableT


def _there(nodes: Any) -> dict[str, Any]:
    """The option of a command that runs on certain nodes."""
    return {} if nodes is None else {"target_nodes": nodes}


def cluster(self: Executes, cluster_arg: str, *args: Any, **kwargs: Any) -> Any:
    """Runs any subcommand of CLUSTER."""
    return self.execute_command(f"CLUSTER {cluster_arg.upper()}", *args, **kwargs)


def cluster_addslots(self: Executes, target_node: Any, *slots: EncodableT) -> Any:
    """Makes slots the node's (CLUSTER ADDSLOTS)."""
    return self.execute_command("CLUSTER ADDSLOTS", *slots, **_there(target_node))


def cluster_addslotsrange(self: Executes, target_node: Any, *slots: EncodableT) -> Any:
    """Makes ranges of slots, first and last of each, the node's (CLUSTER ADDSLOTSRANGE)."""
    return self.execute_command("CLUSTER ADDSLOTSRANGE", *slots, **_there(target_node))


def cluster_bumpepoch(self: Executes, target_nodes: Any = None) -> Any:
    """Advances the cluster's epoch (CLUSTER BUMPEPOCH)."""
    return self.execute_command("CLUSTER BUMPEPOCH", **_there(target_nodes))


def cluster_cancelslotmigrations(self: Executes, target_nodes: Any = None) -> Any:
    """Cancels the migrations of slots that are under way (CLUSTER CANCELSLOTMIGRATIONS of Valkey)."""
    return self.execute_command("CLUSTER CANCELSLOTMIGRATIONS", **_there(target_nodes))


def cluster_delslotsrange(self: Executes, *slots: EncodableT) -> Any:
    """Takes ranges of slots, first and last of each, from the node (CLUSTER DELSLOTSRANGE)."""
    return self.execute_command("CLUSTER DELSLOTSRANGE", *slots)


def cluster_failover(self: Executes, target_node: Any, option: str | None = None) -> Any:
    """Makes a replica its primary's successor (CLUSTER FAILOVER). option: FORCE or TAKEOVER."""
    if not option:
        return self.execute_command("CLUSTER FAILOVER", **_there(target_node))
    if option.upper() not in ("FORCE", "TAKEOVER"):
        raise RedisError(f"option must be 'FORCE' or 'TAKEOVER', not {option!r}")
    return self.execute_command("CLUSTER FAILOVER", option, **_there(target_node))


def cluster_flushslots(self: Executes, target_nodes: Any = None) -> Any:
    """Takes every slot from the node (CLUSTER FLUSHSLOTS)."""
    return self.execute_command("CLUSTER FLUSHSLOTS", **_there(target_nodes))


def cluster_forget(self: Executes, node_id: str, target_nodes: Any = None) -> Any:
    """Removes a node from the ones that a node knows (CLUSTER FORGET)."""
    return self.execute_command("CLUSTER FORGET", node_id, **_there(target_nodes))


def cluster_getslotmigrations(self: Executes, target_nodes: Any = None) -> Any:
    """Returns the migrations of slots, those under way and the latest others (CLUSTER GETSLOTMIGRATIONS of Valkey).

    With `protocol=2` each is a list of names and values in turn.
    """
    return self.execute_command("CLUSTER GETSLOTMIGRATIONS", **_there(target_nodes))


def cluster_info(self: Executes, target_nodes: Any = None) -> Any:
    """Returns the state of the cluster (CLUSTER INFO)."""
    return self.execute_command("CLUSTER INFO", **_there(target_nodes))


def cluster_links(self: Executes, target_node: Any) -> Any:
    """Returns the connections of the node to the others (CLUSTER LINKS).

    Each is a list of names and values in turn; with `protocol=3` and `legacy_responses=False` a dict.
    """
    return self.execute_command("CLUSTER LINKS", **_there(target_node))


def cluster_meet(self: Executes, host: str, port: int, target_nodes: Any = None) -> Any:
    """Connects a node to another cluster's (CLUSTER MEET)."""
    return self.execute_command("CLUSTER MEET", host, port, **_there(target_nodes))


def cluster_migrateslots(self: Executes, target_node: Any, *migrations: tuple[Sequence[tuple[int, int]], str]) -> Any:
    """Starts to move slots with their keys from the node to others (CLUSTER MIGRATESLOTS of Valkey).

    migrations: for each receiving node the ranges of slots, first and last, and the id of the node.
    """
    pieces: list[Any] = ["CLUSTER MIGRATESLOTS"]
    for ranges, node in migrations:
        pieces += ("SLOTSRANGE", *(slot for pair in ranges for slot in pair), "NODE", node)
    return self.execute_command(*pieces, **_there(target_node))


def cluster_myid(self: Executes, target_node: Any) -> Any:
    """Returns the id of the node (CLUSTER MYID)."""
    return self.execute_command("CLUSTER MYID", **_there(target_node))


def cluster_myshardid(self: Executes, target_nodes: Any = None) -> Any:
    """Returns the id of the node's shard (CLUSTER MYSHARDID)."""
    return self.execute_command("CLUSTER MYSHARDID", **_there(target_nodes))


def cluster_replicas(self: Executes, node_id: str, target_nodes: Any = None) -> Any:
    """Returns the replicas of a primary (CLUSTER REPLICAS)."""
    return self.execute_command("CLUSTER REPLICAS", node_id, **_there(target_nodes))


def cluster_replicate(self: Executes, target_nodes: Any, node_id: str) -> Any:
    """Makes nodes the replicas of a primary (CLUSTER REPLICATE)."""
    return self.execute_command("CLUSTER REPLICATE", node_id, **_there(target_nodes))


def cluster_reset(self: Executes, soft: bool = True, target_nodes: Any = None) -> Any:
    """Makes a node forget its cluster; with soft=False also its id and epoch (CLUSTER RESET)."""
    return self.execute_command("CLUSTER RESET", "SOFT" if soft else "HARD", **_there(target_nodes))


def cluster_save_config(self: Executes, target_nodes: Any = None) -> Any:
    """Writes the node's file of the cluster (CLUSTER SAVECONFIG)."""
    return self.execute_command("CLUSTER SAVECONFIG", **_there(target_nodes))


def cluster_set_config_epoch(self: Executes, epoch: int, target_nodes: Any = None) -> Any:
    """Sets the epoch of a new node (CLUSTER SET-CONFIG-EPOCH)."""
    return self.execute_command("CLUSTER SET-CONFIG-EPOCH", epoch, **_there(target_nodes))


def cluster_setslot(self: Executes, target_node: Any, node_id: str, slot_id: int, state: str) -> Any:
    """Sets the state of a slot that is on its way from or to the node (CLUSTER SETSLOT). state: IMPORTING, MIGRATING or NODE."""
    if state.upper() == "STABLE":
        raise RedisError("state 'STABLE' has a method of its own: cluster_setslot_stable")
    if state.upper() not in ("IMPORTING", "NODE", "MIGRATING"):
        raise RedisError(f"state must be 'IMPORTING', 'MIGRATING' or 'NODE', not {state!r}")
    return self.execute_command("CLUSTER SETSLOT", slot_id, state, node_id, **_there(target_node))


def cluster_shards(self: Executes, target_nodes: Any = None) -> Any:
    """Returns the shards of the cluster: their slots and nodes (CLUSTER SHARDS).

    With `protocol=2` the maps are lists of names and values in turn. A client of a cluster returns pairs of slots, and
    dicts in either protocol.
    """
    return self.execute_command("CLUSTER SHARDS", **_there(target_nodes))


def cluster_slot_stats(
    self: Executes,
    start: int | None = None,
    end: int | None = None,
    orderby: str | None = None,
    limit: int | None = None,
    desc: bool = True,
    target_nodes: Any = None,
) -> Any:
    """Returns the usage of the node's slots: of a range, or in the order of a figure (CLUSTER SLOT-STATS of Valkey)."""
    if (start is None) == (orderby is None) or (start is None) != (end is None):
        raise exclusive("start with end", "orderby")
    if orderby is None:
        return self.execute_command("CLUSTER SLOT-STATS", "SLOTSRANGE", start, end, **_there(target_nodes))
    pieces: list[Any] = ["ORDERBY", orderby]
    if limit is not None:
        pieces += ("LIMIT", limit)
    return self.execute_command("CLUSTER SLOT-STATS", *pieces, "DESC" if desc else "ASC", **_there(target_nodes))


def cluster_slots(self: Executes, target_nodes: Any = None) -> Any:
    """Returns the ranges of slots and the nodes that serve them (CLUSTER SLOTS).

    Each is a list of the first slot, the last, and a list for each node. A client of a cluster returns a dict by both slots.
    """
    return self.execute_command("CLUSTER SLOTS", **_there(target_nodes))
