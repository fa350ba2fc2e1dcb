"""Waiting where greenlets stand for threads: gevent and eventlet put classes of their own into `socket`.

A wait of the system would stop every greenlet of the process. Their `select` lets the others run.
"""

from __future__ import annotations

import _socket
import select
import socket
from collections.abc import Callable

READABLE, WRITABLE = 1, 4


def cooperates(sock: socket.socket) -> bool:
    """Whether others run while a method of the socket waits: it is not Python's own."""
    return not isinstance(sock, _socket.socket)


def waiter(sock: socket.socket) -> Callable[[bool, float | None], int] | None:
    """What a `Link` on this socket waits by, so that other greenlets run meanwhile; None where it may wait itself."""
    if not cooperates(sock):
        return None

    def wait(write: bool, timeout: float | None) -> int:
        readable, writable, _ = select.select([sock], [sock] if write else [], [], timeout)
        if timeout and not readable and not writable:
            # Greenlets that did not yield may have held up this one: what came meanwhile came in time.
            readable, writable, _ = select.select([sock], [sock] if write else [], [], 0)
        return (READABLE if readable else 0) | (WRITABLE if writable else 0)

    return wait
