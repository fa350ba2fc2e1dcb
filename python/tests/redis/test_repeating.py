"""Commands of `client.repeating()` are sent again although they may have run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from driven import Driven
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.cluster import RedisCluster
from samewire.redis.cluster.batch import Job, direct, plan
from samewire.redis.cluster.topology import Node, Topology
from samewire.redis.exceptions import ConnectionError, DataError
from samewire.redis.retry import Retry
from servers import greeted, peer

#: Connections that are closed instead of a reply.
LOST = 2


@contextlib.contextmanager
def forgetful(kind: str) -> Iterator[tuple[Any, list[bytes]]]:
    """A client of a server that runs writes and closes the connection, twice; and the writes that the server got."""
    writes: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        if b"SET" not in data:
            # MULTI and DISCARD, and WATCH of a key.
            connection.sendall(b"+OK\r\n" * (data.count(b"*1\r\n") + data.count(b"*2\r\n")))
            return
        writes.append(data)
        if len(writes) <= LOST:
            connection.shutdown(socket.SHUT_RDWR)
        elif b"EXEC" in data:
            connection.sendall(b"+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n")
        else:
            connection.sendall(b"+OK\r\n" * data.count(b"SET"))

    with peer(greeted(serve)) as port:
        if kind == "blocking":
            with Client[bytes](port=port, retry=Retry(NoBackoff(), LOST)) as blocking:
                yield blocking, writes
            return
        with asyncio.Runner() as runner:
            client = aio.Client(port=port, retry=AioRetry(NoBackoff(), LOST))
            with Driven(client, runner.get_loop()) as driven:
                yield driven, writes


@contextlib.contextmanager
def vanishing(kind: str) -> Iterator[Any]:
    """A client of a server that runs one write, and is gone before its reply."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(connection: socket.socket, data: bytes) -> None:
            if b"INCR" in data:
                # A thread that waits for the next connection would keep the port.
                listening.shutdown(socket.SHUT_RDWR)
                connection.shutdown(socket.SHUT_RDWR)
            else:
                connection.sendall(b"+OK\r\n" * data.count(b"*1\r\n"))

        def accept() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                greeted(serve)(connection)

        threading.Thread(target=accept, daemon=True).start()
        port = listening.getsockname()[1]
        if kind == "blocking":
            with Client[bytes](port=port, retry=Retry(NoBackoff(), LOST)) as blocking:
                yield blocking
            return
        made = aio.Client(port=port, retry=AioRetry(NoBackoff(), LOST))
        with asyncio.Runner() as runner, Driven(made, runner.get_loop()) as driven:
            yield driven


def test_the_last_attempt_tells_of_those_before_it(kind: str) -> None:
    with vanishing(kind) as client:
        with pytest.raises(ConnectionError) as caught:
            client.repeating().incr("n")
        assert caught.value.may_have_run


@pytest.mark.parametrize("transaction", [False, True])
def test_the_last_attempt_at_a_pipeline_tells_of_those_before_it(kind: str, transaction: bool) -> None:
    with vanishing(kind) as client:
        with pytest.raises(ConnectionError) as caught:
            client.repeating().pipeline(transaction).incr("n").execute()
        assert caught.value.may_have_run


