"""Ours: blocking and asyncio clients, as `pip install` gives them, and the reader alone."""

from __future__ import annotations

from typing import Any

from samewire.redis import Reader
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.client import Client as SyncClient

from bench.peers.redis import books, parsing, tasks
from bench.peers.redis.peer import BOOKS, CALLERS, CALLS, PARSE, PIPELINES, UNIX, Client, Row, Task
from bench.peers.redis.server import Server


def synchronous(workload: str, server: Server) -> Task:
    """`samewire.redis.Client`."""
    if workload == PARSE:
        return parsing.task(Reader(encoding="utf-8"))
    client: Any = SyncClient(**tasks.address(workload, server))
    if workload in BOOKS:
        store = client.store(books.Book, prefix="book:")
        return books.task(workload, server, lambda some: store.put_many(some), lambda names: store.get_many(names), client.close)

    def call(name: str) -> tuple[Any, tuple[Any, ...]]:
        return getattr(client, name.partition("-")[0]), tasks.arguments(name)

    def pipeline(count: int) -> Any:
        pipe = client.pipeline(transaction=False)
        for _ in range(count):
            pipe.set("newkey", "abc")
        return pipe.execute()

    return tasks.synchronous(workload, Client(call, pipeline, client.close))


def asynchronous(workload: str, server: Server) -> Task:
    """`samewire.redis.aio.Client`: one connection, whose calls are pipelined by themselves."""

    async def connect() -> Client:
        client: Any = AsyncClient(**tasks.address(workload, server))

        def call(name: str) -> tuple[Any, tuple[Any, ...]]:
            return getattr(client, name.partition("-")[0]), tasks.arguments(name)

        async def pipeline(count: int) -> Any:
            pipe = client.pipeline(transaction=False)
            for _ in range(count):
                pipe.set("newkey", "abc")
            return await pipe.execute()

        return Client(call, pipeline, client.aclose)

    return tasks.asynchronous(workload, connect)


CHECKS = "every reply; limits"
ROWS = {
    "samewire": Row("samewire", "client", CHECKS, (*CALLS, *UNIX, *PIPELINES, PARSE, *BOOKS), synchronous),
    "samewire-asyncio": Row("samewire", "client", CHECKS, (*CALLS, *UNIX, *PIPELINES, CALLERS), asynchronous),
}
