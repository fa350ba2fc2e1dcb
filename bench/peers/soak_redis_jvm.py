"""A soak of the JVM's client beside Jedis and Lettuce, in one run: what callers saw, what was lost, what came twice.

Each library has a JVM of its own, its default settings and a password: three blocking callers share a client, two more wait for
futures and cancel some (Jedis has none). The troubles and the words are those of `soak_clients.py`. Lettuce and Jedis do not say
whether a write has run.

usage: python -m bench.peers.soak_redis_jvm [--seconds S] [--seed N]       PYTHONPATH=python:python/tests/redis

Exits 1 if Samewire has lost, doubled or untrue elements, or more errors than Jedis or than Lettuce.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import subprocess
import sys
import time
from collections import Counter

import samewire.redis
from clusters import Process
from cutting import cutting
from soak_clients import CUT_AFTER, PASSWORD, Side, account, trouble

from bench.peers import building

SIDES = ("samewire", "jedis", "lettuce")
#: Seconds that a JVM may take to end: its callers' longest call, then its lines.
ENDS = 300


def read(side: Side, output: str) -> int:
    """Notes what a side's callers wrote; returns how many of them did not come back."""
    stuck = 0
    for line in output.splitlines():
        kind, name, *rest = line.split()
        match kind:
            case "+":
                side.acknowledged.add(name)
            case "x":
                side.cancelled.add(name)
            case "E":
                side.seen["errors"] += 1
                side.seen[f"GET: {name}"] += 1
            case "stuck":
                stuck = int(name)
            case "-" | "?" | "!":
                (side.refused if kind == "-" else side.doubt).add(name)
                if kind == "!":
                    side.told.add(name)
                side.seen["errors"] += kind != "?"
                side.seen[rest[0]] += 1
            case _:
                raise ValueError(f"not a line of a soak: {line}")
    return stuck


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    command = building.redis_jvm()
    java = ["java", "-cp", command[command.index("-cp") + 1], "io.samewire.bench.redis.Soak"]
    server = Process("--requirepass", PASSWORD, "--appendonly", "yes", "--appendfsync", "always")
    sides = [Side(name, None, None, None) for name in SIDES]
    with contextlib.ExitStack() as stack:
        stack.callback(server.close)
        check = samewire.redis.Client(port=server.port, password=PASSWORD)
        check.ping()
        callers = []
        for side in sides:
            side.port = stack.enter_context(cutting(server.port, options.seed, CUT_AFTER))
            arguments = [*java, side.name, str(side.port), PASSWORD]
            # What a logging library says about itself is no line of a soak.
            callers.append(
                subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            )
            stack.callback(callers[-1].kill)
        # Lettuce and Jedis cannot begin without a server.
        while not all(check.exists(side.name) for side in sides):
            time.sleep(0.1)
        done = trouble(server, random.Random(options.seed), time.monotonic() + options.seconds)
        time.sleep(1)
        outputs = [caller.communicate(timeout=ENDS)[0] for caller in callers]
        stuck = [read(side, output) for side, output in zip(sides, outputs, strict=True)]
        print(f"{options.seconds:g} s, seed {options.seed}: {dict(done)}; callers that did not come back: {stuck}")
        right = True
        for side in sides:
            found = Counter(element.decode() for element in check.lrange(side.name, 0, -1))
            right &= account(side, found) or side is not sides[0]
        errors = [side.seen["errors"] for side in sides]
        if errors[0] > min(errors[1:]):
            print(f"more errors than another library's callers see: {dict(zip(SIDES, errors, strict=True))}")
            right = False
        return 0 if right and not stuck[0] else 1


if __name__ == "__main__":
    sys.exit(main())
