"""What a codec and a scanner accept at most, and the two ways of writing (spec/limits.md, spec/pack.md section 11)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from .errors import PackError


class Profile(StrEnum):
    """How bytes are written; one reader reads both."""

    COMPACT = "compact"
    """Looks texts up and packs rows of integers: the smallest bytes."""
    FAST = "fast"
    """Does neither: the shortest time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one message. There is no value for "unlimited"; all are at least 1.

    depth: recursive structs, and lists or maps inside `any`, open at once. Reading and writing. Native recursion is
        bounded besides by one mebibyte of C stack, whatever stands here.
    frame_bytes: length of one message in bytes, read or written.
    text_bytes: bytes of both text blocks of one message together, read.
    items: elements of all lists, sets and maps of one message, nested ones summed.
    buffered_bytes: bytes a scanner holds for an unfinished frame.
    """

    depth: int = 64
    frame_bytes: int = 67_108_864
    text_bytes: int = 67_108_864
    items: int = 16_777_216
    buffered_bytes: int = 67_108_869

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 0xFFFF_FFFF:
                raise PackError("misuse", text=f"limit {field.name} is {value!r}: expected 1 to {0xFFFF_FFFF}")
