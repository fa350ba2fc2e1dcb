"""A soak of the blocking and the asyncio client beside redis-py, in one run: what callers saw, what was lost, what came twice.

Both clients have their default settings and a password. They write to one server, which keeps what it acknowledges
(`appendfsync always`), through proxies that cut their connections; the server is killed and started again, stalled, and
asyncio calls are cancelled. Each caller pushes elements that are all different; afterwards each is counted in its list.

- `lost`: acknowledged, and not there. `doubled`: there more than once. `untrue`: there, though the error said that nothing ran.
- `errors`: of reads, and of writes that had not run. A client could have sent these again.
- `in doubt`: writes that may have run, said so by an error. redis-py sends them again, which is how elements are doubled.
- `doubled or reported`: what a caller has to deal with, told or not: elements that came twice, and all errors. A lost reply
  leaves nothing else: whoever repeats the write doubles it, whoever does not must tell.

usage: soak_clients.py [--seconds S] [--seed N]       in an environment with redis-py; PYTHONPATH=python:python/tests/redis

Exits 1 if samewire.redis has lost, doubled or untrue elements, or more errors than redis-py.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import redis
import redis.asyncio
import samewire.redis
import samewire.redis.aio
from clusters import Process
from cutting import cutting

PASSWORD = "a-password"
THREADS, TASKS = 3, 6
#: Bytes after which a proxy cuts a connection, at most.
CUT_AFTER = 400_000


@dataclass
class Side:
    """One of the two clients, and what its callers saw."""

    name: str
    blocking: Any
    awaiting: Any
    errors: Any
    port: int = 0
    acknowledged: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    doubt: set[str] = field(default_factory=set)
    #: Those of them that count among the errors.
    told: set[str] = field(default_factory=set)
    cancelled: set[str] = field(default_factory=set)
    seen: Counter[str] = field(default_factory=Counter)
    #: Some of the errors, as they are.
    examples: list[str] = field(default_factory=list)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def failed(self, element: str | None, error: BaseException) -> None:
        """Notes the error of an element's push, or of a command that may be repeated."""
        with self.guard:
            self.seen[type(error).__name__] += 1
            if len(self.examples) < 20 and (element is None or getattr(error, "may_have_run", None) is not True):
                self.examples.append(f"{'GET' if element is None else element}: {error!r}")
            if element is None:
                self.seen["errors"] += 1
            elif getattr(error, "may_have_run", None) is False:
                self.refused.add(element)
                self.seen["errors"] += 1
            elif hasattr(error, "may_have_run"):
                self.doubt.add(element)
            else:
                # redis-py does not tell.
                self.doubt.add(element)
                self.told.add(element)
                self.seen["errors"] += 1

    def passed(self, elements: list[str]) -> None:
        with self.guard:
            self.acknowledged.update(elements)


def thread(side: Side, number: int, running: Callable[[], bool]) -> None:
    """A blocking caller: pushes, reads, pipelines."""
    client = side.blocking(port=side.port, password=PASSWORD)
    turn = 0
    while running():
        turn += 1
        element = f"{number}:{turn}"
        try:
            client.rpush(side.name, element)
            side.passed([element])
        except side.errors as error:
            side.failed(element, error)
        try:
            client.get(f"{side.name}:{number}")
        except side.errors as error:
            side.failed(None, error)
        if turn % 5 == 0:
            together = [f"{number}:{turn}:{place}" for place in range(5)]
            pipe = client.pipeline(transaction=turn % 2 == 0)
            for one in together:
                pipe.rpush(side.name, one)
            try:
                pipe.execute()
                side.passed(together)
            except side.errors as error:
                for one in together:
                    side.failed(one, error)
    client.close()


async def task(side: Side, client: Any, number: int, seed: int, running: Callable[[], bool]) -> None:
    """An asyncio caller; about each twentieth call is cancelled soon after it begins."""
    chance = random.Random(f"{seed} {number}")
    own = b"%d" % number
    turn = 0
    while running():
        turn += 1
        element = f"a{number}:{turn}"
        call = asyncio.ensure_future(client.rpush(side.name, element))
        if chance.random() < 0.05:
            asyncio.get_running_loop().call_later(chance.random() * 0.002, call.cancel)
        try:
            await call
            side.passed([element])
        except asyncio.CancelledError:
            side.cancelled.add(element)
        except side.errors as error:
            side.failed(element, error)
        try:
            if await client.get(f"{side.name}:a{number}") != own:
                side.seen["another's reply"] += 1
        except side.errors as error:
            side.failed(None, error)


