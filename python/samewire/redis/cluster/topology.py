"""Which node of a cluster serves which slot, and when to ask for that again. Without I/O: sync and asyncio share it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Generic, TypeVar

from ..exceptions import InvalidResponse, SlotNotCoveredError

PRIMARY = "primary"
REPLICA = "replica"

#: Slots of a cluster (`CLUSTER_SLOTS` of the servers).
SLOTS = 16384


class LoadBalancingStrategy(Enum):
    """Which node of a shard reads go to."""

    ROUND_ROBIN = "round_robin"
    ROUND_ROBIN_REPLICAS = "round_robin_replicas"
    RANDOM = "random"
    RANDOM_REPLICA = "random_replica"


#: Strategies that leave the primary out while there is a replica.
REPLICAS_ONLY = frozenset({LoadBalancingStrategy.ROUND_ROBIN_REPLICAS, LoadBalancingStrategy.RANDOM_REPLICA})


def node_name(host: str, port: int | str) -> str:
    """The name of the node at an address."""
    return f"{host}:{port}"


class Node:
    """An address of a cluster. Nodes of one name are equal."""

    def __init__(self, host: str, port: int, server_type: str | None = None) -> None:
        self.host = host
        self.port = int(port)
        self.name = node_name(host, port)
        self.server_type = server_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, {self.server_type or 'type not known'}>"


N = TypeVar("N", bound=Node)


class Topology(Generic[N]):
    """The nodes of a cluster and who serves each slot.

    `slots` maps a slot to its shard: the primary, then the replicas. All slots of a shard share one list, and a refresh puts
    new dictionaries in place of the old ones, so readers need no lock. A node that stays keeps its object, and so its
    connections.

    make: called with host, port and server type for each node that is new.
    remap: called with (host, port) as the servers say them; returns where this client reaches them.
    """

    def __init__(
        self, make: Callable[[str, int, str], N], remap: Callable[[tuple[str, int]], tuple[str, int]] | None = None
    ) -> None:
        self.nodes: dict[str, N] = {}
        self.slots: dict[int, list[N]] = {}
        self._make = make
        self._remap = remap
        self._turns: dict[str, int] = {}

    @property
    def covered(self) -> bool:
        """Whether a node serves each slot."""
        return len(self.slots) == SLOTS

    def update(self, reply: object, asked: str) -> list[N]:
        """Takes the map of a CLUSTER SLOTS reply and returns the nodes that are no longer part of it.

        asked: the host that replied; servers that do not know their own address leave it out.

        Raises InvalidResponse if the reply has another shape; the map then stays as it was.
        """
        nodes: dict[str, N] = {}
        slots: dict[int, list[N]] = {}
        shards: dict[tuple[str, ...], list[N]] = {}
        for first, last, addresses in _ranges(reply):
            shard: list[N] = []
            for index, (host, port) in enumerate(addresses):
                node = self._node(nodes, host or asked, port, REPLICA if index else PRIMARY)
                if node not in shard:
                    shard.append(node)
            # A shard has a range for each hole in its slots.
            shard = shards.setdefault(tuple(node.name for node in shard), shard)
            slots.update(dict.fromkeys(range(first, last + 1), shard))
        primaries = {shard[0].name for shard in shards.values()}
        for name, node in nodes.items():
            node.server_type = PRIMARY if name in primaries else REPLICA
        gone = [node for name, node in self.nodes.items() if name not in nodes]
        self.nodes, self.slots = nodes, slots
        return gone

    def moved(self, slot: int, host: str, port: int) -> bool:
        """Notes that a node serves a slot now, and returns whether the rest of the map may be old, too.

        A replica that serves a slot of its shard has become the shard's primary: that holds for all its slots.
        """
        host, port = self._mapped(host, port)
        shard = self.slots.get(slot, [])
        known = self.nodes.get(node_name(host, port))
        if shard and known == shard[0]:
            return False  # Another caller has noted it.
        if known is not None and known in shard:
            old = shard[0]
            shard[:] = [known, *(node for node in shard if node != known)]
            # In this order: of two callers at once, the second finds the new primary in the old one's place.
            old.server_type = REPLICA
            known.server_type = PRIMARY
            return True
        if known is None:
            # Nobody has told its replicas yet. The dictionary is replaced: somebody may be iterating over it.
            known = self._make(host, port, PRIMARY)
            self.nodes = {**self.nodes, known.name: known}
            self.slots[slot] = [known]
            return True
        known.server_type = PRIMARY
        theirs = next((other for other in self.slots.values() if other[0] == known), None)
        self.slots[slot] = theirs or [known]
        return theirs is None

    def node(self, host: str, port: int) -> N:
        """The node at an address that a redirection names. It is made if the map does not have it, and not added to it."""
        host, port = self._mapped(host, port)
        return self.nodes.get(node_name(host, port)) or self._make(host, port, PRIMARY)

    def shard(self, slot: int) -> Sequence[N]:
        """The primary and the replicas of a slot. Raises SlotNotCoveredError if there are none."""
        shard = self.slots.get(slot)
        if not shard:
            raise SlotNotCoveredError(f'Slot "{slot}" is not covered by the cluster.')
        return shard

    def serving(self, slot: int, strategy: LoadBalancingStrategy | None = None) -> N:
        """The node for a command on a slot. strategy: how a read is spread; None is the primary."""
        shard = self.shard(slot)
        if strategy is None or len(shard) == 1:
            return shard[0]
        first = 1 if strategy in REPLICAS_ONLY else 0
        if strategy in (LoadBalancingStrategy.RANDOM, LoadBalancingStrategy.RANDOM_REPLICA):
            return shard[random.randrange(first, len(shard))]
        # A lost update of two threads costs an even spread, nothing else.
        turn = self._turns.get(shard[0].name, 0)
        self._turns[shard[0].name] = turn + 1
        return shard[first + turn % (len(shard) - first)]

    def of_type(self, server_type: str) -> list[N]:
        """The primaries, or the replicas."""
        return [node for node in self.nodes.values() if node.server_type == server_type]

    def _node(self, nodes: dict[str, N], host: str, port: int, server_type: str) -> N:
        host, port = self._mapped(host, port)
        name = node_name(host, port)
        if name not in nodes:
            nodes[name] = self.nodes.get(name) or self._make(host, port, server_type)
        return nodes[name]

    def _mapped(self, host: str, port: int) -> tuple[str, int]:
        return (host, port) if self._remap is None else self._remap((host, port))


def _ranges(reply: object) -> Iterable[tuple[int, int, list[tuple[str, int]]]]:
    """First slot, last slot and addresses, the primary's first, of each row of CLUSTER SLOTS."""
    if not isinstance(reply, list):
        raise InvalidResponse(f"CLUSTER SLOTS gave {str(reply)[:80]}, not a list of ranges")
    found = []
    claimed = 0
    for row in reply:
        try:
            first, last, *nodes = row
            first, last = int(first), int(last)
            addresses = [(_text(host), int(port)) for host, port, *_ in nodes]
        except (TypeError, ValueError) as error:
            raise InvalidResponse(
                f"CLUSTER SLOTS gave a row {str(row)[:80]}: expected first, last, [host, port, …], …"
            ) from error
        if not (0 <= first <= last < SLOTS and addresses and all(0 <= port < 65536 for _, port in addresses)):
            raise InvalidResponse(
                f"CLUSTER SLOTS gave a row {str(row)[:80]}: expected slots of 0 to {SLOTS - 1}, ports of 0 to 65535 and a primary"
            )
        # Each slot once: a short reply cannot make anybody go through millions of them.
        claimed += last - first + 1
        if claimed > SLOTS:
            raise InvalidResponse(f"CLUSTER SLOTS gave more than {SLOTS} slots: expected each in one row")
        found.append((first, last, addresses))
    return found


