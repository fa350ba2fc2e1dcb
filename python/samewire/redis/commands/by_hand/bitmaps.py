"""Methods on bitmaps that are written by hand."""

from __future__ import annotations

from typing import Any

from samewire.redis.commands.bitfield import BitFieldOperation
from samewire.redis.commands.executes import Executes
from samewire.redis.exceptions import DataError
from samewire.redis.typing import BitfieldOffsetT, KeyT


def bitfield(self: Executes, key: KeyT, default_overflow: str | None = None) -> BitFieldOperation:
    """Returns an object that collects operations on integers within a string: its `execute` sends them (BITFIELD)."""
    return BitFieldOperation(self, key, default_overflow=default_overflow)


def bitfield_ro(
    self: Executes,
    key: KeyT,
    encoding: str,
    offset: BitfieldOffsetT,
    items: list[tuple[str, BitfieldOffsetT]] | None = None,
) -> Any:
    """Returns integers within a string: the one at `offset`, and those of `items` (BITFIELD_RO)."""
    pieces: list[Any] = ["BITFIELD_RO", key, "GET", encoding, offset]
    for more_encoding, more_offset in items or ():
        pieces += ("GET", more_encoding, more_offset)
    return self.execute_command(*pieces)


def bitpos(self: Executes, key: KeyT, bit: int, start: int | None = None, end: int | None = None, mode: str | None = None) -> Any:
    """Returns the position of the first bit that is 0 or 1 (BITPOS).

    start, end: the range, in bytes or, with mode="BIT", in bits.
    """
    if bit not in (0, 1):
        raise DataError(f"bit must be 0 or 1, not {bit!r}")
    if start is None and end is not None:
        raise DataError("end needs start")
    pieces: list[Any] = ["BITPOS", key, bit]
    if start is not None:
        pieces.append(start)
    if end is not None:
        pieces.append(end)
    if mode is not None:
        pieces.append(mode)
    return self.execute_command(*pieces)
