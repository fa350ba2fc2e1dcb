"""Fixtures of several files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import valkey


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server that the tests of a file share."""
    with valkey() as server:
        yield server.port
