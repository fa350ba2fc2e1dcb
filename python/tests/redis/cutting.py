"""A proxy that cuts connections after a random number of bytes, and counting of what clients send through it."""

from __future__ import annotations

import contextlib
import random
import select
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from samewire.redis.exceptions import RedisError
from servers import peer


@contextlib.contextmanager
def cutting(port: int, seed: int, most: int) -> Iterator[int]:
    """The port of a proxy whose connections end after 1 to `most` bytes, counted both ways."""
    chance = random.Random(seed)

    def serve(connection: socket.socket) -> None:
        left = chance.randint(1, most)
        with socket.create_connection(("127.0.0.1", port)) as server:
            while left > 0:
                ready, _, _ = select.select([connection, server], [], [], 10)
                if not ready:
                    return
                for source in ready:
                    data = source.recv(min(left, 65536))
                    if not data:
                        return
                    (server if source is connection else connection).sendall(data)
                    left -= len(data)

    with peer(serve) as at:
        yield at


@dataclass
class Sent:
    """What became of numbers that were each sent once, in a command that must not run twice."""

    acknowledged: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def send(self, number: str, command: Callable[[], Any]) -> None:
        try:
            command()
        except RedisError as error:
            self.failed(number, error)
        else:
            self.acknowledged.add(number)

    async def await_(self, number: str, command: Awaitable[Any]) -> None:
        try:
            await command
        except RedisError as error:
            self.failed(number, error)
        else:
            self.acknowledged.add(number)

    def failed(self, number: str, error: RedisError) -> None:
        (self.unknown if error.may_have_run else self.refused).add(number)

    def agrees(self, found: list[bytes]) -> None:
        """Whether the server has what was acknowledged, nothing that was refused, and nothing twice."""
        held = Counter(number.decode() for number in found)
        assert self.acknowledged <= held.keys(), f"lost: {sorted(self.acknowledged - held.keys())[:5]}"
        assert not self.refused & held.keys(), f"ran although refused: {sorted(self.refused & held.keys())[:5]}"
        assert held.keys() <= self.acknowledged | self.unknown
        twice = [number for number, times in held.items() if times > 1]
        assert not twice, f"ran twice: {twice[:5]}"