def _text(host: Any) -> str:
    """A host as text. Empty where the server does not know it: null, "" and "?" say so."""
    text = host.decode() if isinstance(host, bytes) else host or ""
    return "" if text == "?" else str(text)


def balancing(read_from_replicas: bool, strategy: LoadBalancingStrategy | None) -> LoadBalancingStrategy | None:
    """How reads are spread. `read_from_replicas` alone means all nodes of a shard in turn."""
    return strategy if strategy is not None or not read_from_replicas else LoadBalancingStrategy.ROUND_ROBIN


class Refresh:
    """When the map is asked for again. Every caller that needs a newer map shares one request; rounds that follow each other
    are apart by a growing, jittered time.

    A caller takes `round` when it chooses a node. If that fails and `round` is another by then, a caller has asked since.
    """

    #: Seconds: the most that a first round waits, the least between two rounds, the most between two rounds, and how long
    #: without a round is quiet.
    JITTER, SPACING, LONGEST, QUIET = 0.01, 0.1, 2.0, 5.0

    def __init__(self, uniform: Callable[[float, float], float] = random.uniform) -> None:
        self.round = 0
        self._uniform = uniform
        self._ended: float | None = None
        self._in_a_row = 0
        self._failing: dict[str, float] = {}

    def failed(self, name: str, now: float) -> None:
        """A node did not reply."""
        self._failing[name] = now

    def order(self, nodes: Iterable[N], now: float) -> list[N]:
        """Whom to ask, one after another: in random order, so that not all clients ask the same node, and last those that
        did not reply of late."""
        chosen = sorted(nodes, key=lambda _: self._uniform(0, 1))
        return sorted(chosen, key=lambda node: now - self._failing.get(node.name, -self.QUIET) < self.QUIET)

    def delay(self, now: float) -> float:
        """Seconds to wait before the next round, which then begins."""
        quiet = self._ended is None or now - self._ended > self.QUIET
        self._in_a_row = 0 if quiet else self._in_a_row + 1
        if self._ended is None or quiet:
            return self._uniform(0, self.JITTER)
        spacing = min(self.SPACING * 2.0 ** min(self._in_a_row - 1, 10), self.LONGEST)
        return max(0.0, self._ended + self._uniform(spacing / 2, spacing) - now)

    def ended(self, now: float) -> None:
        """A round has ended, with a map or without."""
        self.round += 1
        self._ended = now
