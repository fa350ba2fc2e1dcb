"""Fuzzes what reads replies: `Reader`, `Link` and `Mux` are given generated, damaged and cut streams of replies.

Each stream is read in several ways, which must agree: by a mux at once, by a mux in pieces whose callers are cancelled now
and then, by a link in pieces, by `Reader` in pieces, and by hiredis-py where both accept it. Whatever comes, each caller gets
the reply to its own command or a coded error, and after bytes that are not RESP the connection is of no more use.

usage: fuzz_replies.py [--seconds N] [--seed S]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter

from reply_readings import Case, Finding, Outcome, by_cut_mux, by_link, by_mux, by_readers, is_reply
from reply_streams import Streams
from samewire.limits import Limits
from samewire.redis.exceptions import InvalidResponse

CODES = frozenset("malformed bad_number limit_depth limit_size limit_items".split())
TIGHT = Limits(depth=3, frame_bytes=400, items=24, cells=100)
SLOWEST = 2.0
"""Seconds for one stream: all of them are short, so this is a hang, not a slow machine."""


def judge(outcome: Outcome) -> str:
    """What became of a stream. Raises a finding if a caller may not get what it gets."""
    for reply in outcome.replies:
        # A redirection that leads nowhere, a text that cannot be decoded, a key without a hash.
        failed = isinstance(reply, (InvalidResponse, UnicodeDecodeError)) or (
            isinstance(reply, TypeError) and "unhashable" in str(reply)
        )
        if not is_reply(reply) and not failed:
            raise Finding(f"an improper error: {reply!r}") from reply
        if isinstance(reply, Exception) and not failed and not getattr(reply, "code", None):
            raise Finding(f"an error without a code: {reply!r}") from reply
    if outcome.error is None:
        return "read"
    if getattr(outcome.error, "code", None) not in CODES or not str(outcome.error):
        raise Finding(f"a poor error: {outcome.error!r}") from outcome.error
    return "refused"


async def attempt(case: Case, intact: bool, source: random.Random) -> str:
    """Reads a stream in all ways."""
    began = time.monotonic()
    wanted = await by_mux(case)
    kind = judge(wanted)
    await by_cut_mux(case, wanted, source)
    by_link(case, wanted)
    by_readers(case, wanted, intact)
    if time.monotonic() - began > SLOWEST:
        raise Finding(f"took {time.monotonic() - began:.1f} s")
    return kind


async def fuzz(seconds: float, seed: int) -> int:
    source = random.Random(seed)
    streams = Streams(source)
    began = time.monotonic()
    kinds: Counter[str] = Counter()
    while time.monotonic() - began < seconds:
        count = source.randint(1, 4)
        stream = b"".join(streams.message() for _ in range(count))
        intact = source.random() < 0.3
        if not intact:
            stream = streams.damaged(source.choice(streams.vectors) if source.random() < 0.2 else stream)
        limits = TIGHT if source.random() < 0.15 else None
        case = Case(stream, streams.pieces(stream), count, source.random() < 0.5, limits)
        try:
            kinds[await attempt(case, intact, source)] += 1
        except Exception as error:
            print(f"fuzz python-redis: FOUND {error!r}\n  {case}\n  input {kinds.total()} of seed {seed}")
            return 1
    told = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    print(f"fuzz python-redis: {kinds.total()} inputs in {time.monotonic() - began:.0f} s, {told}; no finding")
    return 0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    # A push that cannot be decoded is reported as unraisable: it is nobody's reply.
    sys.unraisablehook = lambda unraisable: None
    return asyncio.run(fuzz(chosen.seconds, chosen.seed))


if __name__ == "__main__":
    raise SystemExit(main())