def test_a_write_that_may_have_run_is_sent_once(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        with pytest.raises(ConnectionError) as caught:
            client.set("key", 1)
        assert caught.value.may_have_run
        assert len(writes) == 1


def test_a_repeating_client_sends_it_again(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        assert client.repeating().set("key", 1) is True
        assert len(writes) == 1 + LOST


def test_a_client_is_as_it_was(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        client.repeating()
        with pytest.raises(ConnectionError):
            client.set("key", 1)
        assert len(writes) == 1


@pytest.mark.parametrize("transaction", [False, True])
def test_a_pipeline_of_it_is_sent_again(kind: str, transaction: bool) -> None:
    with forgetful(kind) as (client, writes):
        assert client.repeating().pipeline(transaction).set("key", 1).execute() == [True]
        assert len(writes) == 1 + LOST


def test_views_keep_what_the_other_has_chosen(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        assert client.repeating().decoding().set("key", 1) is True
        assert len(writes) == 1 + LOST


def test_a_watched_transaction_is_not_sent_again(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        pipe = client.repeating().pipeline()
        pipe.watch("key")
        pipe.multi()
        pipe.set("key", 1)
        with pytest.raises(ConnectionError) as caught:
            pipe.execute()
        assert caught.value.may_have_run
        assert len(writes) == 1


def test_a_client_of_its_own_connection_repeats_as_well(kind: str) -> None:
    with forgetful(kind) as (client, writes):
        own = client.repeating().client()
        assert own.set("key", 1) is True
        own.aclose() if kind == "aio" else own.close()
        assert len(writes) == 1 + LOST


def test_a_view_that_is_dropped_leaves_the_connection_of_its_client(port: int) -> None:
    with Client[bytes](port=port, single_connection_client=True) as client:
        number = client.client_id()
        client.repeating().ping()
        client.decoding().close()
        gc.collect()
        with Client[bytes](connection_pool=client.connection_pool) as other:
            assert other.client_id() != number
        assert client.client_id() == number


def test_a_view_that_is_dropped_leaves_the_connection_of_its_asyncio_client(port: int) -> None:
    async def main() -> None:
        async with aio.Client[bytes](port=port, single_connection_client=True) as client:
            number = await client.client_id()
            await client.repeating().ping()
            await client.decoding().aclose()
            gc.collect()
            async with aio.Client[bytes](connection_pool=client.connection_pool) as other:
                assert await other.client_id() != number
            assert await client.client_id() == number

    asyncio.run(main())


@pytest.mark.parametrize("view", [lambda client: client.decoding(), lambda client: client.repeating().decoding()])
@pytest.mark.parametrize("single", [False, True])
def test_the_last_view_closes_what_its_client_would(port: int, view: Callable[[Any], Any], single: bool) -> None:
    with view(Client[bytes](port=port, single_connection_client=single)) as only:
        assert only.ping()
        pool = only.connection_pool
        (connection,) = pool._connections
        number = only.client_id()
        gc.collect()
        assert only.client_id() == number
    assert not connection.is_connected
    assert not pool._in_use_connections


@pytest.mark.parametrize("view", [lambda client: client.decoding(), lambda client: client.repeating().decoding()])
@pytest.mark.parametrize("single", [False, True])
def test_the_last_asyncio_view_closes_what_its_client_would(port: int, view: Callable[[Any], Any], single: bool) -> None:
    async def main() -> None:
        async with view(aio.Client[bytes](port=port, single_connection_client=single)) as only:
            number = await only.client_id()
            gc.collect()
            assert await only.client_id() == number
            pool = only.connection_pool
            connection = only.connection if single else pool.shared().connection
        assert not connection.is_connected
        assert not pool._in_use_connections
        assert pool._shared.get(asyncio.get_running_loop()) is None or pool.shared().mux is None

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(main())
        gc.collect()


def test_the_client_is_closed_with_its_views(port: int) -> None:
    client = Client[bytes](port=port, single_connection_client=True)
    view = client.decoding()
    assert view.ping()
    (connection,) = client.connection_pool._connections
    assert [client.connection, view.connection] == [connection] * 2
    client.close()
    assert not connection.is_connected
    # It has a connection of the pool from now on, and the client's own is another's.
    with Client[bytes](connection_pool=client.connection_pool, single_connection_client=True) as other:
        assert [other.connection] == [connection]
        view.close()
        assert connection.lent is client.connection_pool


def test_a_dropped_client_leaves_the_connections_to_its_views(port: int) -> None:
    first = Client[bytes](port=port, single_connection_client=True).decoding()
    second = first.repeating()
    number = first.client_id()
    first.close()
    assert second.client_id() == number
    second.close()
    assert not [each for each in second.connection_pool._connections if each.is_connected]


def test_a_pipeline_repeats_as_its_client() -> None:
    with Client[bytes]() as client, pytest.raises(DataError, match=r"client\.repeating\(\)\.pipeline\(\)"):
        client.pipeline().repeating()


def lost() -> ConnectionError:
    error = ConnectionError("closed")
    error.may_have_run = True
    return error


def test_commands_of_clusters_know_it() -> None:
    client = RedisCluster.__new__(RedisCluster)
    client._decode, client.load_balancing_strategy, client.response_callbacks = None, None, {}
    client.encoder = Client[bytes]().get_encoder()
    for chosen, repeats in ((client, False), (client.repeating(), True)):
        jobs = [direct(chosen, ("SET", "key", 1)), *plan(chosen, ("MSET", "a", 1, "b", 2), {}).jobs]
        assert [job is not None and job.repeats for job in jobs] == [repeats] * 3


@pytest.mark.parametrize("repeats", [False, True])
def test_a_job_is_sent_again(repeats: bool) -> None:
    job: Job[Any] = Job(("SET", "key", 1), None, None, repeats=repeats)
    step = job.after(lost(), None, Topology(Node), 3, lambda failures, error: 0.0)
    assert (step.error is None) == repeats
