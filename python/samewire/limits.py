"""The limits of readers and writers (spec/limits.md)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from .errors import SamewireError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one message. Each is 1 to 4,294,967,295; no value means "unlimited".

    Raises SamewireError `misuse` for any other value.

    depth: recursive structs, and lists or maps inside `any`, that are open at once; checked by readers and writers.
        Native recursion also stops at one mebibyte of C stack, however large this limit is.
    frame_bytes: bytes of one message; checked by readers and writers.
    text_bytes: bytes of both text blocks of one message together; checked by readers.
    items: elements of all lists, sets and maps of one message, summed; checked by readers and writers.
    cells: memory cells that the values of one message take, fields as well as elements; checked by readers and writers.
    buffered_bytes: bytes that a scanner buffers for an unfinished frame.
    """

    depth: int = 64
    frame_bytes: int = 67_108_864
    text_bytes: int = 67_108_864
    items: int = 16_777_216
    cells: int = 16_777_216
    buffered_bytes: int = 67_108_869

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 0xFFFF_FFFF:
                raise SamewireError("misuse", text=f"limit {field.name} is {value!r}: expected 1 to {0xFFFF_FFFF}")
