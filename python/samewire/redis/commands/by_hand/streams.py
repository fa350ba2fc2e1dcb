"""Methods on streams that are written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive, flat
from samewire.redis.exceptions import DataError
from samewire.redis.typing import ConsumerT, GroupT, KeyT, StreamIdT

_POLICIES = ("KEEPREF", "DELREF", "ACKED")
_MODES = ("SILENT", "FAIL", "FATAL")


def _whole(value: Any, name: str, least: int) -> Any:
    """An integer of at least `least`. Raises DataError for anything else."""
    if not isinstance(value, int) or value < least:
        raise DataError(f"{name} must be an int of at least {least}, not {value!r}")
    return value


def _policy(policy: str) -> str:
    if policy not in _POLICIES:
        raise DataError(f"ref_policy must be one of {', '.join(_POLICIES)}, not {policy!r}")
    return policy


def _bound(maxlen: int | None, minid: StreamIdT | None, approximate: bool, limit: int | None) -> list[Any]:
    """How far a stream is trimmed."""
    if maxlen is not None and minid is not None:
        raise exclusive("maxlen", "minid")
    pieces: list[Any] = []
    if maxlen is not None or minid is not None:
        pieces.append("MAXLEN" if minid is None else "MINID")
        if approximate:
            pieces.append("~")
        pieces.append(maxlen if minid is None else minid)
    if limit is not None:
        pieces += ("LIMIT", limit)
    return pieces


def xackdel(self: Executes, name: KeyT, groupname: GroupT, *ids: StreamIdT, ref_policy: str = "KEEPREF") -> Any:
    """Acknowledges and deletes entries (XACKDEL of Redis)."""
    if not ids:
        raise DataError("XACKDEL needs at least one id")
    return self.execute_command("XACKDEL", name, groupname, _policy(ref_policy), "IDS", len(ids), *ids)


def xadd(
    self: Executes,
    name: KeyT,
    fields: Any,
    id: StreamIdT = "*",
    maxlen: int | None = None,
    approximate: bool = True,
    nomkstream: bool = False,
    minid: StreamIdT | None = None,
    limit: int | None = None,
    ref_policy: str | None = None,
    idmpauto: str | None = None,
    idmp: Any = None,
) -> Any:
    """Adds an entry to a stream and returns its id, None if there is no stream and `nomkstream` is true (XADD).

    maxlen, minid: trims the stream to so many entries, or to those from this id on; with `approximate` no further than is
    cheap, and at most `limit` entries.
    ref_policy, idmpauto, idmp: Redis alone has them.
    """
    pieces: list[Any] = ["NOMKSTREAM"] if nomkstream else []
    if ref_policy is not None:
        pieces.append(_policy(ref_policy))
    if idmpauto is not None and idmp is not None:
        raise exclusive("idmpauto", "idmp")
    if (idmpauto is not None or idmp is not None) and id != "*":
        raise DataError(f"idmpauto and idmp need id='*', not {id!r}")
    if idmpauto is not None:
        pieces += ("IDMPAUTO", idmpauto)
    if idmp is not None:
        if not isinstance(idmp, tuple) or len(idmp) != 2:
            raise DataError(f"idmp must be a pair of a producer's id and an entry's, not {idmp!r}")
        pieces += ("IDMP", *idmp)
    if maxlen is not None:
        _whole(maxlen, "maxlen", 0)
    pieces += _bound(maxlen, minid, approximate, limit)
    if not isinstance(fields, dict) or not fields:
        raise DataError(f"fields must be a dict that is not empty, not {fields!r}")
    return self.execute_command("XADD", name, *pieces, id, *flat(fields))


def xautoclaim(
    self: Executes,
    name: KeyT,
    groupname: GroupT,
    consumername: ConsumerT,
    min_idle_time: int,
    start_id: StreamIdT = "0-0",
    count: int | None = None,
    justid: bool = False,
) -> Any:
    """Claims entries that other consumers have not acknowledged for so many milliseconds (XAUTOCLAIM).

    Returns the id to go on from, the entries, and the ids of those that are deleted; with `justid` the ids alone.
    """
    if int(min_idle_time) < 0:
        raise DataError(f"min_idle_time must not be negative: {min_idle_time!r}")
    pieces: list[Any] = ["XAUTOCLAIM", name, groupname, consumername, min_idle_time, start_id]
    if count is not None:
        if int(count) < 0:
            raise DataError(f"count must not be negative: {count!r}")
        pieces += ("COUNT", count)
    if justid:
        return self.execute_command(*pieces, "JUSTID", parse_justid=True)
    return self.execute_command(*pieces)


def xcfgset(self: Executes, name: KeyT, idmp_duration: int | None = None, idmp_maxsize: int | None = None) -> Any:
    """Sets how a stream tells entries that are added twice (XCFGSET of Redis)."""
    if idmp_duration is None and idmp_maxsize is None:
        raise DataError("give at least one of idmp_duration, idmp_maxsize")
    pieces: list[Any] = ["XCFGSET", name]
    for word, value, most in (("IDMP-DURATION", idmp_duration, 300), ("IDMP-MAXSIZE", idmp_maxsize, 1_000_000)):
        if value is not None:
            if not 1 <= _whole(value, word, 1) <= most:
                raise DataError(f"{word.lower().replace('-', '_')} must be an int from 1 to {most}, not {value!r}")
            pieces += (word, value)
    return self.execute_command(*pieces)


def xclaim(
    self: Executes,
    name: KeyT,
    groupname: GroupT,
    consumername: ConsumerT,
    min_idle_time: int,
    message_ids: Any,
    idle: int | None = None,
    time: int | None = None,
    retrycount: int | None = None,
    force: bool = False,
    justid: bool = False,
) -> Any:
    """Makes entries that another consumer has not acknowledged this consumer's, and returns them, with `justid` their ids (XCLAIM).

    min_idle_time: milliseconds since they were delivered.
    """
    _whole(min_idle_time, "min_idle_time", 0)
    if not isinstance(message_ids, (list, tuple)) or not message_ids:
        raise DataError(f"message_ids must be a list or tuple that is not empty, not {message_ids!r}")
    pieces: list[Any] = ["XCLAIM", name, groupname, consumername, min_idle_time, *message_ids]
    for word, number in (("IDLE", idle), ("TIME", time), ("RETRYCOUNT", retrycount)):
        if number is not None:
            if not isinstance(number, int):
                raise DataError(f"{word.lower()} must be an int, not {number!r}")
            pieces += (word, number)
    for flag, wanted in (("FORCE", force), ("JUSTID", justid)):
        if wanted and not isinstance(wanted, bool):
            raise DataError(f"{flag.lower()} must be True or False, not {wanted!r}")
        if wanted:
            pieces.append(flag)
    if justid:
        return self.execute_command(*pieces, parse_justid=True)
    return self.execute_command(*pieces)


def xdelex(self: Executes, name: KeyT, *ids: StreamIdT, ref_policy: str = "KEEPREF") -> Any:
    """Deletes entries, and says what becomes of their places in groups (XDELEX of Redis)."""
    if not ids:
        raise DataError("XDELEX needs at least one id")
    return self.execute_command("XDELEX", name, _policy(ref_policy), "IDS", len(ids), *ids)


def xnack(
    self: Executes,
    name: KeyT,
    groupname: GroupT,
    mode: str,
    *ids: StreamIdT,
    retrycount: int | None = None,
    force: bool = False,
) -> Any:
    """Gives entries back to their group (XNACK of Redis)."""
    if not ids:
        raise DataError("XNACK needs at least one id")
    if mode not in _MODES:
        raise DataError(f"mode must be one of {', '.join(_MODES)}, not {mode!r}")
    pieces: list[Any] = ["XNACK", name, groupname, mode, "IDS", len(ids), *ids]
    if retrycount is not None:
        pieces += ("RETRYCOUNT", _whole(retrycount, "retrycount", 0))
    if force:
        pieces.append("FORCE")
    return self.execute_command(*pieces)


def xpending_range(
    self: Executes,
    name: KeyT,
    groupname: GroupT,
    min: StreamIdT | None,
    max: StreamIdT | None,
    count: int | None,
    consumername: ConsumerT | None = None,
    idle: int | None = None,
) -> Any:
    """Returns the entries of a group that are delivered and not acknowledged (XPENDING in its extended form)."""
    if min is None and max is None and count is None:
        if idle is not None or consumername is not None:
            raise DataError("idle and consumername need min, max and count")
        return self.execute_command("XPENDING", name, groupname)
    if min is None or max is None or count is None:
        raise DataError("give all of min, max and count, or none of them")
    pieces: list[Any] = ["XPENDING", name, groupname]
    if idle is not None:
        if int(idle) < 0:
            raise DataError(f"idle must not be negative: {idle!r}")
        pieces += ("IDLE", idle)
    if int(count) < 0:
        raise DataError(f"count must not be negative: {count!r}")
    pieces += (min, max, count)
    if consumername:
        pieces.append(consumername)
    return self.execute_command(*pieces, parse_detail=True)


def xrange(self: Executes, name: KeyT, min: StreamIdT = "-", max: StreamIdT = "+", count: int | None = None) -> Any:
    """Returns the entries of a stream within a range of ids (XRANGE)."""
    return self.execute_command("XRANGE", name, min, max, *_limits(count, None, None))


def xrevrange(self: Executes, name: KeyT, max: StreamIdT = "+", min: StreamIdT = "-", count: int | None = None) -> Any:
    """Returns the entries of a stream within a range of ids, the latest first (XREVRANGE)."""
    return self.execute_command("XREVRANGE", name, max, min, *_limits(count, None, None))


def _limits(count: int | None, max_count: int | None, max_size: int | None) -> list[Any]:
    """How much is read at once."""
    pieces: list[Any] = []
    for word, value in (("COUNT", count), ("MAXCOUNT", max_count), ("MAXSIZE", max_size)):
        if value is not None:
            pieces += (word, _whole(value, {"MAXCOUNT": "max_count", "MAXSIZE": "max_size"}.get(word, "count"), 1))
    if count is not None and max_count is not None and max_count < count:
        raise DataError(f"max_count must not be below count: {max_count} < {count}")
    return pieces


def _streams(streams: Any) -> list[Any]:
    if not isinstance(streams, dict) or not streams:
        raise DataError(f"streams must be a dict that is not empty, not {streams!r}")
    return ["STREAMS", *streams.keys(), *streams.values()]


def xread(
    self: Executes,
    streams: Mapping[KeyT, StreamIdT],
    count: int | None = None,
    block: int | None = None,
    max_count: int | None = None,
    max_size: int | None = None,
) -> Any:
    """Returns the entries of streams after the given ids (XREAD).

    Each stream is a list of its name and its entries. With `protocol=3` the streams are a dict, whose values are lists with
    the list of entries alone in them; with `legacy_responses=False` a dict of lists of entries.

    block: waits so many milliseconds for one; 0 for ever.
    max_count, max_size: Redis alone has them.
    """
    pieces = [] if block is None else ["BLOCK", _whole(block, "block", 0)]
    return self.execute_command("XREAD", *pieces, *_limits(count, max_count, max_size), *_streams(streams))


def xreadgroup(
    self: Executes,
    groupname: str,
    consumername: str,
    streams: Mapping[KeyT, StreamIdT],
    count: int | None = None,
    block: int | None = None,
    noack: bool = False,
    claim_min_idle_time: int | None = None,
    max_count: int | None = None,
    max_size: int | None = None,
) -> Any:
    """Returns entries of streams that the group has not delivered yet (id ">"), or again to this consumer (XREADGROUP).

    Each stream is a list of its name and its entries. With `protocol=3` the streams are a dict, whose values are lists with
    the list of entries alone in them; with `legacy_responses=False` a dict of lists of entries.

    block: waits so many milliseconds for one; 0 for ever.
    noack: they need no acknowledgement.
    claim_min_idle_time, max_count, max_size: Redis alone has them.
    """
    pieces: list[Any] = ["GROUP", groupname, consumername, *_limits(count, max_count, max_size)]
    if block is not None:
        pieces += ("BLOCK", _whole(block, "block", 0))
    if noack:
        pieces.append("NOACK")
    options = {}
    if claim_min_idle_time is not None:
        pieces += ("CLAIM", _whole(claim_min_idle_time, "claim_min_idle_time", 0))
        options["claim_min_idle_time"] = claim_min_idle_time
    return self.execute_command("XREADGROUP", *pieces, *_streams(streams), **options)


def xtrim(
    self: Executes,
    name: KeyT,
    maxlen: int | None = None,
    approximate: bool = True,
    minid: StreamIdT | None = None,
    limit: int | None = None,
    ref_policy: str | None = None,
) -> Any:
    """Trims a stream to so many entries, or to those from an id on, and returns how many were removed (XTRIM).

    approximate: no further than is cheap, and at most `limit` entries.
    """
    if maxlen is None and minid is None:
        raise DataError("give one of maxlen, minid")
    pieces = _bound(maxlen, minid, approximate, limit)
    if ref_policy is not None:
        pieces.append(_policy(ref_policy))
    return self.execute_command("XTRIM", name, *pieces)
