"""Fixtures of several files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from driven import client_of
from servers import valkey


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server that the tests of a file share."""
    with valkey() as server:
        yield server.port


@pytest.fixture(params=["blocking", "aio"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which client."""
    return str(request.param)


@pytest.fixture
def either(kind: str, port: int) -> Iterator[Any]:
    """A client of each kind, with an empty server."""
    with client_of(kind, port) as made:
        made.flushall()
        yield made
