"""The Bloom module (RedisBloom 1.0 to 2.8, part of Redis 8, and valkey-bloom for BF): filters and sketches.

Bloom filters (`bf`), cuckoo filters (`cf`), count-min sketches (`cms`), the most frequent items (`topk`), quantiles
(`tdigest`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from ..rules.conversion import NEVER_DECODE
from .module import Module, Table, is_true_ok, native, numbers, option


class Info:
    """What a server says of a value: attributes under redis-py's names, also by `info["name"]` and `info.get("name")`."""

    #: The server's name of each attribute.
    NAMES: ClassVar[dict[str, str]] = {}

    def __init__(self, reply: Any) -> None:
        pairs = reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2], strict=False)
        said = {native(name): value for name, value in pairs}
        for attribute, name in self.NAMES.items():
            setattr(self, attribute, said[name])

    def __getitem__(self, item: str) -> Any:
        return getattr(self, item)

    def get(self, item: str) -> Any:
        """The attribute; None if there is none."""
        return getattr(self, item, None)


class BFInfo(Info):
    """BF.INFO."""

    NAMES: ClassVar[dict[str, str]] = {
        "capacity": "Capacity",
        "size": "Size",
        "filterNum": "Number of filters",
        "insertedNum": "Number of items inserted",
        "expansionRate": "Expansion rate",
    }


class CFInfo(Info):
    """CF.INFO."""

    NAMES: ClassVar[dict[str, str]] = {
        "size": "Size",
        "bucketNum": "Number of buckets",
        "filterNum": "Number of filters",
        "insertedNum": "Number of items inserted",
        "deletedNum": "Number of items deleted",
        "bucketSize": "Bucket size",
        "expansionRate": "Expansion rate",
        "maxIteration": "Max iterations",
    }


class CMSInfo(Info):
    """CMS.INFO."""

    NAMES: ClassVar[dict[str, str]] = {name: name for name in ("width", "depth", "count")}


class TopKInfo(Info):
    """TOPK.INFO."""

    NAMES: ClassVar[dict[str, str]] = {name: name for name in ("k", "width", "depth", "decay")}


class TDigestInfo(Info):
    """TDIGEST.INFO."""

    NAMES: ClassVar[dict[str, str]] = {
        "compression": "Compression",
        "capacity": "Capacity",
        "merged_nodes": "Merged nodes",
        "unmerged_nodes": "Unmerged nodes",
        "merged_weight": "Merged weight",
        "unmerged_weight": "Unmerged weight",
        "total_compressions": "Total compressions",
        "memory_usage": "Memory usage",
    }


def interleaved(items: Sequence[Any], increments: Sequence[Any]) -> list[Any]:
    """Each item and its increment."""
    return [word for place, item in enumerate(items) for word in (item, increments[place])]


class BFCommands:
    """Bloom filters: whether an item was added, with false positives at a bounded rate."""

    execute_command: Callable[..., Any]

    def create(self, key: Any, errorRate: float, capacity: int, expansion: int | None = None, noScale: bool | None = None) -> Any:  # noqa: N803
        """BF.RESERVE (since 1.0): makes an empty filter; returns True.

        errorRate: the share of false positives. capacity: items before the filter grows.
        expansion: how many times larger each next part is. noScale: not None for a filter that never grows.
        """
        words = option("EXPANSION", expansion) + (["NONSCALING"] if noScale is not None else [])
        return self.execute_command("BF.RESERVE", key, errorRate, capacity, *words)

    reserve = create

    def add(self, key: Any, item: Any) -> Any:
        """BF.ADD (since 1.0): adds an item; returns 1 if it was not there, most likely."""
        return self.execute_command("BF.ADD", key, item)

    def madd(self, key: Any, *items: Any) -> Any:
        """BF.MADD (since 1.0): adds items; returns for each what `add` does."""
        return self.execute_command("BF.MADD", key, *items)

    def insert(
        self,
        key: Any,
        items: Iterable[Any],
        capacity: int | None = None,
        error: float | None = None,
        noCreate: bool | None = None,  # noqa: N803
        expansion: int | None = None,
        noScale: bool | None = None,  # noqa: N803
    ) -> Any:
        """BF.INSERT (since 1.0): adds items, to a new filter with these options if there is none.

        noCreate, noScale: not None for an error where there is no filter, and for a filter that never grows.
        """
        words = option("CAPACITY", capacity) + option("ERROR", error) + option("EXPANSION", expansion)
        words += ["NOCREATE"] if noCreate is not None else []
        words += ["NONSCALING"] if noScale is not None else []
        return self.execute_command("BF.INSERT", key, *words, "ITEMS", *items)

    def exists(self, key: Any, item: Any) -> Any:
        """BF.EXISTS (since 1.0): 0 if an item was never added, else 1."""
        return self.execute_command("BF.EXISTS", key, item)

    def mexists(self, key: Any, *items: Any) -> Any:
        """BF.MEXISTS (since 1.0): the same for each item."""
        return self.execute_command("BF.MEXISTS", key, *items)

    def scandump(self, key: Any, iter: int) -> Any:
        """BF.SCANDUMP (since 1.0): the next cursor and a part of the filter as bytes, for `loadchunk`. Begin with 0; 0 ends it."""
        return self.execute_command("BF.SCANDUMP", key, iter, **{NEVER_DECODE: []})

    def loadchunk(self, key: Any, iter: int, data: Any) -> Any:
        """BF.LOADCHUNK (since 1.0): restores a part that `scandump` returned."""
        return self.execute_command("BF.LOADCHUNK", key, iter, data)

    def info(self, key: Any) -> Any:
        """BF.INFO (since 1.0): what is known of a filter (`BFInfo`)."""
        return self.execute_command("BF.INFO", key)

    def card(self, key: Any) -> Any:
        """BF.CARD (since 2.4.4): how many items were added."""
        return self.execute_command("BF.CARD", key)


