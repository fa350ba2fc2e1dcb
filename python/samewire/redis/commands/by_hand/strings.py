"""Methods on strings that are written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from samewire.redis.commands.choices import DataPersistOptions
from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive, expiry, flat, listed
from samewire.redis.exceptions import DataError
from samewire.redis.typing import AbsExpiryT, AnyKeyT, EncodableT, ExpiryT, KeysT, KeyT, Number


def increx(
    self: Executes,
    name: KeyT,
    *,
    byfloat: float | None = None,
    byint: int | None = None,
    lbound: Number | None = None,
    ubound: Number | None = None,
    saturate: bool = False,
    ex: ExpiryT | None = None,
    px: ExpiryT | None = None,
    exat: AbsExpiryT | None = None,
    pxat: AbsExpiryT | None = None,
    persist: bool = False,
    enx: bool = False,
) -> Any:
    """Increments a number within bounds, and optionally sets the expiration of its key (INCREX of Redis)."""
    if byfloat is not None and byint is not None:
        raise exclusive("byfloat", "byint")
    pieces: list[Any] = ["INCREX", name]
    if byfloat is not None:
        pieces += ("BYFLOAT", byfloat)
    elif byint is not None:
        pieces += ("BYINT", byint)
    if lbound is not None:
        pieces += ("LBOUND", lbound)
    if ubound is not None:
        pieces += ("UBOUND", ubound)
    if saturate:
        pieces.append("SATURATE")
    expires = expiry(ex, px, exat, pxat, "PERSIST" if persist else None)
    if enx and (persist or not expires):
        raise DataError("enx needs one of ex, px, exat, pxat")
    pieces += expires
    if enx:
        pieces.append("ENX")
    return self.execute_command(*pieces)


def mget(self: Executes, keys: KeysT, *args: EncodableT) -> Any:
    """Returns the values of several keys (MGET). No keys give an empty list."""
    names = listed(keys, args)
    if not names:
        return self.execute_command("MGET", EMPTY_RESPONSE=[])
    return self.execute_command("MGET", *names)


def msetex(
    self: Executes,
    mapping: Mapping[AnyKeyT, EncodableT],
    data_persist_option: DataPersistOptions | None = None,
    ex: ExpiryT | None = None,
    px: ExpiryT | None = None,
    exat: AbsExpiryT | None = None,
    pxat: AbsExpiryT | None = None,
    keepttl: bool = False,
) -> Any:
    """Sets several keys with one expiration, optionally only if none or all of them exist (MSETEX)."""
    expires = expiry(ex, px, exat, pxat, "KEEPTTL" if keepttl else None)
    condition = [] if data_persist_option is None else [data_persist_option.value]
    return self.execute_command("MSETEX", len(mapping), *flat(mapping), *condition, *expires)


def stralgo(
    self: Executes,
    algo: Literal["LCS"],
    value1: KeyT,
    value2: KeyT,
    specific_argument: Literal["keys", "strings"] = "strings",
    len: bool = False,
    idx: bool = False,
    minmatchlen: int | None = None,
    withmatchlen: bool = False,
    **kwargs: Any,
) -> Any:
    """Returns the longest common subsequence of two strings (STRALGO, which Redis 7 replaced by LCS)."""
    if algo != "LCS":
        raise DataError(f"algo must be 'LCS', not {algo!r}")
    if specific_argument not in ("keys", "strings"):
        raise DataError(f"specific_argument must be 'keys' or 'strings', not {specific_argument!r}")
    if len and idx:
        raise exclusive("len", "idx")
    pieces: list[Any] = ["STRALGO", algo, specific_argument.upper(), value1, value2]
    if len:
        pieces.append("LEN")
    if idx:
        pieces.append("IDX")
    if minmatchlen is not None:
        pieces += ("MINMATCHLEN", minmatchlen)
    if withmatchlen:
        pieces.append("WITHMATCHLEN")
    options = {"len": len, "idx": idx, "minmatchlen": minmatchlen, "withmatchlen": withmatchlen}
    return self.execute_command(*pieces, **options, **kwargs)
