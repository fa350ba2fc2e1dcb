"""Streams of replies for the fuzzer: generated, of the vectors, damaged, and cut."""

from __future__ import annotations

import json
import random
from pathlib import Path

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "redis"
MEANT = b"$*:+-,(#_%~>|=!?;.019tfe\r\n \0"
"""Bytes that the protocol gives a meaning."""
NUMBERS = b"-1 -2 0 00 01 -0 +1 1 2 3 9 64 65 99 100 20000 16777216 2147483648 4294967296 9223372036854775808 ? 1e3".split()
LONGEST = 1 << 14


def vectors() -> list[bytes]:
    """The bytes of every case that are not long."""
    cases = (case for path in sorted(VECTORS.glob("*.json")) for case in json.loads(path.read_text())["cases"])
    return [bytes.fromhex(case["hex"]) for case in cases if len(case["hex"]) < 4096]


class Streams:
    """Makes streams; the same ones for the same seed."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.vectors = vectors()

    def text(self) -> bytes:
        source = self.source
        length = source.randrange(3000) if source.random() < 0.02 else source.randrange(1 << source.randrange(7))
        if source.random() < 0.3:
            return source.randbytes(length)
        return bytes(source.choices(b"abcdefghij 0123456789", k=length))

    def element(self, depth: int) -> bytes:
        """One element that is whole; no push, and no attribute around it."""
        source = self.source
        if depth and source.random() < 0.3:
            return self.aggregate(depth)
        match source.randrange(12):
            case 0:
                return source.choice((b"_\r\n", b"$-1\r\n", b"*-1\r\n"))
            case 1:
                return source.choice((b"#t\r\n", b"#f\r\n"))
            case 2 | 3:
                return b":%d\r\n" % (source.getrandbits(64) - (1 << 63) >> source.randrange(64))
            case 4:
                return f",{source.choice((source.random(), -1e300, 1e-9, 'inf', 7, '-inf'))}\r\n".encode()
            case 5:
                return b"(%d\r\n" % (source.getrandbits(source.randrange(1, 200)) - 999)
            case 6:
                return b"+" + self.line() + b"\r\n"
            case 7:
                return b"-" + source.choice((b"ERR ", b"WRONGTYPE ", b"MOVED ", b"ASK 1 h:1", b"NOAUTH ")) + self.line() + b"\r\n"
            case 8:
                return blob(b"=", b"txt:" + self.text())
            case 9 if source.random() < 0.3:
                chunks = [blob(b";", self.text() + b"x") for _ in range(source.randrange(3))]
                return b"$?\r\n" + b"".join(chunks) + b";0\r\n"
            case 10 if source.random() < 0.3:
                return blob(b"!", self.text())
            case _:
                return blob(b"$", self.text())

    def line(self) -> bytes:
        return self.text().replace(b"\r", b"").replace(b"\n", b"")[:200]

    def aggregate(self, depth: int) -> bytes:
        source = self.source
        entries = source.randrange(60) if source.random() < 0.05 else source.randrange(5)
        inner = depth - 1 if entries < 10 else 0
        kind = source.choice((b"*", b"*", b"~", b"%"))
        if kind == b"%":
            # Distinct ones: hiredis-py gives the value of a key that occurs twice to another key.
            keys = [source.choice((blob(b"$", b"%d" % at + self.text()), b":%d\r\n" % at)) for at in range(entries)]
            if keys and source.random() < 0.05:
                keys[0] = b"*0\r\n"
            body = b"".join(key + self.element(inner) for key in keys)
        else:
            body = b"".join(self.element(inner) for _ in range(entries))
        if source.random() < 0.1:
            return kind + b"?\r\n" + body + b".\r\n"
        return kind + b"%d\r\n" % entries + body

    def push(self) -> bytes:
        """A push, of pub/sub or of any kind."""
        if self.source.random() < 0.5:
            return b">3\r\n" + blob(b"$", b"message") + blob(b"$", b"channel") + self.element(0)
        return b">2\r\n" + self.element(1) + self.element(1)

    def message(self) -> bytes:
        """A reply, now and then with an attribute or a push before it."""
        reply = self.element(self.source.randrange(4))
        match self.source.randrange(12):
            case 0:
                return self.push() + reply
            case 1:
                return b"|1\r\n" + self.element(1) + self.element(1) + reply
            case _:
                return reply

    def damaged(self, stream: bytes) -> bytes:
        """One to three changes."""
        source = self.source
        made = bytearray(stream)
        other = source.choice(self.vectors)
        for _ in range(source.randint(1, 3)):
            at = source.randrange(len(made) + 1)
            match source.randrange(9):
                case 0 if at < len(made):
                    made[at] ^= 1 << source.randrange(8)
                case 1 if at < len(made):
                    made[at] = source.choice(MEANT)
                case 2:
                    made.insert(at, source.choice(MEANT))
                case 3:
                    del made[at:]
                case 4:
                    del made[at : at + source.randint(1, 16)]
                case 5:
                    made[at:at] = other
                case 6:
                    made[at:] = other[source.randrange(len(other) + 1) :]
                case _:
                    self._number(made, at)
        return bytes(made[:LONGEST])

    def _number(self, made: bytearray, at: int) -> None:
        """Another number in the next head."""
        while at < len(made) and made[at] not in b"$*~%>|=!;:,":
            at += 1
        end = made.find(b"\r", at)
        if at < len(made) and end > 0:
            made[at + 1 : end] = self.source.choice(NUMBERS)

    def pieces(self, stream: bytes) -> list[bytes]:
        """The stream, cut at random places or at each byte."""
        source = self.source
        if source.random() < 0.1 and len(stream) < 500:
            return [stream[at : at + 1] for at in range(len(stream))]
        cuts = sorted(source.randrange(len(stream) + 1) for _ in range(source.randrange(6)))
        return [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True) if start < end]


def blob(kind: bytes, text: bytes) -> bytes:
    return kind + b"%d\r\n%s\r\n" % (len(text), text)