class CFCommands:
    """Cuckoo filters: as Bloom filters, and items can be deleted."""

    execute_command: Callable[..., Any]

    def create(
        self,
        key: Any,
        capacity: int,
        expansion: int | None = None,
        bucket_size: int | None = None,
        max_iterations: int | None = None,
    ) -> Any:
        """CF.RESERVE (since 1.0): makes an empty filter; returns True.

        bucket_size: items in a bucket. max_iterations: attempts to make room before the filter grows by `expansion`.
        """
        words = option("EXPANSION", expansion) + option("BUCKETSIZE", bucket_size) + option("MAXITERATIONS", max_iterations)
        return self.execute_command("CF.RESERVE", key, capacity, *words)

    reserve = create

    def add(self, key: Any, item: Any) -> Any:
        """CF.ADD (since 1.0): adds an item, again if it is there; returns 1."""
        return self.execute_command("CF.ADD", key, item)

    def addnx(self, key: Any, item: Any) -> Any:
        """CF.ADDNX (since 1.0): adds an item unless it seems to be there, and returns whether it was added."""
        return self.execute_command("CF.ADDNX", key, item)

    def insert(self, key: Any, items: Iterable[Any], capacity: int | None = None, nocreate: bool | None = None) -> Any:
        """CF.INSERT (since 1.0): adds items, to a new filter if there is none. nocreate: not None for an error then."""
        return self._insert("CF.INSERT", key, items, capacity, nocreate)

    def insertnx(self, key: Any, items: Iterable[Any], capacity: int | None = None, nocreate: bool | None = None) -> Any:
        """CF.INSERTNX (since 1.0): adds those items that are not there, as `insert`."""
        return self._insert("CF.INSERTNX", key, items, capacity, nocreate)

    def _insert(self, name: str, key: Any, items: Iterable[Any], capacity: int | None, nocreate: bool | None) -> Any:
        words = option("CAPACITY", capacity) + (["NOCREATE"] if nocreate is not None else [])
        return self.execute_command(name, key, *words, "ITEMS", *items)

    def exists(self, key: Any, item: Any) -> Any:
        """CF.EXISTS (since 1.0): 0 if an item is not there, else 1."""
        return self.execute_command("CF.EXISTS", key, item)

    def mexists(self, key: Any, *items: Any) -> Any:
        """CF.MEXISTS (since 1.0): the same for each item."""
        return self.execute_command("CF.MEXISTS", key, *items)

    def delete(self, key: Any, item: Any) -> Any:
        """CF.DEL (since 1.0): deletes an item once; returns 1 if it was found."""
        return self.execute_command("CF.DEL", key, item)

    def count(self, key: Any, item: Any) -> Any:
        """CF.COUNT (since 1.0): how often an item was added, about."""
        return self.execute_command("CF.COUNT", key, item)

    def scandump(self, key: Any, iter: int) -> Any:
        """CF.SCANDUMP (since 1.0): the next cursor and a part of the filter, for `loadchunk`.

        Parts are any bytes: the client must not decode replies.
        """
        return self.execute_command("CF.SCANDUMP", key, iter)

    def loadchunk(self, key: Any, iter: int, data: Any) -> Any:
        """CF.LOADCHUNK (since 1.0): restores a part that `scandump` returned."""
        return self.execute_command("CF.LOADCHUNK", key, iter, data)

    def info(self, key: Any) -> Any:
        """CF.INFO (since 1.0): what is known of a filter (`CFInfo`)."""
        return self.execute_command("CF.INFO", key)


