"""Reads one reply (redis.md sections 2 and 3) from bytes that are all there.

Values are in the notation of spec/vectors/README.md, so that they can be written into vectors as they are.
"""

from __future__ import annotations

import re
import struct
import sys
from dataclasses import dataclass, field
from typing import Any, NoReturn

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits

INTEGER_LINE = 32
DOUBLE_LINE = 325
BIG_DIGITS = 9_864
MOST_DEPTH = 1_024
LEAST_ELEMENT = 3

AGGREGATES = {b"*": "array", b"~": "set", b"%": "map", b">": "push", b"|": "attribute"}
DOUBLE = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass
class Uses:
    """What a reply took of the limits."""

    depth: int = 0
    items: int = 0
    cells: int = 0
    frame_bytes: int = 0


@dataclass
class Decoder:
    """A reply under way. `base` is where it starts in the stream."""

    data: bytes
    limits: Limits = DEFAULT
    base: int = 0
    pos: int = 0
    depth: int = 0
    uses: Uses = field(default_factory=Uses)

    def fail(self, code: str, at: int) -> NoReturn:
        raise SamewireError(code, at, None, code)

    def end(self) -> int:
        """Where `frame_bytes` ends."""
        return self.base + self.limits.frame_bytes

    def within(self, at: int, end: int) -> None:
        """`limit_size` at the element if it cannot end before `end`."""
        if end > self.end():
            self.fail("limit_size", at)

    def line(self, at: int, most: int | None) -> bytes:
        """The line behind the type byte at `at`, of `most` bytes at most."""
        end = self.pos
        while True:
            self.within(at, end + 1)
            if end == len(self.data):
                self.fail("truncated", end)
            if self.data[end : end + 1] in (b"\r", b"\n"):
                break
            if end - self.pos == most:
                self.fail("malformed", at)
            end += 1
        if self.data[end : end + 1] == b"\n":
            self.fail("malformed", at)
        self.within(at, end + 2)
        if end + 1 == len(self.data):
            self.fail("truncated", end + 1)
        if self.data[end + 1 : end + 2] != b"\n":
            self.fail("malformed", at)
        self.pos = end + 2
        return self.data[at + 1 : end]

    def integer(self, at: int, text: bytes) -> int:
        if not re.fullmatch(rb"0|\+0|[+-]?[1-9][0-9]{0,18}", text) or not -(1 << 63) <= int(text) < 1 << 63:
            self.fail("bad_number", at)
        return int(text)

    def length(self, at: int, null: bool = False, stream: bool = False) -> int | None:
        """A length or count; −1 where that means null; None for `?`."""
        text = self.line(at, INTEGER_LINE)
        if text == b"-1":
            return -1 if null else self.fail("malformed", at)
        if text == b"?":
            return None if stream else self.fail("malformed", at)
        length = self.integer(at, text)
        return length if length >= 0 else self.fail("bad_number", at)

    def body(self, at: int, length: int) -> bytes:
        """So many bytes and a CR LF."""
        end = self.pos + length
        self.within(at, end + 2)
        for place, byte in ((end, b"\r"), (end + 1, b"\n")):
            if place >= len(self.data):
                self.fail("truncated", len(self.data))
            if self.data[place : place + 1] != byte:
                self.fail("malformed", at)
        self.pos = end + 2
        return self.data[end - length : end]

    def enter(self, at: int, kind: str, count: int) -> None:
        self.depth += 1
        self.uses.depth = max(self.uses.depth, self.depth)
        if self.depth > min(self.limits.depth, MOST_DEPTH):
            self.fail("limit_depth", at)
        self.charge(at, kind, 3, count)

    def charge(self, at: int, kind: str, own: int, count: int) -> None:
        self.uses.items += count
        self.uses.cells += own + count * (6 if kind in ("map", "attribute") else 2)
        if self.uses.items > self.limits.items or self.uses.cells > self.limits.cells:
            self.fail("limit_items", at)

    def aggregate(self, at: int, kind: str, count: int | None) -> list[Any]:
        pair = kind in ("map", "attribute")
        entries: list[Any] = []
        self.enter(at, kind, count or 0)
        if count is not None:
            self.within(at, self.pos + count * (2 if pair else 1) * LEAST_ELEMENT)
        while count is None or len(entries) < count:
            start = self.pos
            if count is None:
                if self.data[start : start + 1] == b"." and start < self.end():
                    self.pos += 1
                    self.line(start, 0)
                    break
                if start < min(len(self.data), self.end()):
                    self.charge(start, kind, 0, 1)
            entries.append([self.element(), self.element()] if pair else self.element())
        self.depth -= 1
        return entries

    def streamed(self) -> bytes:
        text = b""
        while True:
            at = self.pos
            self.within(at, at + 1)
            if at == len(self.data):
                self.fail("truncated", at)
            if self.data[at : at + 1] != b";":
                self.fail("malformed", at)
            self.pos += 1
            length = self.length(at)
            assert length is not None
            if length == 0:
                return text
            text += self.body(at, length)

    def element(self, top: bool = False) -> Any:
        while True:
            at = self.pos
            self.within(at, at + 1)
            if at == len(self.data):
                self.fail("truncated", at)
            kind = self.data[at : at + 1]
            self.pos += 1
            if kind == b"|":
                self.aggregate(at, "attribute", self.length(at, stream=True))
                continue
            return self.value(at, kind, top)

    def value(self, at: int, kind: bytes, top: bool) -> Any:
        if kind in b"$!=":
            length = self.length(at, null=kind == b"$", stream=kind == b"$")
            if length is None:
                return {"bulk": self.streamed().hex()}
            if length < 0:
                return None
            text = self.body(at, length)
            if kind == b"=":
                if text[3:4] != b":":
                    self.fail("malformed", at)
                return {"verbatim": [text[:3].hex(), text[4:].hex()]}
            return {"bulk" if kind == b"$" else "error": text.hex()}
        if kind in AGGREGATES:
            count = self.length(at, null=kind == b"*", stream=True)
            if count == -1:
                return None
            if kind == b">" and not top:
                self.fail("malformed", at)
            return {AGGREGATES[kind]: self.aggregate(at, AGGREGATES[kind], count)}
        if kind in b"+-":
            return {"simple" if kind == b"+" else "error": self.line(at, None).hex()}
        if kind == b":":
            return {"integer": str(self.integer(at, self.line(at, INTEGER_LINE)))}
        if kind == b",":
            return {"double": self.double(at, self.line(at, DOUBLE_LINE))}
        if kind == b"(":
            return {"big": self.big(at)}
        if kind == b"#":
            text = self.line(at, 1)
            return text == b"t" if text in (b"t", b"f") else self.fail("malformed", at)
        if kind == b"_":
            self.line(at, 0)
            return None
        self.fail("malformed", at)

    def double(self, at: int, text: bytes) -> str:
        if (text.lstrip(b"+-") in (b"inf", b"nan") and len(text) - len(text.lstrip(b"+-")) <= 1) or (
            DOUBLE.fullmatch(text) and float(text) not in (float("inf"), float("-inf"))
        ):
            value = float(text)
        else:
            self.fail("bad_number", at)
        return "7ff8000000000000" if value != value else struct.pack(">d", value).hex()

    def big(self, at: int) -> str:
        start = self.pos
        rest = self.data[start : start + BIG_DIGITS + 3]
        if len(rest) == BIG_DIGITS + 3 and not re.search(rb"[\r\n]", rest):
            self.fail("limit_size", at)
        text = self.line(at, BIG_DIGITS + 2)
        if not re.fullmatch(rb"[+-]?[0-9]+", text):
            self.fail("bad_number", at)
        if len(text.lstrip(b"+-")) > BIG_DIGITS:
            self.fail("limit_size", at)
        return text.decode()


def decode(data: bytes, limits: Limits = DEFAULT, base: int = 0) -> tuple[Any, Decoder]:
    """The reply that starts at `base`, and the decoder, which knows where it ended and what it used."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * MOST_DEPTH))
    decoder = Decoder(data, limits, base, base)
    value = decoder.element(top=True)
    decoder.uses.frame_bytes = decoder.pos - base
    return value, decoder
