"""A server that starts refuses connects first, and commands until it has read its data: callers have all attempts for each."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from samewire.redis import retry as blocking
from samewire.redis.aio import retry as aio
from samewire.redis.backoff import NoBackoff
from samewire.redis.cluster.redirection import Attempts
from samewire.redis.cluster.topology import Node, Topology
from samewire.redis.exceptions import BusyLoadingError, ConnectionError
from servers import peer

RETRIES = 8
#: What a server does: replies LOADING to a command, closes its connection instead, closes a connection that was just made.
LOADING, LOST, REFUSED = "loading", "lost", "refused"
START = [*[LOADING] * 6, LOST, *[REFUSED] * 5, *[LOADING] * 2]
assert START.count(LOADING) <= RETRIES < len(START)

#: The first word of each command that a read holds.
COMMAND = re.compile(rb"\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n")


@contextlib.contextmanager
def server(script: list[str]) -> Iterator[int]:
    """The port of a server that does what the script says, and is well then."""
    left = list(script)
    guard = threading.Lock()

    def comes(*which: str) -> str:
        with guard:
            return left.pop(0) if left and left[0] in which else ""

    def serve(connection: socket.socket) -> None:
        if comes(REFUSED):
            return
        while data := connection.recv(10_000):
            out = b""
            for name in COMMAND.findall(data):
                if name == b"HELLO":
                    out += b"%1\r\n$5\r\nproto\r\n:3\r\n"
                elif name == b"EXEC":
                    out += b"*1\r\n$5\r\nvalue\r\n"
                elif name in (b"GET", b"MULTI"):
                    event = comes(LOADING, LOST)
                    if event == LOST:
                        return
                    out += (
                        b"-LOADING Valkey is loading the dataset in memory\r\n"
                        if event
                        else b"$5\r\nvalue\r\n"
                        if name == b"GET"
                        else b"+OK\r\n"
                    )
                else:
                    out += b"+OK\r\n"
            connection.sendall(out)

    with peer(serve) as port:
        yield port
    assert not left


def by_call(client: Any) -> Any:
    return client.get("key")


def by_pipeline(client: Any) -> Any:
    return client.pipeline(transaction=False).get("key").execute()


def by_transaction(client: Any) -> Any:
    return client.pipeline().get("key").execute()


@pytest.mark.parametrize("kind", ["blocking", "asyncio", "own connection"])
@pytest.mark.parametrize("way", [by_call, by_pipeline, by_transaction])
def test_a_start_is_waited_for(kind: str, way: Callable[[Any], Any]) -> None:
    async def awaited(port: int) -> Any:
        retry = aio.Retry(NoBackoff(), RETRIES)
        async with samewire.redis.aio.Client(port=port, retry=retry, single_connection_client=kind != "asyncio") as client:
            return await way(client)

    # A transaction's first command is tried before, on each connection.
    with server(START) as port:
        if kind == "blocking":
            with samewire.redis.Client(port=port, retry=blocking.Retry(NoBackoff(), RETRIES)) as client:
                found = way(client)
        else:
            found = asyncio.run(asyncio.wait_for(awaited(port), 60))
        assert found in (b"value", [b"value"])


def test_more_of_one_kind_than_attempts_is_told() -> None:
    with (
        server([LOADING] * (RETRIES + 1)) as port,
        samewire.redis.Client(port=port, retry=blocking.Retry(NoBackoff(), RETRIES)) as client,
        pytest.raises(BusyLoadingError),
    ):
        client.get("key")


def test_an_attempt_at_a_cluster_counts_both_kinds_apart() -> None:
    attempts: Attempts[Node] = Attempts(Topology(Node), False, RETRIES, lambda failures, error: 0.0)
    lost = ConnectionError("refused")
    lost.may_have_run = False
    for _ in range(RETRIES):
        assert attempts.after(lost, None).error is None
        assert attempts.after(BusyLoadingError("loading"), None).error is None
    assert attempts.failures.count == 2 * RETRIES
    busy = BusyLoadingError("loading")
    assert attempts.after(busy, None).error is busy


@pytest.mark.parametrize("policy", [blocking.default_retry(), aio.default_retry()])
def test_chance_shortens_waits_by_half_at_most(policy: blocking.AbstractRetry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", lambda least, most: least)
    monkeypatch.setattr(random, "random", lambda: 0.0)
    counts = range(1, 1 + policy.get_retries())
    assert sum(policy.seconds_before(failures, ConnectionError("refused")) for failures in counts) == pytest.approx(6.55)
    # A server that reads its data replies at once: no part of the wait is left to chance.
    assert sum(policy.seconds_before(failures, BusyLoadingError("loading")) for failures in counts) == pytest.approx(13.1)
