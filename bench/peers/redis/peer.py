"""What a peer's file gives: its rows, and for each how one client does what the workloads ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bench.peers.redis.server import Server

CALLS = ("get", "set", "lrange-100", "lrange-600")
UNIX = ("unix-get", "unix-set", "unix-lrange-600")
PIPELINES = ("pipeline-1M", "pipelines-10k")
CALLERS = "callers-1000"
PARSE = "parse-600"
BOOKS = ("books-put", "books-get")
WORKLOADS = (*CALLS, *UNIX, *PIPELINES, CALLERS, PARSE, *BOOKS)


class Client(NamedTuple):
    """A connected client. What is asynchronous returns awaitables.

    call: the function and arguments of one call: `get`, `set`, `lrange-100`, `lrange-600`. pipeline: sends so many `SET newkey abc`
    together and returns the replies.
    """

    call: Callable[[str], tuple[Callable[..., Any], tuple[Any, ...]]]
    pipeline: Callable[[int], Any] | None
    close: Callable[[], Any]


class Window(NamedTuple):
    """What so many operations took: nanoseconds of the client's CPU time and of the clock; bytes by which the client grew at
    most, if that is known."""

    cpu: float
    wall: float
    growth: int | None = None


class Task(NamedTuple):
    """A workload as a peer does it. window: does it so many times. close: afterwards. server: bytes that the server's data take for
    one operation, when all is done.
    """

    window: Callable[[int], Window]
    close: Callable[[], object]
    server: Callable[[], float] | None = None


class Row(NamedTuple):
    """One row of the lab.

    package: the distribution that tells the version, or a text that is the version. kind: client or limit. checks: what it does with
    replies. start: for a workload. missing: why it cannot run here.
    """

    package: str
    kind: str
    checks: str
    workloads: Sequence[str]
    start: Callable[[str, Server], Task]
    missing: str = ""


class WrongReply(Exception):
    """A client's reply is not the server's."""


def plain(reply: Any) -> Any:
    """A reply as texts, whatever the client makes of them."""
    if isinstance(reply, bytes):
        return reply.decode()
    if isinstance(reply, (list, tuple)):
        return [plain(each) for each in reply]
    return "OK" if reply is True else reply