async def tasks(side: Side, seed: int, running: Callable[[], bool]) -> None:
    client = side.awaiting(port=side.port, password=PASSWORD)
    await asyncio.gather(*(task(side, client, number, seed, running) for number in range(TASKS)))
    await client.aclose()


def trouble(server: Process, chance: random.Random, until: float) -> Counter[str]:
    """Kills and stalls the server until the time is over, and leaves it well."""
    done: Counter[str] = Counter()
    while time.monotonic() < until:
        time.sleep(chance.uniform(0.5, 2.0))
        if chance.random() < 0.5:
            server.kill()
            time.sleep(chance.uniform(0.0, 0.5))
            server.start()
            done["restarts"] += 1
        else:
            server.stall()
            # A long one is over the default time limit of a reply.
            time.sleep(6.0 if chance.random() < 0.15 else chance.uniform(0.1, 1.5))
            server.go_on()
            done["stalls"] += 1
    return done


def account(side: Side, found: Counter[str]) -> bool:
    """Prints what became of a side's elements; returns whether none was lost, doubled or misreported."""
    lost = sum(not found[element] for element in side.acknowledged)
    doubled = sum(count > 1 for count in found.values())
    untrue = sum(bool(found[element]) for element in side.refused)
    ran = sum(bool(found[element]) for element in side.doubt)
    kinds = {name: count for name, count in side.seen.items() if name != "errors"}
    print(
        f"{side.name}: {len(side.acknowledged)} acknowledged, {lost} lost, {doubled} doubled, {untrue} untrue,"
        f" {side.seen['errors']} errors, {len(side.doubt)} in doubt ({ran} had run), {len(side.cancelled)} cancelled; {kinds}"
    )
    print(f"  doubled or reported: {doubled + side.seen['errors'] + len(side.doubt - side.told)}")
    for example in side.examples:
        print(f"  {example}")
    return not (lost or doubled or untrue or side.seen["another's reply"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sides = [
        Side("samewire", samewire.redis.Client, samewire.redis.aio.Client, samewire.redis.RedisError),
        Side("redis-py", redis.Redis, redis.asyncio.Redis, (redis.RedisError, OSError)),
    ]
    server = Process("--requirepass", PASSWORD, "--appendonly", "yes", "--appendfsync", "always")
    try:
        check = samewire.redis.Client(port=server.port, password=PASSWORD)
        check.mset({f"{side.name}:a{number}": number for side in sides for number in range(TASKS)})
        until = time.monotonic() + options.seconds
        over = threading.Event()

        def running() -> bool:
            return not over.is_set()

        with cutting(server.port, options.seed, CUT_AFTER) as one, cutting(server.port, options.seed, CUT_AFTER) as other:
            sides[0].port, sides[1].port = one, other
            callers = []
            for side in sides:
                callers += [threading.Thread(target=thread, args=(side, number, running)) for number in range(THREADS)]
                callers.append(threading.Thread(target=lambda side=side: asyncio.run(tasks(side, options.seed, running))))
            for caller in callers:
                caller.start()
            done = trouble(server, random.Random(options.seed), until)
            time.sleep(1)
            over.set()
            for caller in callers:
                caller.join(120)
            stuck = sum(caller.is_alive() for caller in callers)
        print(f"{options.seconds:g} s, seed {options.seed}: {dict(done)}; {stuck} callers did not come back")
        found = {side.name: Counter(element.decode() for element in check.lrange(side.name, 0, -1)) for side in sides}
        right = account(sides[0], found["samewire"])
        account(sides[1], found["redis-py"])
        fewer = sides[0].seen["errors"] <= sides[1].seen["errors"]
        if not fewer:
            print(f"samewire has more errors than redis-py: {sides[0].seen['errors']} against {sides[1].seen['errors']}")
        return 0 if right and fewer and not stuck else 1
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
