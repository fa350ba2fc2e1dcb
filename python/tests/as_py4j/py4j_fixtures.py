"""Fixtures: a JVM for each of a file's tests, and a gateway to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from py4j_servers import JAR, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samewire.py4j.java_gateway import JavaGateway


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A JVM with Py4J's own jar."""
    made = Server(JAR)
    yield made
    made.end()


@pytest.fixture
def gateway(server: Server) -> Iterator[JavaGateway]:
    """A gateway to the server."""
    with server.gateway() as made:
        yield made
