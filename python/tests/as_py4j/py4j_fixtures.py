"""Fixtures: a JVM for each of a file's tests, and a gateway to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from py4j_servers import KINDS, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samewire.py4j.java_gateway import JavaGateway


@pytest.fixture(scope="session", params=KINDS)
def started(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A JVM of each kind, for all tests."""
    made = Server(request.param)
    yield made
    made.end()


@pytest.fixture
def server(started: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A JVM of each kind; clients keep to the text protocol where the kind says so."""
    if KINDS[started.kind][1]:
        monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", "text")
    return started


@pytest.fixture
def gateway(server: Server) -> Iterator[JavaGateway]:
    """A gateway to the server."""
    with server.gateway() as made:
        yield made
