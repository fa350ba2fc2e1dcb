"""Error replies that the user lists in `retry_on_error` are answered by another attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import samewire.redis.aio.retry as aio_retry
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.exceptions import ReadOnlyError, ResponseError
from samewire.redis.retry import Retry
from servers import valkey


@pytest.fixture(scope="module")
def replica() -> Iterator[Client[bytes]]:
    """A client of a server that refuses writes."""
    with valkey() as server, Client(port=server.port) as client:
        # The master need not exist.
        client.replicaof("127.0.0.1", 1)
        yield client


def refused(client: Client[bytes]) -> int:
    """How many SETs the server has refused since this was asked last."""
    found: Any = client.info("commandstats")
    client.config_resetstat()
    return int(found.get("cmdstat_set", {}).get("rejected_calls", 0))


@pytest.mark.parametrize(("errors", "attempts"), [([], 1), ([ReadOnlyError], 3), ([ResponseError], 3)])
def test_sends_again_after_a_listed_error_reply(replica: Client[bytes], errors: list[type[Exception]], attempts: int) -> None:
    port = replica.get_connection_kwargs()["port"]
    refused(replica)
    client: Client[Any]
    with Client(port=port, retry=Retry(NoBackoff(), 2), retry_on_error=errors) as client:
        with pytest.raises(ReadOnlyError):
            client.set("key", 1)
        assert refused(replica) == attempts
        with pytest.raises(ReadOnlyError):
            client.set("key", 1, get=True)
        assert refused(replica) == attempts


@pytest.mark.parametrize(("errors", "attempts"), [([], 1), ([ReadOnlyError], 3)])
def test_sends_again_in_asyncio(replica: Client[bytes], errors: list[type[Exception]], attempts: int) -> None:
    port = replica.get_connection_kwargs()["port"]
    refused(replica)

    async def send() -> None:
        client: AsyncClient[Any]
        async with AsyncClient(port=port, retry=aio_retry.Retry(NoBackoff(), 2), retry_on_error=errors) as client:
            with pytest.raises(ReadOnlyError):
                await client.set("key", 1)

    asyncio.run(send())
    assert refused(replica) == attempts
