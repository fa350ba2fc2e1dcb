"""How a link waits where greenlets stand for threads: by a `select` that lets the others run."""

from __future__ import annotations

import select
import socket
from typing import Any

import pytest
from samewire._native import Link
from samewire.redis.exceptions import TimeoutError
from samewire.redis.rules.error_replies import error_of
from samewire.redis.session import greenlets


class Green:
    """A socket of a class that is not Python's own."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sock, name)


@pytest.mark.parametrize("comes", [True, False])
def test_a_reply_that_came_while_other_greenlets_ran_counts(comes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """`select` returns nothing, since its time is over when it gets its turn; the reply is there all the same."""
    ours, theirs = socket.socketpair()
    looked: list[float | None] = []

    def held_up(reads: Any, writes: Any, others: Any, timeout: float | None) -> Any:
        looked.append(timeout)
        if timeout:
            theirs.recv(1000)
            if comes:
                theirs.sendall(b"+PONG\r\n")
            return [], [], []
        return select.select(reads, writes, others, timeout)

    with ours, theirs:
        wait = greenlets.waiter(Green(ours))  # type: ignore[arg-type]
        link = Link(Green(ours), wait=wait, timeout=0.2, reply_error=error_of)  # type: ignore[arg-type]
        monkeypatch.setattr(greenlets, "select", type("module", (), {"select": staticmethod(held_up)}))
        if comes:
            assert link.call(("PING",)) == b"PONG"
        else:
            with pytest.raises(TimeoutError):
                link.call(("PING",))
        assert looked[-1] == 0
