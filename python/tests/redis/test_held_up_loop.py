"""An event loop that was held up, or that does not run between calls, has not noticed that the server closed a connection: what is
asked for then goes over the next one, once."""

from __future__ import annotations

import asyncio
import select
import time
from pathlib import Path
from typing import Any

import pytest
from samewire.redis import Client as BlockingClient
from samewire.redis.aio import Client
from samewire.redis.aio.carrier import PRESENT
from samewire.redis.exceptions import ConnectionError, WatchError
from servers import GREETING, peer
from tls_servers import certificate, tls


def close_all(port: int, client: Client[Any], *others: Any) -> None:
    """Has the server close every other connection, and returns when the client's have ended. The event loop stands still."""
    with BlockingClient[Any](host="127.0.0.1", port=port) as admin:
        admin.client_kill_filter(_type="normal", skipme=True)
    carriers = *client.connection_pool._shared.values(), *others
    for carrier in (owner._carrier for owner in carriers):
        if carrier is not None:
            wait_for_end(carrier.transport)
    # Longer than what was heard last says that the server is there.
    time.sleep(10 * PRESENT)


def wait_for_end(transport: asyncio.Transport) -> None:
    """Returns when the peer's end can be read. The event loop stands still."""
    ended, _, _ = select.select([transport.get_extra_info("socket").fileno()], [], [], 60)
    assert ended


def test_a_write_after_the_loop_was_held_up_runs_once(port: int) -> None:
    async def main() -> None:
        async with Client[bytes](host="127.0.0.1", port=port) as client:
            await client.delete("held-up")
            for expected in range(1, 6):
                close_all(port, client)
                assert await client.incr("held-up") == expected

    asyncio.run(main())


def test_tasks_and_transactions_after_the_loop_was_held_up_run_once(port: int) -> None:
    async def main() -> None:
        async with Client[bytes](host="127.0.0.1", port=port) as client:
            await client.delete("held-up")
            close_all(port, client)
            assert sorted(await asyncio.gather(*(client.incr("held-up") for _ in range(50)))) == list(range(1, 51))
            close_all(port, client)
            assert await client.pipeline().incr("held-up").incr("held-up").execute() == [51, 52]
            close_all(port, client)
            assert await client.pipeline(transaction=False).incr("held-up").execute() == [53]

    asyncio.run(main())


def test_a_client_whose_loop_does_not_run_between_calls_finds_the_next_connection(port: int) -> None:
    loop = asyncio.new_event_loop()
    client = Client[bytes](host="127.0.0.1", port=port)
    try:
        assert loop.run_until_complete(client.set("held-up", 0))
        close_all(port, client)
        assert loop.run_until_complete(client.incr("held-up")) == 1
        loop.run_until_complete(client.aclose())
    finally:
        loop.close()


def test_a_client_of_one_connection_finds_the_next_one(port: int) -> None:
    async def main() -> None:
        async with Client[bytes](host="127.0.0.1", port=port, single_connection_client=True) as client:
            await client.set("held-up", 0)
            for expected in range(1, 4):
                close_all(port, client)
                connection: Any = client.connection
                wait_for_end(connection._stream.transport)
                assert await client.incr("held-up") == expected

    asyncio.run(main())


def test_keys_watched_on_a_connection_that_was_closed_meanwhile_are_watched_no_more(port: int) -> None:
    async def main() -> None:
        async with Client[bytes](host="127.0.0.1", port=port) as client:
            await client.set("held-up", "others")
            async with client.pipeline() as pipeline:
                await pipeline.watch("held-up")
                close_all(port, client, pipeline._lease)
                pipeline.multi()
                pipeline.set("held-up", "mine")
                with pytest.raises(WatchError, match="nothing has run"):
                    await pipeline.execute()
            assert await client.get("held-up") == b"others"
            attempts = []

            async def count(pipeline: Any) -> None:
                attempts.append(await pipeline.get("held-up"))
                if len(attempts) == 1:
                    close_all(port, client, pipeline._lease)
                pipeline.multi()
                pipeline.set("held-up", "mine")

            assert await client.transaction(count, "held-up") == [True]
            assert attempts == [b"others", b"others"]

    asyncio.run(main())


def test_a_connection_of_tls_that_was_closed_meanwhile_is_found_out(port: int, tmp_path: Path) -> None:
    made = certificate(tmp_path)

    async def main(encrypted: int) -> None:
        options: dict[str, Any] = {"ssl": True, "ssl_ca_certs": str(made[0])}
        async with Client[bytes](host="localhost", port=encrypted, **options) as client:
            await client.set("held-up", 0)
            close_all(port, client)
            assert await client.incr("held-up") == 1

    with tls(port, made) as encrypted:
        asyncio.run(main(encrypted))


def test_a_command_that_was_written_before_is_not_sent_again() -> None:
    taken = []

    def serve(connection: Any) -> None:
        connection.recv(65536)
        connection.sendall(GREETING)
        taken.append(connection.recv(65536))
        connection.close()

    async def main(port: int) -> None:
        async with Client[bytes](host="127.0.0.1", port=port, retry=None) as client:
            with pytest.raises(ConnectionError) as caught:
                await client.incr("held-up")
            assert caught.value.may_have_run

    with peer(serve) as port:
        asyncio.run(main(port))
    assert len(taken) == 1
