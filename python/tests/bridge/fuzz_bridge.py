"""Fuzzes what reads a gateway's messages: each session gets a damaged reply to its call, which is a value or a coded error.

Nothing may crash, hang, or be left behind: descriptors and memory are looked at every thousand sessions.

usage: fuzz_bridge.py [--seconds N] [--seed S]
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter

from raw_client import descriptors, resident
from samewire.errors import SamewireError
from scripted_gateway import ScriptedGateway
from test_security_client import ThrownError, call, damaged_reply, replies, session

#: Seconds for one reply: all of them are short, so this is a hang, not a slow machine.
SLOWEST = 10.0
#: What a process may gain after its first thousand sessions.
MOST_MEMORY = 128 << 20
MOST_DESCRIPTORS = 100


class Finding(Exception):
    """What must not be."""


def attempt(gateway: ScriptedGateway, stream: bytes) -> str:
    """What a session makes of a reply."""
    gateway.answer = lambda message: stream
    open_session = session(gateway)
    began = time.monotonic()
    try:
        call(open_session)
        kind = "read"
    except (ThrownError, TypeError):
        # TypeError: an element of a set or a key that cannot be hashed.
        kind = "raised"
    except SamewireError as error:
        if error.code not in ("closed", "timeout") or not str(error):
            raise Finding(f"a poor error: {error!r}") from error
        kind = "refused"
    finally:
        open_session.close()
    if time.monotonic() - began > SLOWEST:
        raise Finding(f"took {time.monotonic() - began:.1f} s")
    return kind


def fuzz(seconds: float, seed: int) -> int:
    source = random.Random(seed)
    given = replies()
    kinds: Counter[str] = Counter()
    began = time.monotonic()
    before = (0, 0)
    with ScriptedGateway(lambda message: b"") as gateway:
        gateway.ends_after_answer = True
        while time.monotonic() - began < seconds:
            stream = damaged_reply(source.choice(given), source)
            try:
                kinds[attempt(gateway, stream)] += 1
                if kinds.total() % 1_000 == 0:
                    now = (resident(os.getpid()), descriptors(os.getpid()))
                    before = before if before[0] else now
                    if now[0] > before[0] + MOST_MEMORY or now[1] > before[1] + MOST_DESCRIPTORS:
                        raise Finding(f"memory and descriptors grew from {before} to {now}")
            except Exception as error:
                print(f"fuzz python-bridge: FOUND {error!r}\n  {stream.hex()}\n  input {kinds.total()} of seed {seed}")
                return 1
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    print(f"fuzz python-bridge: {kinds.total()} inputs in {time.monotonic() - began:.0f} s, {told}; no finding")
    return 0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    return fuzz(chosen.seconds, chosen.seed)


if __name__ == "__main__":
    raise SystemExit(main())
