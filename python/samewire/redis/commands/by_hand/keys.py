"""Methods on keys that are written by hand."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import listed, together
from samewire.redis.exceptions import DataError
from samewire.redis.typing import KeysT, KeyT


def migrate(
    self: Executes,
    host: str,
    port: int,
    keys: KeysT,
    destination_db: int,
    timeout: int,
    copy: bool = False,
    replace: bool = False,
    auth: str | None = None,
    **kwargs: Any,
) -> Any:
    """Moves keys to another server (MIGRATE)."""
    names = listed(keys)
    if not names:
        raise DataError("MIGRATE needs at least one key: keys is empty")
    pieces: list[Any] = ["MIGRATE", host, port, "", destination_db, timeout]
    if copy:
        pieces.append("COPY")
    if replace:
        pieces.append("REPLACE")
    if auth:
        pieces += ("AUTH", auth)
    return self.execute_command(*pieces, "KEYS", *names, **kwargs)


def object(self: Executes, infotype: str, key: KeyT, **kwargs: Any) -> Any:
    """Returns what the server knows of a key: `infotype` is a subcommand of OBJECT."""
    return self.execute_command("OBJECT", infotype, key, infotype=infotype, **kwargs)


def sorted_pieces(
    name: KeyT, start: int | None, num: int | None, by: KeyT | None, get: KeysT | None, desc: bool, alpha: bool
) -> list[Any]:
    """What SORT and SORT_RO have in common."""
    if (start is None) != (num is None):
        raise together("start", "num")
    pieces: list[Any] = [name]
    if by is not None:
        pieces += ("BY", by)
    if start is not None:
        pieces += ("LIMIT", start, num)
    if get is not None:
        for pattern in listed(get):
            pieces += ("GET", pattern)
    if desc:
        pieces.append("DESC")
    if alpha:
        pieces.append("ALPHA")
    return pieces


def sort(
    self: Executes,
    name: KeyT,
    start: int | None = None,
    num: int | None = None,
    by: KeyT | None = None,
    get: KeysT | None = None,
    desc: bool = False,
    alpha: bool = False,
    store: KeyT | None = None,
    groups: bool | None = False,
) -> Any:
    """Returns the elements of a list, set or sorted set in order, or stores them (SORT).

    groups: with two patterns or more in `get`, a tuple for each element. What a pattern does not find is None.
    store: the number of elements that were stored is returned.
    """
    pieces = sorted_pieces(name, start, num, by, get, desc, alpha)
    if store is not None:
        pieces += ("STORE", store)
    if not groups:
        return self.execute_command("SORT", *pieces, groups=None)
    patterns = [] if get is None else listed(get)
    if len(patterns) < 2:
        raise DataError(f"groups=True needs at least two patterns in get, not {len(patterns)}")
    return self.execute_command("SORT", *pieces, groups=len(patterns))


def sort_ro(
    self: Executes,
    key: KeyT,
    start: int | None = None,
    num: int | None = None,
    by: str | None = None,
    get: list[str] | None = None,
    desc: bool = False,
    alpha: bool = False,
) -> Any:
    """Returns the elements of a list, set or sorted set in order (SORT_RO, which replicas run too)."""
    return self.execute_command("SORT_RO", *sorted_pieces(key, start, num, by, get, desc, alpha), groups=None)
