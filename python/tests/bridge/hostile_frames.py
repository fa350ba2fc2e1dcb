"""Frames that no honest client sends, for gateways over any transport."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable
from pathlib import Path

from raw_client import RawSession
from scripted_gateway import frame

from spec.oracle.bridge.messages import Site, write

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "bridge"


def seeds() -> list[bytes]:
    """Messages of the vectors, good and bad, and values as arguments of a call."""
    found = []
    for name in ("messages", "definitions", "opening", "anys"):
        for case in json.loads((VECTORS / f"{name}.json").read_text())["cases"]:
            data = bytes.fromhex(case["hex"])
            if case.get("of") == "any":
                call = {"action": 2, "class": "java.lang.String", "member": "valueOf", "arguments": ["any"], "result": ""}
                head = write({"first call": {"site": "0", "definition": call | {"arguments": []}, "arguments": []}}, Site())
                data = head[:-2] + b"\1\6any\0" + data
            if 0 < len(data) < 4_096 and data[0] != 0x28:
                found.append(data)
    return found


#: Numbers at which something changes: the largest one, 2^31, zero in a longer form, and one above 2^16.
NUMBERS = (b"\xff" * 9 + b"\1", b"\x80\x80\x80\x80\x08", b"\x80\0", b"\xff\xff\x03")
#: The same, none of which says that a value follows its message.
NO_BLOBS = (b"\xfe" * 9 + b"\1", *NUMBERS[1:3], b"\xfe\xff\x03")


def damaged(data: bytes, source: random.Random, numbers: tuple[bytes, ...] = NUMBERS) -> bytes:
    """A few changes."""
    made = bytearray(data)
    for _ in range(source.randint(0, 3)):
        at = source.randrange(len(made) + 1)
        how = source.randrange(4)
        if how == 0 and at < len(made):
            made[at] = source.randrange(256)
        elif how == 1:
            made[at:at] = source.randbytes(source.randint(1, 3))
        elif how == 2:
            del made[at : at + source.randint(1, 4)]
        else:
            made[at : at + 1] = source.choice(numbers)
    return bytes(made) or b"\0"


def hammer(place: Path | Callable[[], socket.socket], pid: int, count: int, seed: int) -> None:
    """Sends damaged messages on channels of all roles, many on each, until the gateway ends it."""
    source = random.Random(seed)
    given = seeds()
    sent = 0
    while sent < count:
        session = RawSession(place)
        channel = source.choice([session.calls, session.calls, session.control, session.open(2)])
        for _ in range(source.randint(1, 30)):
            data = source.randbytes(source.randint(1, 60)) if source.random() < 0.1 else damaged(source.choice(given), source)
            try:
                channel.socket.sendall(frame(data))
            except OSError:
                break
            sent += 1
        channel.socket.settimeout(0.005)
        try:
            while channel.socket.recv(65_536):
                pass
        except OSError:
            pass
        session.close()
        assert " Z " not in Path(f"/proc/{pid}/stat").read_text(), "the JVM ended"
