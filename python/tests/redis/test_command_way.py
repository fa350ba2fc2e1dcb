"""How many files a GET goes through, from the method of the client to the socket: a reader opens no more than six."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import samewire.redis
from clusters import cluster
from samewire.redis import RedisCluster, aio

PACKAGE = str(Path(samewire.redis.__file__).parent)
MOST = 6


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


@pytest.mark.parametrize("kind", [samewire.redis.Client, RedisCluster])
def test_a_command_goes_through_few_files(port: int, kind: Any) -> None:
    with kind(host="127.0.0.1", port=port) as client:
        client.get("key")
        with Visited() as files:
            client.get("key")
    assert 0 < len(files) <= MOST, sorted(files)


@pytest.mark.parametrize("kind", [aio.Client, aio.RedisCluster])
def test_a_command_of_an_asyncio_client_goes_through_few_files(port: int, kind: Any) -> None:
    async def main() -> set[str]:
        async with kind(host="127.0.0.1", port=port) as client:
            await client.get("key")
            with Visited() as files:
                await client.get("key")
            return files

    files = asyncio.run(main())
    assert 0 < len(files) <= MOST, sorted(files)
