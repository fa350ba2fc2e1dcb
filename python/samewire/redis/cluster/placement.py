"""Where a command goes in a cluster, how a command of several slots is split, and how the replies become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..exceptions import RedisClusterException
from ..rules.routing import facts, keys_of
from ..rules.slots import key_slot

#: Groups of nodes; the values are redis-py's, which `target_nodes` takes.
PRIMARIES = "primaries"
REPLICAS = "replicas"
ALL_NODES = "all"
RANDOM = "random"
DEFAULT_NODE = "default-node"
NODE_FLAGS = frozenset({PRIMARIES, REPLICAS, ALL_NODES, RANDOM, DEFAULT_NODE})

#: Not a group: the first argument is the number of a slot.
SLOT_ID = "slot-id"

#: Commands without keys that do not go to the default node.
GROUPS: dict[str, str] = {
    **dict.fromkeys(
        "DBSIZE FLUSHALL FLUSHDB KEYS SCAN".split()
        + [f"SCRIPT {name}" for name in ("EXISTS", "FLUSH", "LOAD")]
        + [f"FUNCTION {name}" for name in ("DELETE", "FLUSH", "LIST", "LOAD", "RESTORE")],
        PRIMARIES,
    ),
    # A channel's subscribers are known to the nodes that have them.
    **dict.fromkeys((f"PUBSUB {name}" for name in ("CHANNELS", "NUMPAT", "NUMSUB", "SHARDCHANNELS", "SHARDNUMSUB")), ALL_NODES),
    **dict.fromkeys(("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO", "FUNCTION DUMP"), RANDOM),
    **dict.fromkeys(
        (f"CLUSTER {name}" for name in ("COUNTKEYSINSLOT", "DELSLOTS", "DELSLOTSRANGE", "GETKEYSINSLOT", "SETSLOT")), SLOT_ID
    ),
}


def _sum(replies: Mapping[str, Any]) -> Any:
    return sum(replies.values())


def _all(replies: Mapping[str, Any]) -> Any:
    return all(replies.values())


def _last(replies: Mapping[str, Any]) -> Any:
    return list(replies.values())[-1]


def _union(replies: Mapping[str, Any]) -> Any:
    """One list of what all nodes have, each once. In the order of the first node that has it."""
    return list(dict.fromkeys(item for reply in replies.values() for item in reply))


def _cursors(replies: Mapping[str, Any]) -> Any:
    """SCAN: the cursor of each node, and the keys of all."""
    return {node: reply[0] for node, reply in replies.items()}, [key for reply in replies.values() for key in reply[1]]


def _subscribers(replies: Mapping[str, Any]) -> Any:
    """PUBSUB NUMSUB: the sum for each channel."""
    found: dict[Any, int] = {}
    for reply in replies.values():
        for channel, number in reply.items() if isinstance(reply, Mapping) else reply:
            found[channel] = found.get(channel, 0) + int(number)
    return list(found.items())


#: How the replies of a group of nodes become one, for commands where the node does not matter to the caller. Others give a
#: dictionary by the node's name if they went to more than one.
MERGES: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    **dict.fromkeys(("DBSIZE", "WAIT", "PUBSUB NUMPAT"), _sum),
    **dict.fromkeys(("KEYS", "PUBSUB CHANNELS", "PUBSUB SHARDCHANNELS"), _union),
    **dict.fromkeys(("PUBSUB NUMSUB", "PUBSUB SHARDNUMSUB"), _subscribers),
    **dict.fromkeys(
        "FLUSHALL FLUSHDB PING BGSAVE SAVE".split()
        + "CLIENT SETNAME,CLIENT PAUSE,CLIENT UNPAUSE,CONFIG SET,CONFIG REWRITE,CONFIG RESETSTAT".split(",")
        + "FUNCTION DELETE,FUNCTION FLUSH,FUNCTION RESTORE,MEMORY PURGE,SCRIPT FLUSH,SLOWLOG RESET".split(","),
        _all,
    ),
    "CLIENT UNBLOCK": lambda replies: int(any(replies.values())),
    "SCRIPT EXISTS": lambda replies: [all(each) for each in zip(*replies.values(), strict=True)],
    "SCRIPT LOAD": _last,
    "SCAN": _cursors,
}

#: Commands that are split where their keys lie in several slots: how many arguments belong to a key.
SPLIT: dict[str, int] = {"DEL": 1, "EXISTS": 1, "MGET": 1, "MSET": 2, "TOUCH": 1, "UNLINK": 1}


@dataclass(frozen=True, slots=True)
class Part:
    """The arguments of a split command that belong to one slot. places: which keys of the whole they are."""

    slot: int
    args: tuple[Any, ...]
    places: tuple[int, ...]


def name_of(args: Sequence[Any]) -> str:
    """The full name of a command in capitals, which may be its first two arguments."""
    return facts(args).name


def slot_of(args: Sequence[Any], encode: Callable[[Any], Any]) -> int | None:
    """The slot of a command; None if it has no key.

    Raises RedisClusterException if its keys lie in several slots.
    """
    found = facts(args)
    if found.single:
        return key_slot(encode(args[found.single])) if found.single < len(args) else None
    if found.places:
        keys = keys_of(args)
    elif found.name == "PUBLISH":
        # Every node hands it on to all others: channels are spread over them.
        keys = args[1:2]
    elif GROUPS.get(found.name) == SLOT_ID:
        return int(args[1 if " " in str(args[0]) else 2])
    else:
        return None
    if not keys:
        return None
    slot = key_slot(encode(keys[0]))
    if any(key_slot(encode(key)) != slot for key in keys[1:]):
        raise RedisClusterException(
            f"{found.name} - all keys must map to the same key slot: give them one hash tag, as in {{user:1}}:name and {{user:1}}:mail"
        )
    return slot


def group_of(args: Sequence[Any]) -> str:
    """The group of nodes of a command that has no key.

    Raises RedisClusterException for a command that should have one.
    """
    known = facts(args)
    group = GROUPS.get(known.name)
    if group is not None:
        return group
    if known.places:
        raise RedisClusterException(
            f"No way to dispatch this command to Redis Cluster. Missing key. {known.name} is sent to the node of its key, or to"
            " the nodes that target_nodes names"
        )
    return DEFAULT_NODE


def split(args: Sequence[Any], encode: Callable[[Any], Any]) -> list[Part] | None:
    """The parts of a command that may be split, in the order of each one's first key; None if it need not, or may not."""
    if len(args) < 3:
        return None
    step = SPLIT.get(args[0] if type(args[0]) is str else "")
    if step is None or (len(args) - 1) % step:
        return None
    places: dict[int, list[int]] = {}
    for place in range((len(args) - 1) // step):
        places.setdefault(key_slot(encode(args[1 + place * step])), []).append(place)
    if len(places) == 1:
        return None
    return [
        Part(slot, (args[0], *(arg for place in found for arg in args[1 + place * step : 1 + (place + 1) * step])), tuple(found))
        for slot, found in places.items()
    ]


def joined(parts: Sequence[Part], replies: Sequence[Any]) -> Any:
    """The reply of a split command: values in the order of the keys (MGET), True (MSET) or a sum."""
    name = parts[0].args[0]
    if name == "MSET":
        return all(replies)
    if name != "MGET":
        return sum(replies)
    values: list[Any] = [None] * sum(len(part.places) for part in parts)
    for part, reply in zip(parts, replies, strict=True):
        for place, value in zip(part.places, reply, strict=True):
            values[place] = value
    return values
