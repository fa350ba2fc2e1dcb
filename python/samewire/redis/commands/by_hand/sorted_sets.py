"""Methods on sorted sets that are written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive, together
from samewire.redis.exceptions import DataError
from samewire.redis.typing import AnyKeyT, EncodableT, KeyT, ScoreCast

AGGREGATES = frozenset({"SUM", "MIN", "MAX", "COUNT"})


def zadd(
    self: Executes,
    name: KeyT,
    mapping: Mapping[AnyKeyT, EncodableT],
    nx: bool = False,
    xx: bool = False,
    ch: bool = False,
    incr: bool = False,
    gt: bool = False,
    lt: bool = False,
) -> Any:
    """Adds members, or sets their scores: `mapping` has a score for each member (ZADD).

    nx: only new members; xx: only members that are there; gt, lt: only if the new score is greater, or less;
    ch: count also the changed ones; incr: add the score of the one member to what it has, and return the sum.
    """
    if not mapping:
        raise DataError("ZADD needs at least one member: mapping is empty")
    if nx and (xx or gt or lt):
        raise exclusive("nx", "xx", "gt", "lt")
    if gt and lt:
        raise exclusive("gt", "lt")
    if incr and len(mapping) != 1:
        raise DataError(f"incr needs exactly one member, and mapping has {len(mapping)}")
    pieces: list[Any] = ["ZADD", name]
    if nx:
        pieces.append("NX")
    if xx:
        pieces.append("XX")
    if ch:
        pieces.append("CH")
    if incr:
        pieces.append("INCR")
    if gt:
        pieces.append("GT")
    if lt:
        pieces.append("LT")
    for member, score in mapping.items():
        pieces += (score, member)
    if incr:
        return self.execute_command(*pieces, as_score=True)
    return self.execute_command(*pieces)


def _lowest_or_highest(minimum: bool | None, maximum: bool | None) -> str:
    """MIN or MAX."""
    if bool(minimum) == bool(maximum):
        raise DataError("give either min=True or max=True")
    return "MIN" if minimum else "MAX"


def zmpop(
    self: Executes,
    num_keys: int,
    keys: Iterable[KeyT],
    min: bool | None = False,
    max: bool | None = False,
    count: int | None = 1,
) -> Any:
    """Removes and returns members with the lowest or highest scores of the first sorted set that has any (ZMPOP).

    A list of the key and a list of `[member, score]`. Scores are texts; with `protocol=3` and `legacy_responses=False` floats.
    """
    pieces: list[Any] = ["ZMPOP", num_keys, *keys, _lowest_or_highest(min, max)]
    if count != 1:
        pieces += ("COUNT", count)
    return self.execute_command(*pieces)


def bzmpop(
    self: Executes,
    timeout: float,
    numkeys: int,
    keys: Iterable[KeyT],
    min: bool | None = False,
    max: bool | None = False,
    count: int | None = 1,
) -> Any:
    """As zmpop, but waits up to `timeout` seconds for a member, for ever if it is 0 (BZMPOP)."""
    return self.execute_command("BZMPOP", timeout, numkeys, *keys, _lowest_or_highest(min, max), "COUNT", count)


def zmscore(self: Executes, key: KeyT, members: Iterable[EncodableT]) -> Any:
    """Returns the scores of members, None for those that are not there (ZMSCORE)."""
    if not members:
        raise DataError("ZMSCORE needs at least one member: members is empty")
    return self.execute_command("ZMSCORE", key, *members)


def _combined(keys: Iterable[KeyT] | Mapping[KeyT, float], aggregate: str | None) -> list[Any]:
    """What ZINTER, ZUNION and those that store have in common."""
    weights: Iterable[float] = ()
    if isinstance(keys, Mapping):
        weights = keys.values()
    names = list(keys)
    pieces: list[Any] = [len(names), *names]
    if weights:
        pieces += ("WEIGHTS", *weights)
    if aggregate:
        if aggregate.upper() not in AGGREGATES:
            raise DataError(f"aggregate must be SUM, MIN, MAX or COUNT, not {aggregate!r}")
        pieces += ("AGGREGATE", aggregate)
    return pieces


def zinter(
    self: Executes, keys: Iterable[KeyT] | Mapping[KeyT, float], aggregate: str | None = None, withscores: bool = False
) -> Any:
    """Returns the members that all sorted sets have (ZINTER). A mapping of keys gives each its weight."""
    pieces = _combined(keys, aggregate)
    if withscores:
        pieces.append("WITHSCORES")
    return self.execute_command("ZINTER", *pieces, withscores=withscores)


def zinterstore(self: Executes, dest: KeyT, keys: Iterable[KeyT] | Mapping[KeyT, float], aggregate: str | None = None) -> Any:
    """Stores the members that all sorted sets have (ZINTERSTORE). A mapping of keys gives each its weight."""
    return self.execute_command("ZINTERSTORE", dest, *_combined(keys, aggregate))


def zunion(
    self: Executes,
    keys: Iterable[KeyT] | Mapping[KeyT, float],
    aggregate: str | None = None,
    withscores: bool = False,
    score_cast_func: ScoreCast = float,
) -> Any:
    """Returns the members that any of the sorted sets has (ZUNION). A mapping of keys gives each its weight."""
    pieces = _combined(keys, aggregate)
    if withscores:
        pieces.append("WITHSCORES")
    return self.execute_command("ZUNION", *pieces, withscores=withscores, score_cast_func=score_cast_func)


def zunionstore(self: Executes, dest: KeyT, keys: Iterable[KeyT] | Mapping[KeyT, float], aggregate: str | None = None) -> Any:
    """Stores the members that any of the sorted sets has (ZUNIONSTORE). A mapping of keys gives each its weight."""
    return self.execute_command("ZUNIONSTORE", dest, *_combined(keys, aggregate))


def _range(
    start: EncodableT,
    end: EncodableT,
    byscore: bool,
    bylex: bool,
    desc: bool,
    offset: int | None,
    num: int | None,
) -> list[Any]:
    """What ZRANGE and ZRANGESTORE have in common."""
    if byscore and bylex:
        raise exclusive("byscore", "bylex")
    if (offset is None) != (num is None):
        raise together("offset", "num")
    pieces: list[Any] = [start, end]
    if byscore:
        pieces.append("BYSCORE")
    if bylex:
        pieces.append("BYLEX")
    if desc:
        pieces.append("REV")
    if offset is not None:
        pieces += ("LIMIT", offset, num)
    return pieces


def zrange(
    self: Executes,
    name: KeyT,
    start: EncodableT,
    end: EncodableT,
    desc: bool = False,
    withscores: bool = False,
    score_cast_func: ScoreCast = float,
    byscore: bool = False,
    bylex: bool = False,
    offset: int | None = None,
    num: int | None = None,
) -> Any:
    """Returns members by rank, score or name, with `withscores` as tuples with their scores (ZRANGE).

    With `protocol=3` and `legacy_responses=False` lists stand for the tuples.
    """
    if not (desc or withscores or byscore or bylex) and offset is None and num is None:
        return self.execute_command("ZRANGE", name, start, end, withscores=withscores, score_cast_func=score_cast_func)
    if bylex and withscores:
        raise exclusive("bylex", "withscores")
    # Without anything that came with Redis 6.2, the commands that older servers know.
    if desc and not byscore and not bylex and offset is None and num is None:
        pieces: list[Any] = ["ZREVRANGE", name, start, end]
    else:
        pieces = ["ZRANGE", name, *_range(start, end, byscore, bylex, desc, offset, num)]
    if withscores:
        pieces.append("WITHSCORES")
    return self.execute_command(*pieces, withscores=withscores, score_cast_func=score_cast_func)


def zrangestore(
    self: Executes,
    dest: KeyT,
    name: KeyT,
    start: EncodableT,
    end: EncodableT,
    byscore: bool = False,
    bylex: bool = False,
    desc: bool = False,
    offset: int | None = None,
    num: int | None = None,
) -> Any:
    """Stores members by rank, score or name (ZRANGESTORE)."""
    return self.execute_command("ZRANGESTORE", dest, name, *_range(start, end, byscore, bylex, desc, offset, num))
