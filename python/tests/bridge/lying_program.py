"""A program that calls a JVM within its process that lies (`java/bridge/src/test/lying`): each call is a value or a coded error.

usage: lying_program.py CLASSES FOLDER SESSIONS SEED
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from raw_client import descriptors, resident, threads
from samewire._native import Session, start_jvm
from samewire.bridge.embed import _library
from samewire.bridge.java_program import java_program
from samewire.errors import SamewireError
from scripted_gateway import TOKEN, ScriptedGateway, frame, welcome
from test_security_client import MEBIBYTE, VECTORS, Proxy, ThrownError, replies

#: Java's messages are not longer.
LONGEST = 4_096


def calls() -> list[bytes]:
    """The vectors' calls to Python: all messages with the first byte of one."""
    found = []
    for path in sorted(VECTORS.glob("*.json")):
        for case in json.loads(path.read_text())["cases"]:
            data = bytes.fromhex(case["hex"])
            if data[:1] in (b"\x10", b"\x11", b"\x12", b"\x30") and len(data) < LONGEST:
                found.append(data)
    return found


def write(path: Path, messages: list[bytes]) -> None:
    path.write_text("\n".join(message.hex() for message in messages))


def attempt(gateway: ScriptedGateway, kinds: Counter[str]) -> None:
    """A session, and calls until it ends."""
    session = Session(f"process:{gateway.path}", TOKEN)
    session.on_class = lambda info: Proxy
    session.on_throw = lambda *parts: ThrownError(*parts)
    session.decode = lambda schema, payload: payload
    for number in range(8):
        kind = "value"
        began = time.monotonic()
        try:
            # Its own argument is large at times, and an object of Python's.
            session.call(2, "A", "b", (bytes(100_000) if number == 3 else number, print), "")
        except SamewireError as error:
            kind = error.code
            assert str(error)
        except ThrownError:
            kind = "thrown"
        except (TypeError, AttributeError, ValueError):
            # Of the objects that the calls are of: elements that cannot be hashed, no such attribute.
            kind = "raised"
        kinds[kind] += 1
        assert time.monotonic() - began < 60
        if session.closed:
            break
    session.close()


def main(classes: Path, folder: Path, wanted: int, seed: int) -> None:
    write(folder / "replies", [reply[4:] for reply in replies() if len(reply) > 4])
    write(folder / "calls", calls())
    options = [f"-Dlying.folder={folder}", f"-Dlying.seed={seed}", f"-Djava.class.path={classes}", "-Xrs", "-Xmx256m"]
    start_jvm(_library(java_program()), ["-XX:-UsePerfData", "-Xss8m", *options])
    kinds: Counter[str] = Counter()
    memory = opened = done = 0
    with ScriptedGateway(lambda message: b"") as gateway:
        gateway.welcome = lambda channel: frame(welcome(channel, ring=True))
        while done < wanted:
            with suppress(OSError):
                attempt(gateway, kinds)
            done += 1
            if done == wanted // 4:
                memory, opened = resident(os.getpid()), descriptors(os.getpid())
        deadline = time.monotonic() + 60
        while descriptors(os.getpid()) > opened + 50:
            assert time.monotonic() < deadline, (descriptors(os.getpid()), opened)
            time.sleep(0.01)
    assert resident(os.getpid()) < memory + 256 * MEBIBYTE, (resident(os.getpid()), memory)
    assert threads(os.getpid()) < 100
    assert kinds["value"] > wanted // 40 and kinds["closed"] > wanted // 2, kinds


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
