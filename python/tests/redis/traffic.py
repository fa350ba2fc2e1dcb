"""Writers that count: what they sent, what was acknowledged, and what a server has afterwards.

Each writer pushes tokens, each of them once, to lists of its own. Pushing twice is not the same as once, so that a command that
was sent again although it had run shows up in the list.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from samewire.redis.exceptions import RedisClusterException, RedisError

#: What a push came to.
ACKNOWLEDGED, MAYBE, NOT_RUN = "acknowledged", "maybe", "not run"


class Traffic:
    """Pushes of tokens by threads (a blocking client) and by coroutines (an asyncio client), until `stop`."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = list(keys)
        self.outcomes: dict[tuple[str, str], str] = {}
        self.errors: list[BaseException] = []
        self.slowest = 0.0
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def threads(self, push: Callable[[str, str], bool], number: int, name: str = "thread") -> None:
        """Starts threads. push: pushes a token to a key, and returns whether that is acknowledged for good."""
        for index in range(number):
            self._start(self._loop, f"{name}{index}", push)

    def coroutines(self, push: Callable[[str, str], Awaitable[bool]], number: int, begin: Any = None, end: Any = None) -> None:
        """Starts coroutines in a thread with an event loop of its own. begin, end: awaited there before and after."""

        async def main() -> None:
            if begin is not None:
                await begin()
            await asyncio.gather(*(self._turn(f"coroutine{index}", push) for index in range(number)))
            if end is not None:
                await end()

        self._start(lambda *_: asyncio.run(main()))

    def _start(self, work: Callable[..., None], *args: Any) -> None:
        def guarded() -> None:
            try:
                work(*args)
            except BaseException as error:
                self.errors.append(error)

        thread = threading.Thread(target=guarded, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _loop(self, name: str, push: Callable[[str, str], bool]) -> None:
        number = 0
        while not self._stop.is_set():
            key, token = self._next(name, number)
            started = time.monotonic()
            try:
                self._note(key, token, ACKNOWLEDGED if push(key, token) else MAYBE, started)
            except (RedisError, RedisClusterException) as error:
                self._failed(key, token, error, started)
            number += 1

    async def _turn(self, name: str, push: Callable[[str, str], Awaitable[bool]]) -> None:
        number = 0
        while not self._stop.is_set():
            key, token = self._next(name, number)
            started = time.monotonic()
            try:
                self._note(key, token, ACKNOWLEDGED if await push(key, token) else MAYBE, started)
            except (RedisError, RedisClusterException) as error:
                self._failed(key, token, error, started)
            await asyncio.sleep(0.001)
            number += 1

    def _next(self, name: str, number: int) -> tuple[str, str]:
        key = self.keys[(number + hash(name)) % len(self.keys)]
        return f"{key}:{name}", f"{name}#{number}"

    def _note(self, key: str, token: str, outcome: str, started: float) -> None:
        self.outcomes[key, token] = outcome
        self.slowest = max(self.slowest, time.monotonic() - started)

    def _failed(self, key: str, token: str, error: Exception, started: float) -> None:
        self.errors.append(error)
        self._note(key, token, MAYBE if getattr(error, "may_have_run", None) else NOT_RUN, started)

    @property
    def counts(self) -> Counter[str]:
        """How many pushes came to what."""
        return Counter(self.outcomes.values())

    def until(self, number: int, seconds: float = 60.0) -> None:
        """Waits until so many more pushes are acknowledged."""
        goal = self.counts[ACKNOWLEDGED] + number
        end = time.monotonic() + seconds
        while self.counts[ACKNOWLEDGED] < goal:
            assert time.monotonic() < end, f"{self.counts} after {seconds} s, {self.errors[-3:]}"
            time.sleep(0.02)

    def stop(self) -> None:
        """Ends all writers, each after the push that it waits for."""
        self._stop.set()
        for thread in self._threads:
            thread.join(20)
            assert not thread.is_alive(), "a writer waits for ever"

    def check(self, read: Callable[[str], list[bytes]]) -> None:
        """Compares with what the servers have. read: returns a list."""
        found: dict[tuple[str, str], int] = {}
        for key in {key for key, _ in self.outcomes}:
            tokens = [token.decode() for token in read(key)]
            numbers = [int(token.split("#")[1]) for token in tokens]
            assert numbers == sorted(numbers), f"{key} is out of order"
            assert all(token.split("#")[0] == key.rpartition(":")[2] for token in tokens), f"{key} has another's tokens"
            for token in tokens:
                found[key, token] = found.get((key, token), 0) + 1
        twice = [push for push, times in found.items() if times > 1]
        assert not twice, f"{len(twice)} pushes ran twice, such as {twice[:3]}"
        lost = [push for push, outcome in self.outcomes.items() if outcome == ACKNOWLEDGED and push not in found]
        assert not lost, f"{len(lost)} acknowledged pushes are lost, such as {lost[:3]}"
        ran = [push for push, outcome in self.outcomes.items() if outcome == NOT_RUN and push in found]
        assert not ran, f"{len(ran)} pushes ran of which an error says that they did not, such as {ran[:3]}"
        assert not found.keys() - self.outcomes.keys()