class CMSCommands:
    """Count-min sketches: how often an item was counted, never too few."""

    execute_command: Callable[..., Any]

    def initbydim(self, key: Any, width: int, depth: int) -> Any:
        """CMS.INITBYDIM (since 2.0): makes a sketch of so many counters in so many rows; returns True."""
        return self.execute_command("CMS.INITBYDIM", key, width, depth)

    def initbyprob(self, key: Any, error: float, probability: float) -> Any:
        """CMS.INITBYPROB (since 2.0): makes a sketch for an error, as a share of all counts, and the probability of more."""
        return self.execute_command("CMS.INITBYPROB", key, error, probability)

    def incrby(self, key: Any, items: Sequence[Any], increments: Sequence[int]) -> Any:
        """CMS.INCRBY (since 2.0): adds to the counts of items; returns them."""
        return self.execute_command("CMS.INCRBY", key, *interleaved(items, increments))

    def query(self, key: Any, *items: Any) -> Any:
        """CMS.QUERY (since 2.0): the count of each item."""
        return self.execute_command("CMS.QUERY", key, *items)

    def merge(self, destKey: Any, numKeys: int, srcKeys: Iterable[Any], weights: Sequence[int] = ()) -> Any:  # noqa: N803
        """CMS.MERGE (since 2.0): makes a sketch the sum of others, each times its weight; returns True."""
        words = ["WEIGHTS", *weights] if len(weights) > 0 else []
        return self.execute_command("CMS.MERGE", destKey, numKeys, *srcKeys, *words)

    def info(self, key: Any) -> Any:
        """CMS.INFO (since 2.0): width, depth and the sum of all counts (`CMSInfo`)."""
        return self.execute_command("CMS.INFO", key)


class TOPKCommands:
    """The most frequent items of a stream."""

    execute_command: Callable[..., Any]

    def reserve(self, key: Any, k: int, width: int, depth: int, decay: float) -> Any:
        """TOPK.RESERVE (since 2.0): makes a list of the `k` most frequent items; returns True.

        width, depth: counters in a row, and rows. decay: the probability to lower a counter that another item took.
        """
        return self.execute_command("TOPK.RESERVE", key, k, width, depth, decay)

    def add(self, key: Any, *items: Any) -> Any:
        """TOPK.ADD (since 2.0): counts items; returns for each the item that left the list for it, or None."""
        return self.execute_command("TOPK.ADD", key, *items)

    def incrby(self, key: Any, items: Sequence[Any], increments: Sequence[int]) -> Any:
        """TOPK.INCRBY (since 2.0): adds to the counts of items; returns as `add`."""
        return self.execute_command("TOPK.INCRBY", key, *interleaved(items, increments))

    def query(self, key: Any, *items: Any) -> Any:
        """TOPK.QUERY (since 2.0): 1 for each item in the list, else 0."""
        return self.execute_command("TOPK.QUERY", key, *items)

    def count(self, key: Any, *items: Any) -> Any:
        """TOPK.COUNT (since 2.0, deprecated since 2.4): the count of each item, about."""
        return self.execute_command("TOPK.COUNT", key, *items)

    def list(self, key: Any, withcount: bool = False) -> Any:
        """TOPK.LIST (since 2.0): the items of the list. withcount: each with its count behind it."""
        return self.execute_command("TOPK.LIST", key, *(["WITHCOUNT"] if withcount else []))

    def info(self, key: Any) -> Any:
        """TOPK.INFO (since 2.0): the options of a list (`TopKInfo`)."""
        return self.execute_command("TOPK.INFO", key)


