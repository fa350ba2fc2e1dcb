"""How many files a command goes through, from the method of the client to the socket: a reader opens no more than six."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import samewire.redis
from clusters import cluster
from samewire.redis import RedisCluster, aio

PACKAGE = str(Path(samewire.redis.__file__).parent)
MOST = 6

#: The first call connects, the second one finds the shared connection: what later ones need is kept by then.
WARM_UP = 2

CALLS: dict[str, Callable[[Any], Any]] = {
    "get": lambda client: client.get("key"),
    "hset": lambda client: client.hset("hash", mapping={"a": 1, "b": 2}),
    "lrange": lambda client: client.lrange("list", 0, -1),
}

#: The files of each kind of client: whoever adds a layer changes the number here.
BLOCKING = [(samewire.redis.Client, 5), (RedisCluster, 6)]
ASYNCIO = [(aio.Client, 3), (aio.RedisCluster, 5)]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with cluster(masters=1, replicas=0) as made:
        yield made.nodes[0].port


class Visited:
    """The files of the package whose functions are called in a `with` block."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def __enter__(self) -> set[str]:
        sys.setprofile(self._called)
        return self.files

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self.files.add(frame.f_code.co_filename.removeprefix(PACKAGE))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(("kind", "count"), BLOCKING)
def test_a_command_goes_through_few_files(port: int, kind: Any, count: int, name: str) -> None:
    call = CALLS[name]
    with kind(host="127.0.0.1", port=port) as client:
        for _ in range(WARM_UP):
            call(client)
        with Visited() as files:
            call(client)
    assert len(files) == count <= MOST, sorted(files)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(("kind", "count"), ASYNCIO)
def test_a_command_of_an_asyncio_client_goes_through_few_files(port: int, kind: Any, count: int, name: str) -> None:
    call = CALLS[name]

    async def main() -> set[str]:
        async with kind(host="127.0.0.1", port=port) as client:
            for _ in range(WARM_UP):
                await call(client)
            with Visited() as files:
                await call(client)
            return files

    files = asyncio.run(main())
    assert len(files) == count <= MOST, sorted(files)
