"""What commands are and return for clients of a cluster, where that is not what it is for clients of one server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ..commands.executes import Executes
from ..commands.replies.texts import pairs, text
from ..exceptions import RedisClusterException
from ..rules.conversion import EMPTY_RESPONSE


def slots(reply: Any, **_: Any) -> dict[tuple[int, int], dict[str, Any]]:
    """CLUSTER SLOTS: the primary's address and the replicas', by the first and the last slot of a range."""
    return {
        (first, last): {
            "primary": (text(primary[0]) or "", primary[1]),
            "replicas": [(text(one[0]) or "", one[1]) for one in others],
        }
        for first, last, primary, *others in reply
    }


def shards(reply: Any, **_: Any) -> list[dict[str, Any]]:
    """CLUSTER SHARDS: the ranges of slots of each shard as pairs, and what is known of its nodes."""
    found = []
    for one in reply:
        shard = {text(name): value for name, value in pairs(one).items()}
        ends = shard["slots"]
        ranges = (
            [tuple(each) for each in ends]
            if ends and isinstance(ends[0], Sequence)
            else list(zip(ends[::2], ends[1::2], strict=True))
        )
        found.append({"slots": ranges, "nodes": [pairs(node) for node in shard["nodes"]]})
    return found


def shards_by_text(reply: Any, **_: Any) -> list[dict[str, Any]]:
    """CLUSTER SHARDS with str for the names of what is known."""
    return [
        {"slots": shard["slots"], "nodes": [{text(name): value for name, value in node.items()} for node in shard["nodes"]]}
        for shard in shards(reply)
    ]


def callbacks(legacy_responses: bool) -> dict[str, Any]:
    """The conversions that clients of clusters have besides those of all clients."""
    return {"CLUSTER SLOTS": slots, "CLUSTER SHARDS": shards if legacy_responses else shards_by_text, "CLUSTER MYSHARDID": text}


class ClusterOnlyCommands:
    """Commands that a cluster has in another way, for blocking and asyncio callers: what they return is what
    `execute_command` does."""

    def mget_nonatomic(self: Executes, keys: Any, *args: Any) -> Any:
        """The values of keys in any slots, in the order of the keys. Those of different slots are not read at one moment."""
        given = [keys] if isinstance(keys, str | bytes | int | float | memoryview) else list(keys)
        options: dict[str, Any] = {} if given or args else {EMPTY_RESPONSE: []}
        return self.execute_command("MGET", *given, *args, **options)

    def client_tracking_on(self: Any, *args: Any, target_nodes: Any = "all", **kwargs: Any) -> Any:
        """Turns notices of changed keys on: CLIENT TRACKING ON, with the arguments of `client_tracking`."""
        return self.client_tracking(True, *args, target_nodes=target_nodes, **kwargs)

    def client_tracking_off(self: Any, *args: Any, target_nodes: Any = "all", **kwargs: Any) -> Any:
        """Turns notices of changed keys off: CLIENT TRACKING OFF."""
        return self.client_tracking(False, *args, target_nodes=target_nodes, **kwargs)

    def readonly(self: Executes, target_nodes: Any = None) -> Any:
        """Lets replicas run reads on the connection of this command; `load_balancing_strategy` does so on all."""
        return self.execute_command("READONLY", target_nodes=target_nodes)

    def readwrite(self: Executes, target_nodes: Any = None) -> Any:
        """Lets replicas redirect reads again."""
        return self.execute_command("READWRITE", target_nodes=target_nodes)

    def slaveof(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raises RedisClusterException: `cluster_replicate` is the command of clusters."""
        raise unsupported("SLAVEOF")

    def replicaof(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raises RedisClusterException: `cluster_replicate` is the command of clusters."""
        raise unsupported("REPLICAOF")

    def cluster_flushslots(self, target_nodes: Any = None) -> NoReturn:
        """Raises NotImplementedError, as redis-py does: a node that forgets all its slots takes the cluster down."""
        raise NotImplementedError("CLUSTER FLUSHSLOTS takes a cluster down: send it with execute_command and target_nodes")

    def cluster_bumpepoch(self, target_nodes: Any = None) -> NoReturn:
        """Raises NotImplementedError, as redis-py does: it makes a node win against what all others agree on."""
        raise NotImplementedError("CLUSTER BUMPEPOCH is for repairs: send it with execute_command and target_nodes")

    def swapdb(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raises RedisClusterException: a cluster has one database."""
        raise unsupported("SWAPDB")


def unsupported(name: str) -> RedisClusterException:
    """The error of a command that clusters do not have."""
    return RedisClusterException(f"{name} is not supported in cluster mode")


def flattened(mapping: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The keys and values of MSET."""
    return tuple(word for pair in mapping.items() for word in pair)