class TDigestCommands:
    """Quantiles of many numbers in little memory (t-digest)."""

    execute_command: Callable[..., Any]

    def create(self, key: Any, compression: float = 100) -> Any:
        """TDIGEST.CREATE (since 2.4): makes an empty sketch; returns True. compression: more is more exact and larger."""
        return self.execute_command("TDIGEST.CREATE", key, "COMPRESSION", compression)

    def reset(self, key: Any) -> Any:
        """TDIGEST.RESET (since 2.4): empties a sketch."""
        return self.execute_command("TDIGEST.RESET", key)

    def add(self, key: Any, values: Iterable[float]) -> Any:
        """TDIGEST.ADD (since 2.4): adds numbers."""
        return self.execute_command("TDIGEST.ADD", key, *values)

    def merge(
        self, destination_key: Any, num_keys: int, *keys: Any, compression: float | None = None, override: bool = False
    ) -> Any:
        """TDIGEST.MERGE (since 2.4): adds sketches to another. override: what is there already is dropped."""
        words = option("COMPRESSION", compression) + (["OVERRIDE"] if override else [])
        return self.execute_command("TDIGEST.MERGE", destination_key, num_keys, *keys, *words)

    def min(self, key: Any) -> Any:
        """TDIGEST.MIN (since 2.4): the least number."""
        return self.execute_command("TDIGEST.MIN", key)

    def max(self, key: Any) -> Any:
        """TDIGEST.MAX (since 2.4): the greatest number."""
        return self.execute_command("TDIGEST.MAX", key)

    def quantile(self, key: Any, quantile: float, *quantiles: float) -> Any:
        """TDIGEST.QUANTILE (since 2.4): for each fraction the number below which that share of the numbers is."""
        return self.execute_command("TDIGEST.QUANTILE", key, quantile, *quantiles)

    def cdf(self, key: Any, value: float, *values: float) -> Any:
        """TDIGEST.CDF (since 2.4): for each number the share of numbers up to it."""
        return self.execute_command("TDIGEST.CDF", key, value, *values)

    def info(self, key: Any) -> Any:
        """TDIGEST.INFO (since 2.4): what is known of a sketch (`TDigestInfo`)."""
        return self.execute_command("TDIGEST.INFO", key)

    def trimmed_mean(self, key: Any, low_cut_quantile: float, high_cut_quantile: float) -> Any:
        """TDIGEST.TRIMMED_MEAN (since 2.4): the mean of the numbers between two quantiles."""
        return self.execute_command("TDIGEST.TRIMMED_MEAN", key, low_cut_quantile, high_cut_quantile)

    def rank(self, key: Any, value: float, *values: float) -> Any:
        """TDIGEST.RANK (since 2.4): for each number how many are less, half of the equal ones among them."""
        return self.execute_command("TDIGEST.RANK", key, value, *values)

    def revrank(self, key: Any, value: float, *values: float) -> Any:
        """TDIGEST.REVRANK (since 2.4): for each number how many are greater."""
        return self.execute_command("TDIGEST.REVRANK", key, value, *values)

    def byrank(self, key: Any, rank: int, *ranks: int) -> Any:
        """TDIGEST.BYRANK (since 2.4): for each rank its number; 0 is the least."""
        return self.execute_command("TDIGEST.BYRANK", key, rank, *ranks)

    def byrevrank(self, key: Any, rank: int, *ranks: int) -> Any:
        """TDIGEST.BYREVRANK (since 2.4): for each rank its number; 0 is the greatest."""
        return self.execute_command("TDIGEST.BYREVRANK", key, rank, *ranks)


def infos(name: str, kind: type[Info], *made: str) -> Table:
    """The conversions of a group: its INFO, and commands that return OK."""
    info = {name: kind}
    return Table(both=dict.fromkeys(made, is_true_ok), resp2=info, resp2_unified=info, resp3_unified=info, unasked=info)


class BFBloom(Module, BFCommands):
    """`client.bf()`: Bloom filters."""

    METHODS = BFCommands
    TABLE = infos("BF.INFO", BFInfo, "BF.RESERVE")


class CFBloom(Module, CFCommands):
    """`client.cf()`: cuckoo filters."""

    METHODS = CFCommands
    TABLE = infos("CF.INFO", CFInfo, "CF.RESERVE")


class CMSBloom(Module, CMSCommands):
    """`client.cms()`: count-min sketches."""

    METHODS = CMSCommands
    TABLE = infos("CMS.INFO", CMSInfo, "CMS.INITBYDIM", "CMS.INITBYPROB", "CMS.MERGE")


LISTS: dict[str, Callable[..., Any]] = dict.fromkeys(("TOPK.ADD", "TOPK.INCRBY", "TOPK.LIST"), numbers)


class TOPKBloom(Module, TOPKCommands):
    """`client.topk()`: the most frequent items."""

    METHODS = TOPKCommands
    TABLE = Table(
        both={"TOPK.RESERVE": is_true_ok},
        resp2={**LISTS, "TOPK.INFO": TopKInfo},
        resp2_unified={"TOPK.INFO": TopKInfo},
        resp3_unified={"TOPK.INFO": TopKInfo},
        unasked={**LISTS, "TOPK.INFO": TopKInfo},
    )


SINGLE: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("TDIGEST.MIN", "TDIGEST.MAX", "TDIGEST.TRIMMED_MEAN"), float),
    "TDIGEST.INFO": TDigestInfo,
}
SEVERAL = {
    **SINGLE,
    **dict.fromkeys(("TDIGEST.BYRANK", "TDIGEST.BYREVRANK", "TDIGEST.CDF", "TDIGEST.QUANTILE"), numbers),
}


class TDigestBloom(Module, TDigestCommands):
    """`client.tdigest()`: quantiles."""

    METHODS = TDigestCommands
    TABLE = Table(both={"TDIGEST.CREATE": is_true_ok}, resp2=SEVERAL, resp3_unified=SEVERAL, unasked=SINGLE)


# redis-py's names for asyncio: there is one class, whose methods return what the client's `execute_command` does.
AsyncBFBloom = BFBloom
AsyncCFBloom = CFBloom
AsyncCMSBloom = CMSBloom
AsyncTOPKBloom = TOPKBloom
AsyncTDigestBloom = TDigestBloom
