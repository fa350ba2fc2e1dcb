"""Methods on lists that are written by hand."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.exceptions import DataError
from samewire.redis.typing import KeyT


def moved(count: int | None, mode: str | None, ordering: str | None) -> list[Any]:
    """How many elements LMOVEM moves, and in which order."""
    if count is None:
        if mode is not None or ordering is not None:
            raise DataError("mode and ordering need count")
        return []
    if ordering is None:
        raise DataError("count needs ordering: OBO or BULK")
    return [mode or "COUNT", count, ordering]


def lmovem(
    self: Executes,
    first_list: KeyT,
    second_list: KeyT,
    src: str = "LEFT",
    dest: str = "RIGHT",
    count: int | None = None,
    mode: str | None = None,
    ordering: str | None = None,
) -> Any:
    """Moves several elements from one list to another (LMOVEM of Redis 8.8).

    mode: COUNT (up to `count`) or EXACTLY; ordering: OBO (one by one) or BULK (as they were).
    """
    return self.execute_command("LMOVEM", first_list, second_list, src, dest, *moved(count, mode, ordering))


def blmovem(
    self: Executes,
    first_list: KeyT,
    second_list: KeyT,
    timeout: float,
    src: str = "LEFT",
    dest: str = "RIGHT",
    count: int | None = None,
    mode: str | None = None,
    ordering: str | None = None,
) -> Any:
    """Moves several elements from one list to another, or waits until there are some (BLMOVEM of Redis 8.8)."""
    return self.execute_command("BLMOVEM", first_list, second_list, src, dest, timeout, *moved(count, mode, ordering))
